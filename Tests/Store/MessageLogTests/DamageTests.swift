import Bytes
import MessageLog
import TestSupport
import Testing

/// A log of one segment whose bytes the tests change: batches of 2, 1 and 2 records.
private struct Small {
  let bytes: [UInt8]
  /// Where each frame begins, and the record in it; nil for a batch frame.
  let frames: [(offset: Int, record: UInt64?)]
  static let id = SegmentID(first: 1)
  static let texts: [UInt64: String] = [1: "first", 2: "second 二", 3: "third", 4: "", 5: "fifth"]

  init() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    for batch in [[1, 2], [3], [4, 5]] as [[UInt64]] {
      _ = try log.write(batch.map { Self.texts[$0] ?? "" })
    }
    bytes = try #require(storage.snapshot.segments[Self.id])
    var frames: [(Int, UInt64?)] = []
    var offset = 64
    while offset < bytes.count {
      let isBatch = bytes[offset + 4] == 0xFF
      frames.append((offset, isBatch ? nil : UInt64(bytes[offset + 5])))
      offset += 9 + Int(bytes[offset + 8])
    }
    self.frames = frames
  }

  /// The frame that byte `offset` is in.
  func frame(at offset: Int) -> (offset: Int, record: UInt64?) { frames.last { $0.offset <= offset } ?? (0, nil) }

  /// Where the last batch begins: what is before it was stated durable.
  var lastBatch: Int { frames.last { $0.record == nil }?.offset ?? 0 }
}

extension MemoryStorage {
  /// A storage with one segment of these bytes.
  convenience init(first bytes: [UInt8]) {
    self.init(MemoryStorage.Content(segments: [SegmentID(first: 1): bytes]))
  }
}

@Suite struct DamageTests {
  @Test("every byte of a log, changed: what is before the last batch is damage, what is in it a torn tail")
  func everyFlip() throws {
    let small = try Small()
    #expect(small.frames.count == 8)
    for offset in small.bytes.indices {
      for mask in [0x01, 0x80, 0xFF] as [UInt8] {
        var bytes = small.bytes
        bytes[offset] ^= mask
        try check(small, bytes, changed: offset)
      }
    }
  }

  private func check(_ small: Small, _ bytes: [UInt8], changed offset: Int) throws {
    let storage = MemoryStorage(first: bytes)
    let log = try TestLog(storage)
    let frame = small.frame(at: offset)
    if offset < 64 {
      #expect(log.report.damage.map(\.reason) == [.header])
      #expect(log.read == Small.texts, "header byte \(offset)")
      return
    }
    if offset >= small.lastBatch {
      let before = Small.texts.filter { $0.key <= 3 || (frame.record ?? 4) > $0.key }
      #expect(log.read == before, "byte \(offset)")
      #expect(log.report.damage.isEmpty)
      #expect(log.report.torn?.offset == UInt64(frame.offset), "byte \(offset)")
      #expect(log.report.torn?.bytes == UInt64(small.bytes.count - frame.offset))
      #expect(storage.snapshot.segments[Small.id]?.count == frame.offset, "cut")
      return
    }
    #expect(log.report.torn == nil)
    #expect(log.read == Small.texts.filter { $0.key != frame.record }, "byte \(offset)")
    #expect(log.report.damage.count == 1)
    #expect(log.report.damage.first?.offset == UInt64(frame.offset))
    #expect(log.report.damage.first?.segment == Small.id)
    #expect(log.report.damageCount == 1)
    if let record = frame.record { #expect(log.report.damage.first?.expected == record) }
    #expect(storage.snapshot.segments[Small.id] == bytes, "damage is left as it is")
    #expect(log.writer.nextSequence == 6)
  }

  @Test("a log cut at every length: whole records are read, the rest is counted")
  func everyCut() throws {
    let small = try Small()
    let ends = small.frames.dropFirst().map(\.offset) + [small.bytes.count]
    for length in 0...small.bytes.count {
      let log = try TestLog(MemoryStorage(first: Array(small.bytes[..<length])))
      let whole = zip(small.frames, ends).filter { $0.1 <= length }.compactMap(\.0.record)
      #expect(Set(log.read.keys) == Set(whole), "length \(length)")
      #expect(log.report.damage.isEmpty, "length \(length)")
      let end = length < 64 ? 0 : ends.last { $0 <= length } ?? 64
      let lost = small.bytes[end..<length].lastIndex { $0 != 0 }.map { $0 + 1 - end }
      #expect(
        log.report.torn.map { [$0.offset, $0.bytes] } == lost.map { [UInt64(end), UInt64($0)] }, "length \(length)")
      #expect(log.writer.nextSequence == UInt64(whole.count + 1))
    }
  }

  @Test("zeros behind the last record are room, not a torn tail", arguments: [1, 15, 16, 17, 4096, 1 << 20])
  func preallocatedRoom(count: Int) throws {
    let small = try Small()
    let storage = MemoryStorage(first: small.bytes + [UInt8](repeating: 0, count: count))
    var log = try TestLog(storage)
    #expect(log.read == Small.texts)
    #expect(log.report.torn == nil)
    #expect(log.report.damage.isEmpty)
    _ = try log.write(["sixth"])
    #expect(try TestLog(storage).read[6] == "sixth")
  }

