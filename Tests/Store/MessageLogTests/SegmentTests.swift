import Bytes
import MessageLog
import TestSupport
import Testing

@Suite struct SegmentTests {
  private static let first = SegmentID(first: 1)

  @Test(
    arguments: [("00000000000000000001.log", 1), ("09223372036854775807.log", UInt64(Int64.max))] as [(String, UInt64)])
  func namesOfSegments(name: String, first: UInt64) {
    #expect(SegmentID(fileName: name)?.first == first)
    #expect(SegmentID(first: first).fileName == name)
  }

  @Test(
    arguments: [
      "", "1.log", "00000000000000000000.log", "09223372036854775808.log", "0000000000000000000a.log",
      "00000000000000000001.log.tmp", "+0000000000000000001.log", "checkpoint", "٠٠٠٠٠٠٠٠٠٠.log",
    ])
  func otherNames(name: String) {
    #expect(SegmentID(fileName: name) == nil)
  }

  @Test("a segment of another major format is refused", arguments: [1, LogFormat.major + 1])
  func otherMajor(major: UInt16) throws {
    let storage = try oneRecord { $0.major = major }
    #expect(throws: RecoveryError.unknownFormat(Self.first, major: major)) {
      _ = try Recovery(of: storage, log: nil, mode: .readOnly)
    }
    #expect(RecoveryError.unknownFormat(Self.first, major: major).description.contains("log format \(major)"))
  }

  @Test(
    "segments of an older major format are read, and followed by one of ours", arguments: LogFormat.readable.dropLast())
  func olderMajor(major: UInt16) throws {
    let storage = try oneRecord { $0.major = major }
    var log = try TestLog(storage)
    #expect(log.read == [1: "one"])
    #expect(try log.write(["two"]) == [2])
    let segments = storage.snapshot.segments.sorted { $0.key < $1.key }.map { SegmentHeader(decoding: $0.value)?.major }
    #expect(segments == [major, LogFormat.major])
    #expect(try TestLog(storage).read == [1: "one", 2: "two"])
  }

  @Test func aNewerMinorFormatIsReadAndNotAppendedTo() throws {
    let storage = try oneRecord { $0.minor = 7 }
    var log = try TestLog(storage)
    #expect(log.read == [1: "one"])
    #expect(try log.write(["two"]) == [2])
    #expect(storage.snapshot.segments.count == 2)
    #expect(try TestLog(storage).read == [1: "one", 2: "two"])
  }

  @Test func aLogWithAnotherUUIDIsReadAndNotAppendedTo() throws {
    let other = try #require(LogUUID(random: [UInt8](repeating: 5, count: 16)))
    let storage = try oneRecord { $0.uuid = other }
    var log = try TestLog(storage)
    _ = try log.write(["two"])
    #expect(storage.snapshot.segments.count == 2)
    #expect(try TestLog(storage).read == [1: "one", 2: "two"])
  }

  @Test func framesOfTheLogsOwnThatAreNotKnownArePassedOver() throws {
    let storage = try oneRecord { _ in }
    storage.change { content in
      content.segments[Self.first]?.append(contentsOf: frame(kind: 0xF0, sequence: 2, payload: [1, 2, 3]))
      content.segments[Self.first]?.append(contentsOf: frame(kind: 20, sequence: 2, payload: [0x0A, 1, 0x62]))
    }
    let log = try TestLog(storage)
    #expect(log.read == [1: "one", 2: "b"])
    #expect(log.report.damage.isEmpty && log.report.torn == nil)
  }

  @Test func recordsOfUnknownKindsAreHandedOut() throws {
    let storage = try oneRecord { _ in }
    storage.change { $0.segments[Self.first]?.append(contentsOf: frame(kind: 0xEF, sequence: 2, payload: [0xFF])) }
    let log = try TestLog(storage)
    #expect(log.order == [1, 2])
    #expect(log.writer.nextSequence == 3)
  }

  @Test("records of an older segment that the newer one has too are not read from the older")
  func overlap() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["one"])
    log.append(["lost two", "lost three"])
    storage.failNext("sync")
    #expect(throws: StorageError.self) { try log.flush() }
    let none = log.writer.takeBatch()
    #expect(none?.segment == nil)
    log.writer.discardPending()
    #expect(try log.write(["two"]) == [2])
    let again = try TestLog(storage)
    #expect(again.read == [1: "one", 2: "two"])
    var texts: [String] = []
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    try LogReader(storage: storage).read(&cursor, in: again.writer.index) { frame in
      texts.append(frame.text)
      return true
    }
    #expect(texts == ["one", "two"])
  }

  @Test func anEmptyLastSegmentIsReplaced() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["one"])
    let header = SegmentHeader(
      ordinal: 2, first: 2, uuid: try #require(LogUUID(random: [UInt8](repeating: 1, count: 16))))
    storage.change { $0.segments[SegmentID(first: 2)] = header.encoded }
    var again = try TestLog(storage)
    #expect(again.read == [1: "one"])
    #expect(try again.write(["two"]) == [2])
    #expect(storage.snapshot.segments.count == 2)
    #expect(try TestLog(storage).read == [1: "one", 2: "two"])
  }

  @Test func aRecordLargerThanASegmentGetsOneOfItsOwn() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage, segmentSize: 1000)
    let large = String(repeating: "l", count: 5000)
    _ = try log.write(["a", large, "b"])
    #expect(storage.snapshot.segments.count == 3)
    #expect(try TestLog(storage, segmentSize: 1000).read == [1: "a", 2: large, 3: "b"])
  }

  /// A log of one record whose header has been changed.
  @Test("frames belong to their segment's numbers, also those that a head does not have")
  func highNumbers() throws {
    let first = SegmentID(first: 5 << 24 + 7)
    let frames = frame(kind: 20, sequence: first.first, payload: FrameTests.text("one"))
    let storage = MemoryStorage()
    storage.change { $0.segments[first] = (try? FrameTests.header(first: first.first)).map { $0 + frames } }
    var log = try TestLog(storage)
    #expect(try log.write(["two"]) == [first.first + 1])
    let again = try TestLog(storage)
    #expect(again.read == [first.first: "one", first.first + 1: "two"])
    #expect(again.report.damage.map(\.reason) == [.beginning] && again.report.torn == nil)
    // What cannot say otherwise, since its header is damaged, under the name of another segment.
    let moved = try #require(storage.snapshot.segments[first])
    storage.change { $0.segments = [SegmentID(first: 6 << 24 + 7): [0] + moved.dropFirst()] }
    #expect(try TestLog(storage).read.isEmpty)
  }

  @Test("a log that is at the last name there may be goes on")
  func lastNumbers() throws {
    let first = SegmentID(first: UInt64(Int64.max))
    let storage = MemoryStorage()
    storage.change { $0.segments[first] = try? FrameTests.header(first: first.first) }
    var log = try TestLog(storage)
    #expect(try log.write(["one", "two"]) == [first.first, first.first + 1])
    #expect(try TestLog(storage).read == [first.first: "one", first.first + 1: "two"])
  }

  private func oneRecord(_ change: (inout SegmentHeader) -> Void) throws -> MemoryStorage {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["one"])
    let bytes = try #require(storage.snapshot.segments[Self.first])
    var header = try #require(SegmentHeader(decoding: bytes))
    change(&header)
    storage.change { $0.segments[Self.first] = header.encoded + bytes.dropFirst(64) }
    return storage
  }

  private func frame(kind: UInt8, sequence: UInt64, payload: [UInt8]) -> [UInt8] {
    FrameTests.frame(kind: kind, sequence, payload)
  }
}
