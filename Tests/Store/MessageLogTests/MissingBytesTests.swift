import Bytes
import MessageLog
import TestSupport
import Testing

/// A log of one segment of which bytes are missing, or to which some were added: what stands behind is not where it was.
@Suite("bytes missing or inserted in the newest segment")
struct MissingBytesTests {
  /// A sound log, and where its frames are.
  private struct Told {
    let bytes: [UInt8]
    let texts: [UInt64: String]
    /// Number and kind of each frame; of a batch, that of the record behind it.
    let frames: [(range: Range<Int>, number: UInt64, isBatch: Bool)]
    static let id = SegmentID(first: 1)

    init(_ batches: [[Int]]) throws {
      let storage = MemoryStorage()
      var log = try TestLog(storage)
      var frames: [(Range<Int>, UInt64, Bool)] = []
      var texts: [UInt64: String] = [:]
      var end = 64
      for sizes in batches {
        frames.append((end..<end + 17, log.writer.nextSequence, true))
        let numbers = log.append(sizes.map { "t" + String(repeating: "ext ", count: $0) })
        let batch = try log.take()
        let starts = numbers.map { Int(batch.location(of: $0).offset) }
        batch.forEachRecord { (frame: borrowing LogFrame) in texts[frame.sequence] = frame.text }
        try log.perform(batch)
        let ends = starts.dropFirst() + [Int(log.writer.durableEnd.offset)]
        for ((start, end), number) in zip(zip(starts, ends), numbers) { frames.append((start..<end, number, false)) }
        end = Int(log.writer.durableEnd.offset)
      }
      (self.frames, self.texts) = (frames, texts)
      bytes = try #require(storage.snapshot.segments[Self.id])
    }

    var lastBatch: Range<Int> { frames.last { $0.isBatch }?.range ?? 0..<0 }

    /// What has to be read of it where something was taken out or put in, and whether an end of it is cut off: what is not
    /// behind all batches is never.
    func left(of other: [UInt8]) -> (texts: [UInt64: String], isCut: Bool) {
      let same = zip(bytes, other).prefix { $0 == $1 }.count
      let sameAtEnd = zip(bytes.reversed(), other.reversed()).prefix { $0 == $1 }.count
      let before = frames.filter { $0.range.upperBound <= same }
      let end = before.last?.range.upperBound ?? 64
      let behind = max(bytes.count - sameAtEnd, end + bytes.count - other.count)
      let after = frames.filter { $0.range.upperBound > same && $0.range.lowerBound >= behind }
      let all = before + after
      // Where nothing but the frame of a batch is gone, all follows as it did.
      let isInOrder = texts(of: all) == texts && after.first?.range.lowerBound == end + bytes.count - other.count
      let isBeforeLastBatch = all.last { $0.isBatch }?.range == lastBatch && lastBatch.upperBound > same
      if isInOrder || isBeforeLastBatch { return (texts(of: all), false) }
      return (texts(of: before), other[end...].contains { $0 != 0 })
    }

    private func texts(of frames: [(range: Range<Int>, number: UInt64, isBatch: Bool)]) -> [UInt64: String] {
      let numbers = Set(frames.filter { !$0.isBatch }.map(\.number))
      return texts.filter { numbers.contains($0.key) }
    }
  }

  /// Opens it as `confab log verify` and as the daemon does, reads it, appends to it, and opens it again.
  private func check(
    _ bytes: [UInt8], has texts: [UInt64: String], isCut: Bool = false, _ comment: Comment
  ) throws {
    let storage = MemoryStorage(first: bytes)
    var seen: [UInt64] = []
    var recovery = try Recovery(of: storage, log: TestLog.uuid, mode: .readOnly)
    let verified = try recovery.run { seen.append($0.sequence) }.report
    var log = try TestLog(storage)
    #expect(log.read == texts, comment)
    #expect(seen == log.order && log.order == texts.keys.sorted(), comment)
    #expect(verified == log.report && (log.report.torn != nil) == isCut, comment)
    #expect(isCut || storage.snapshot.segments[Told.id] == bytes, "damage stays as it is: \(comment)")
    var numbers: [UInt64] = []
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    try LogReader(storage: storage, chunk: 256).read(&cursor, in: log.writer.index) { frame in
      numbers.append(frame.sequence)
      return true
    }
    #expect(numbers == log.order, comment)
    for number in texts.keys {
      #expect(try LogReader(storage: storage).first(from: number, in: log.writer.index)?.text == texts[number], comment)
    }
    let new = try #require(try log.write(["new"]).first)
    let again = try TestLog(storage)
    #expect(again.read == texts.merging([new: "new"]) { $1 } && again.report.torn == nil, comment)
    #expect(again.report.damage.map(\.expected) == log.report.damage.map(\.expected), comment)
  }