  @Test func tornBytesBehindZerosAreCounted() throws {
    let small = try Small()
    let storage = MemoryStorage(first: small.bytes + [UInt8](repeating: 0, count: 600) + [7, 7, 0, 0])
    #expect(try TestLog(storage).report.torn?.bytes == 602)
    #expect(storage.snapshot.segments[Small.id] == small.bytes)
  }

  @Test func aReadOnlyOpenReportsATornTailAndLeavesIt() throws {
    let small = try Small()
    let storage = MemoryStorage(first: small.bytes + [1, 2, 3])
    var recovery = try Recovery(of: storage, log: TestLog.uuid, mode: .readOnly)
    let log = try recovery.run { _ in }
    #expect(log.report.torn?.bytes == 3)
    #expect(storage.snapshot.calls.isEmpty)
  }

  @Test func zeroedSectorsInTheMiddleAreDamage() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    for number in 1...40 { _ = try log.write(["record \(number) " + String(repeating: "z", count: 100)]) }
    var bytes = try #require(storage.snapshot.segments[Small.id])
    bytes.replaceSubrange(1024..<2048, with: [UInt8](repeating: 0, count: 1024))
    let again = try TestLog(MemoryStorage(first: bytes))
    let damage = try #require(again.report.damage.first)
    #expect(again.report.damage.count == 1)
    #expect(damage.offset <= 1024 && damage.offset + damage.length >= 2048)
    #expect(again.read.count == 40 - Int(damage.next - damage.expected))
    #expect(again.read.count >= 32)
    #expect(again.order == again.order.sorted())
  }

  @Test func aSealedSegmentThatWasCutIsDamage() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage, segmentSize: 300)
    for number in 1...20 { _ = try log.write(["record \(number)"]) }
    storage.change { content in
      let id = content.segments.keys.sorted()[1]
      content.segments[id] = content.segments[id].map { Array($0.dropLast(10)) }
    }
    let again = try TestLog(storage, segmentSize: 300)
    #expect(again.report.damage.count == 1)
    #expect(again.read.count == 19)
    #expect(again.report.torn == nil)
    #expect(again.writer.nextSequence == 21)
  }

  @Test func readersPassOverDamageToo() throws {
    let small = try Small()
    var bytes = small.bytes
    bytes[small.frames[1].offset + 10] ^= 1  // record 1
    let storage = MemoryStorage(first: bytes)
    let log = try TestLog(storage)
    let reader = LogReader(storage: storage)
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 1, offset: 64))
    var read: [UInt64] = []
    try reader.read(&cursor, in: log.writer.index) { frame in
      read.append(frame.sequence)
      return true
    }
    #expect(read == [2, 3, 4, 5])
    let location = LogLocation(ordinal: 1, offset: UInt32(small.frames[1].offset))
    #expect(throws: LogReadError.noRecord(location)) {
      try reader.record(1, at: location, in: log.writer.index) { $0.sequence }
    }
  }

  /// Found by the fuzzer (`forged-order`): a file of a name and numbers that no record has, with right checksums.
  @Test(arguments: [0, 2, 3, 4, 6, UInt64.max - 1, UInt64.max])
  func aForgedSegmentHandsOutNoNumberTwiceOrOutOfOrder(first: UInt64) throws {
    let small = try Small()
    for number in [0, 1, 5, first, UInt64.max] {
      var forged = small.bytes
      for (offset, record) in small.frames where record == nil || record == 1 {
        forged.renumber(frameAt: offset, to: number)
      }
      let segments = [Small.id: small.bytes, SegmentID(first: first): forged]
      let log = try TestLog(MemoryStorage(MemoryStorage.Content(segments: segments)))
      #expect(log.order == Set(log.order).sorted(), "\(first) \(number)")
      #expect(!log.order.contains(0), "\(first) \(number)")
    }
  }

  /// Found by the fuzzer (`named-zero`): the only file is named after a number that no record has.
  @Test func aForgedNameOfTheOnlySegmentIsNoCrash() throws {
    for bytes in [[], try Small().bytes] {
      let content = MemoryStorage.Content(segments: [SegmentID(first: 0): bytes])
      #expect(try TestLog(MemoryStorage(content)).order.allSatisfy { $0 > 0 })
    }
  }

  @Test("random garbage is never a crash, and never a record", arguments: UInt64(0)..<50)
  func garbage(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let small = try Small()
    var bytes = seed % 2 == 0 ? [] : small.bytes
    bytes += (0..<Int.random(in: 1...5000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    if seed % 3 == 0, !small.bytes.isEmpty { bytes += small.bytes }
    var log = try TestLog(MemoryStorage(first: bytes))
    for (number, text) in log.read { #expect(Small.texts[number] == text) }
    _ = try log.write(["goes on"])
  }
}

extension [UInt8] {
  /// Gives a frame another number, and the checksum that fits.
  fileprivate mutating func renumber(frameAt offset: Int, to number: UInt64) {
    for place in 0..<3 { self[offset + 5 + place] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(place))) }
    let sum = CRC32C.checksum(self[offset + 4..<offset + 9 + Int(self[offset + 8])])
    for place in 0..<4 { self[offset + place] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(place))) }
  }
}
