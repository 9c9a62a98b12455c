import Bytes
import MessageLog
import TestSupport
import Testing

/// Frames of every length, numbers of every size, and what only looks like a frame.
@Suite struct FrameTests {
  /// A frame, built by the document and not by the code under test.
  static func frame(kind: UInt8 = TestLog.kind, _ number: UInt64, _ payload: [UInt8]) -> [UInt8] {
    var body = [kind] + (0..<3).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    var length = payload.count
    while length >= 0x80 {
      body.append(UInt8(length & 0x7F) | 0x80)
      length >>= 7
    }
    body += [UInt8(length)] + payload
    let seed = UInt32(truncatingIfNeeded: number >> 24) ^ UInt32(number >> 56)
    let checksum = CRC32C.checksumByTables(body, continuing: seed)
    return (0..<4).map { UInt8(truncatingIfNeeded: checksum >> UInt32(8 * $0)) } + body
  }

  static func text(_ text: String) -> [UInt8] { FieldWriter.text(text) }

  /// A batch frame that says that all up to `offset` was durable.
  static func batch(_ number: UInt64, durable offset: UInt8 = 0) -> [UInt8] {
    frame(kind: 0xFF, number, [offset, 0, 0, 0, offset == 0 ? 0 : 1, 0, 0, 0])
  }

  /// The header of the first segment of a log.
  static func header(first: UInt64 = 1) throws -> [UInt8] {
    SegmentHeader(ordinal: 1, first: first, uuid: try #require(TestLog.uuid)).encoded
  }

  @Test("a head is as long as its length needs", arguments: [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152])
  func lengths(count: Int) throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    let payload = [UInt8](repeating: 0x61, count: count)
    log.writer.append(kind: 200) { $0.bytes += payload }
    log.writer.append(kind: 201) { $0.string(1, "behind it") }
    try log.flush()
    let bytes = try #require(storage.snapshot.segments[SegmentID(first: 1)])
    let wanted = Self.frame(kind: 200, 1, payload) + Self.frame(kind: 201, 2, Self.text("behind it"))
    #expect(Array(bytes[(64 + 17)...]) == wanted)
    var sizes: [Int] = []
    var recovery = try Recovery(of: storage, log: nil, mode: .readOnly)
    let read = try recovery.run { sizes.append($0.payloadCount) }
    #expect(sizes == [count, 11] && read.report.damage.isEmpty && read.report.torn == nil)
  }

  @Test("numbers go on where their lowest 24 bits begin again")
  func numbersWrap() throws {
    let first: UInt64 = 0xFF_FFFD
    let id = SegmentID(first: first)
    var bytes = try Self.header(first: first) + Self.batch(first)
    for number in first..<first + 6 { bytes += Self.frame(number, Self.text("\(number)")) }
    bytes += Self.batch(first + 6, durable: UInt8(bytes.count))
    let storage = MemoryStorage(MemoryStorage.Content(segments: [id: bytes]))
    var log = try TestLog(storage)
    #expect(log.order == Array(first..<first + 6) && log.read.allSatisfy { $1 == "\($0)" })
    #expect(log.report.torn == nil && log.report.damage.map(\.reason) == [.beginning])
    #expect(try log.write(["more"]) == [first + 6])
    #expect(try TestLog(storage).read[first + 6] == "more")
    let reader = LogReader(storage: storage)
    for number in first..<first + 7 {
      #expect(try reader.first(from: number, in: log.writer.index)?.sequence == number)
    }
    // Without the record whose number is the first with zeros.
    bytes[64 + 17 + 3 * (9 + 10) + 10] ^= 1
    let damaged = try TestLog(MemoryStorage(MemoryStorage.Content(segments: [id: bytes])))
    #expect(damaged.order == Array(first..<first + 6).filter { $0 != 0x100_0000 })
    #expect(damaged.report.damage.map(\.expected) == [1, 0x100_0000] && damaged.report.damageCount == 2)
  }

  @Test("a sound frame inside a damaged record is believed only if it has a number that it could have there")
  func forgedInside() throws {
    let numbers: [(UInt64, Bool)] = [(2, true), (3, true), (4, false), (500, false)]
    for (number, isPossible) in numbers {
      let forged = Self.frame(number, Self.text("forged"))
      var bytes = try Self.header() + Self.batch(1)
      let start = bytes.count
      bytes += Self.frame(1, [UInt8](repeating: 0x61, count: 10) + forged)
      bytes += Self.frame(2, Self.text("two")) + Self.frame(3, Self.text("three"))
      let behind = UInt8(bytes.count)
      bytes += Self.batch(4, durable: behind)
      bytes[start + 12] ^= 1
      let log = try TestLog(MemoryStorage(first: bytes))
      #expect(log.read.values.contains("forged") == isPossible, "\(number)")
      #expect(log.order == Set(log.order).sorted())
      if !isPossible { #expect(log.read == [2: "two", 3: "three"], "\(number)") }
    }
  }

  @Test("a length that says more than there is, or has no end, is no frame", arguments: [0x7F, 0x80, 0xFF] as [UInt8])
  func lengthsOutOfBounds(byte: UInt8) throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    for text in ["one", "two", "three"] { _ = try log.write([text]) }
    var bytes = try #require(storage.snapshot.segments[SegmentID(first: 1)])
    bytes[64 + 17 + 8] = byte
    #expect(try TestLog(MemoryStorage(first: bytes)).read == [2: "two", 3: "three"])
    for end in 1...12 {
      let torn = [UInt8](repeating: byte, count: end)
      let log = try TestLog(MemoryStorage(first: try #require(storage.snapshot.segments[SegmentID(first: 1)]) + torn))
      #expect(log.read.count == 3 && log.report.torn?.bytes == UInt64(end) && log.report.damage.isEmpty)
    }
  }
}

extension FieldWriter {
  /// A text as `TestLog` writes it.
  static func text(_ text: String) -> [UInt8] {
    var writer = FieldWriter()
    writer.string(1, text)
    return writer.bytes
  }
}