  private static let batches = [[0, 5], [1], [2, 0, 3], [9, 1], [0], [4, 2]]

  @Test("each stretch that may be missing: what is left is read, and only the very last batch may be cut")
  func everyStretch() throws {
    let told = try Told(Self.batches)
    for start in 64..<told.bytes.count {
      for count in [1, 2, 8, 9, 17, 18, 40, 100, 150] where start + count <= told.bytes.count {
        let range = start..<start + count
        var bytes = told.bytes
        bytes.removeSubrange(range)
        let left = told.left(of: bytes)
        try check(bytes, has: left.texts, isCut: left.isCut, "without \(range)")
      }
    }
  }

  @Test("at each place something may be inserted: zeros, anything, frames of earlier batches")
  func everyPlace() throws {
    let told = try Told(Self.batches)
    var random = SplitMix(seed: 7)
    for place in 64...told.bytes.count {
      for count in [1, 17, 60] {
        let zeros = [UInt8](repeating: 0, count: count)
        let garbage = (0..<count).map { _ in UInt8.random(in: 1...255, using: &random) }
        let copy = (0..<count).map { told.bytes[64 + $0 % 17] }
        for more in [zeros, garbage, copy] {
          var bytes = told.bytes
          bytes.insert(contentsOf: more, at: place)
          let left = told.left(of: bytes)
          try check(bytes, has: left.texts, isCut: left.isCut, "\(more) at \(place)")
        }
      }
    }
  }

  @Test("where heads of long frames stand everywhere, not all of them are read, and what stands behind is found")
  func longFrames() throws {
    let told = try Told(Self.batches)
    let place = try #require(told.frames.first { $0.number == 3 && !$0.isBatch }).range.lowerBound
    // Each says that it is record 3, and has a MiB.
    let head: [UInt8] = [1, 2, 3, 4, 1, 3, 0, 0, 0xFF, 0xFF, 0x3F]
    var bytes = told.bytes
    bytes.insert(contentsOf: repeatElement(head, count: 100_000).joined(), at: place)
    let storage = MemoryStorage(first: bytes)
    var recovery = try Recovery(of: storage, log: TestLog.uuid, mode: .readOnly)
    var seen: [UInt64] = []
    _ = try recovery.run { seen.append($0.sequence) }
    #expect(seen == told.texts.keys.sorted())
    #expect(storage.reads.bytes < 2 << 30, "of 100 GB")
  }

  @Test("half a segment may be missing: all the rest is read", arguments: 1...20)
  func largeStretches(round: Int) throws {
    var chance = Chance("a segment without some of its bytes")
    let told = try Told(
      (0..<chance.draw(20...60)).map { _ in (0..<chance.draw(1...30)).map { _ in chance.draw(0...40) } })
    let start = chance.draw(64...told.lastBatch.lowerBound)
    let range = start..<chance.draw(start...told.lastBatch.lowerBound)
    var bytes = told.bytes
    bytes.removeSubrange(range)
    let left = told.left(of: bytes)
    #expect(!left.isCut)
    try check(bytes, has: left.texts, "seed \(chance.seed), without \(range)")
  }

  @Test("several places, some with bytes less and some with more", arguments: 1...20)
  func severalPlaces(round: Int) throws {
    var chance = Chance("a segment that was edited")
    let told = try Told((0..<40).map { _ in (0..<chance.draw(1...9)).map { _ in chance.draw(0...20) } })
    var (bytes, lost) = (told.bytes, Set<UInt64>())
    // From the last one to the first: those before it stay where they are.
    for part in (0..<4).reversed() {
      let quarter = (told.lastBatch.lowerBound - 64) / 4
      let start = 64 + part * quarter + chance.draw(0...quarter / 2)
      let count = chance.draw(1...quarter / 4)
      let more = chance.draw(0...1) == 0 ? [] : (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + 1) }
      let range = start..<start + (more.isEmpty ? count : 0)
      var alone = told.bytes
      alone.replaceSubrange(range, with: more)
      lost.formUnion(Set(told.texts.keys).subtracting(told.left(of: alone).texts.keys))
      bytes.replaceSubrange(range, with: more)
    }
    try check(bytes, has: told.texts.filter { !lost.contains($0.key) }, "seed \(chance.seed)")
  }

  @Test("a header that lost bytes, or got some, is no reason to drop the newest segment", arguments: [0, 5, 30, 63])
  func header(place: Int) throws {
    let told = try Told(Self.batches)
    for count in [1, 17, 30] {
      var more = told.bytes
      more.insert(contentsOf: [UInt8](repeating: 8, count: count), at: place)
      try checkHeader(more, has: told.texts)
      var less = told.bytes
      less.removeSubrange(place..<place + count)
      // What stands where the header should be is not looked at.
      let missing = told.frames.filter { !$0.isBatch && $0.range.lowerBound < max(64 + count, place + count) }
      try checkHeader(less, has: told.texts.filter { text in !missing.contains { $0.number == text.key } })
    }
  }

  private func checkHeader(_ bytes: [UInt8], has texts: [UInt64: String]) throws {
    let storage = MemoryStorage(first: bytes)
    let log = try TestLog(storage)
    #expect(log.report.torn == nil && log.report.damage.first?.reason == .header)
    #expect(log.read == texts)
    #expect(storage.snapshot.segments[Told.id] == bytes)
  }

  @Test("one batch that is torn is cut off, whatever older bytes stand behind it")
  func tornBeforeOlderBytes() throws {
    let told = try Told(Self.batches)
    var other = try Told(Self.batches + Self.batches).bytes
    // The same batches as in the second segment of another log.
    for frame in try Told(Self.batches + Self.batches).frames where frame.isBatch {
      other.replaceSubrange(
        frame.range,
        with: FrameTests.frame(kind: 0xFF, frame.number, [UInt8(frame.range.lowerBound & 0xFF), 1, 0, 0, 2, 0, 0, 0]))
    }
    let start = told.lastBatch.lowerBound
    for older in [Array(told.bytes[64..<start]), Array(other[64...])] {
      for offset in start..<told.bytes.count {
        for room in [0, 100] {
          var bytes = told.bytes + [UInt8](repeating: 0, count: room) + older
          bytes[offset] ^= 0x55
          let storage = MemoryStorage(first: bytes)
          let log = try TestLog(storage)
          let bad = told.frames.last { $0.range.lowerBound <= offset }?.range.lowerBound
          #expect(log.report.torn.map { Int($0.offset) } == bad && log.report.damage.isEmpty, "\(offset)")
          #expect(storage.snapshot.segments[Told.id]?.count == bad)
          #expect(log.read == told.texts.filter { log.order.contains($0.key) })
        }
      }
    }
  }

  /// Found by the fuzzer (`batch-at-limit`).
  @Test("a batch of which no record is left counts too, also where its number is the next segment's first")
  func batchAtTheLimit() throws {
    let told = try Told((0..<8).map { _ in [0] })
    let records = told.frames.filter { !$0.isBatch }.map(\.range)
    var bytes = told.bytes
    bytes[records[7].lowerBound + 10] ^= 1
    bytes.removeSubrange(records[2].upperBound - 1..<records[6].lowerBound)
    let storage = MemoryStorage(first: bytes)
    var log = try TestLog(storage, segmentSize: 100)
    #expect(log.order == [1, 2, 7] && log.report.torn != nil)
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    var numbers: [UInt64] = []
    try LogReader(storage: storage).read(&cursor, in: log.writer.index) { frame in
      numbers.append(frame.sequence)
      return true
    }
    #expect(numbers == log.order)
    #expect(try log.write(["new"]) == [8] && storage.snapshot.segments.count == 2)
    #expect(try TestLog(storage).order == [1, 2, 7, 8])
  }

  @Test("what a batch states makes no place behind it one that was durable")
  func statedFarOff() throws {
    let told = try Told([[1], [2]])
    let stated = FrameTests.frame(kind: 0xFF, 3, [0, 0, 0, 0x7F, 1, 0, 0, 0])
    let storage = MemoryStorage(first: told.bytes + [9] + stated + [7, 7, 7])
    let log = try TestLog(storage)
    #expect(log.read == told.texts && log.report.damage.map(\.offset) == [UInt64(told.bytes.count)])
    #expect(log.report.torn?.bytes == 3)
    #expect(storage.snapshot.segments[Told.id]?.count == told.bytes.count + 18)
  }

  @Test("many damaged places are read about once, and a torn tail too")
  func cost() throws {
    let told = try Told((0..<400).map { _ in [200, 300, 400] })
    var bytes = told.bytes
    for frame in told.frames.dropLast() where frame.number % 3 == 0 { bytes[frame.range.lowerBound + 5] ^= 1 }
    for end in [[], [UInt8](repeating: 0x61, count: 500_000)] as [[UInt8]] {
      let storage = MemoryStorage(first: bytes + end)
      let log = try TestLog(storage)
      #expect(log.report.damageCount >= 390 && (log.report.torn == nil) == end.isEmpty)
      #expect(storage.reads.bytes < 5 * (bytes.count + end.count), "\(storage.reads) of \(bytes.count)")
    }
  }
}
