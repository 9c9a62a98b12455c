import MessageLog
import TestSupport
import Testing

/// A disk that does not give some sectors of a log.
@Suite("what the disk cannot read")
struct UnreadableTests {
  private static let segmentSize: UInt64 = 40_000
  private static let count = 240

  /// A log of several segments, with zeros behind the last record, as there are in files.
  private func told() throws -> MemoryStorage {
    let storage = MemoryStorage()
    var log = try TestLog(storage, segmentSize: Self.segmentSize)
    for number in 1...Self.count {
      _ = try log.write(["record \(number) " + String(repeating: "x", count: 400 + number % 7)])
    }
    storage.change { content in
      guard let last = content.segments.keys.max() else { return }
      content.segments[last]? += [UInt8](repeating: 0, count: 9_000)
      content.calls = []
    }
    return storage
  }

  private func sectors(of segment: SegmentID, in storage: MemoryStorage) -> [Range<UInt64>] {
    let size = UInt64(storage.snapshot.segments[segment]?.count ?? 0)
    return stride(from: 0, to: size, by: 4096).map { $0..<min($0 + 4096, size) }
  }

  @Test("in an older segment is damage: named, passed over by readers that may, and left as it is")
  func older() throws {
    let storage = try told()
    let segments = storage.snapshot.segments.keys.sorted()
    #expect(segments.count == 3)
    for segment in segments.dropLast() {
      for sector in sectors(of: segment, in: storage) {
        storage.change { $0.unreadable = [segment: sector] }
        let log = try TestLog(storage, segmentSize: Self.segmentSize)
        #expect(log.report.unreadable == [segment] && log.report.torn == nil)
        #expect(log.report.damage.allSatisfy { $0.reason == .unreadable && $0.segment == segment })
        let lost = log.report.damage.reduce(0) { $0 + $1.next - $1.expected }
        #expect((1...11).contains(lost) && log.read.count == Self.count - Int(lost), "\(sector)")
        #expect(try read(LogReader(storage: storage, passesOver: { $0 == segment }), log) == log.order)
        #expect(throws: StorageError.self) { try read(LogReader(storage: storage), log) }
      }
    }
    #expect(storage.count(of: "truncate") + storage.count(of: "remove") + storage.count(of: "write") == 0)
  }

  private func read(_ reader: LogReader, _ log: TestLog) throws -> [UInt64] {
    var numbers: [UInt64] = []
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    try reader.read(&cursor, in: log.writer.index) { frame in
      numbers.append(frame.sequence)
      return true
    }
    return numbers
  }

  @Test("a reading that the disk interrupts goes on behind the last record, and hands out none twice")
  func interrupted() throws {
    let storage = try told()
    let log = try TestLog(storage, segmentSize: Self.segmentSize)
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    var (numbers, failures): ([UInt64], Int) = ([], 0)
    let reader = LogReader(storage: storage, chunk: 4096)
    for skipped in 0..<200 where cursor.sequence <= log.writer.durable {
      storage.change { $0.failingReads = $0.reads.calls + 1 + skipped % 5..<$0.reads.calls + 3 + skipped % 5 }
      do throws(StorageError) {
        try reader.read(&cursor, in: log.writer.index) { frame in
          numbers.append(frame.sequence)
          return true
        }
      } catch { failures += 1 }
    }
    #expect(numbers == log.order && failures > 9)
  }

  @Test("in the last segment is no reason to cut or write anything: it is not opened, but all else of it can be read")
  func last() throws {
    let storage = try told()
    let segment = try #require(storage.snapshot.segments.keys.max())
    for sector in sectors(of: segment, in: storage) {
      storage.change { $0.unreadable = [segment: sector] }
      let before = storage.snapshot
      let error = #expect(throws: RecoveryError.self) { try TestLog(storage, segmentSize: Self.segmentSize) }
      #expect(error?.description.contains("the disk cannot read all of \(segment)") == true)
      #expect(storage.snapshot == before)
      var recovery = try Recovery(of: storage, log: TestLog.uuid, mode: .readOnly)
      var count = 0
      let report = try recovery.run { _ in count += 1 }.report
      #expect(report.damage.contains { $0.reason == .unreadable } && report.torn == nil, "\(sector)")
      #expect(count >= Self.count - 11)
    }
    #expect(storage.snapshot.calls.allSatisfy { $0.hasPrefix("settle") })
  }

  @Test("and another error of a read is one that may go by")
  func otherError() throws {
    let storage = try told()
    let reader = LogReader(storage: storage) { _ in true }
    let log = try TestLog(storage, segmentSize: Self.segmentSize)
    storage.change { $0.segments = [:] }
    #expect(throws: StorageError.self) { try read(reader, log) }
  }

  @Test("is no reason to write a segment anew without it: nothing is asked for of what goes")
  func erasure() throws {
    let storage = try told()
    let log = try TestLog(storage, segmentSize: Self.segmentSize)
    let index = log.writer.index
    for sector in sectors(of: index.segments[0].id, in: storage) {
      storage.change { $0.unreadable = [index.segments[0].id: sector] }
      var asked = 0
      let error = #expect(throws: StorageError.self) {
        try SegmentErasure(storage, index).content(of: index.segments[0], clearsRest: true) { _ in
          asked += 1
          return nil
        }
      }
      #expect(error?.cause == .unreadable && asked == 0)
    }
  }

  @Test("a record before it is read all the same, and one in it another time")
  func beside() throws {
    let storage = try told()
    let log = try TestLog(storage, segmentSize: Self.segmentSize)
    let index = log.writer.index
    var places: [(number: UInt64, at: LogLocation, end: UInt64)] = []
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    try LogReader(storage: storage).read(&cursor, in: index) { frame in
      places.append((frame.sequence, frame.location, UInt64(frame.end.offset)))
      return true
    }
    let reader = LogReader(storage: storage)
    let first = index.segments[0]
    for sector in sectors(of: first.id, in: storage) {
      storage.change { $0.unreadable = [first.id: sector] }
      for place in places where place.at.ordinal == first.ordinal {
        let isHit = UInt64(place.at.offset) < sector.upperBound && place.end > sector.lowerBound
        let text = try? reader.record(place.number, at: place.at, in: index) { $0.text }
        #expect((text == nil) == isHit)
        guard isHit else { continue }
        let lost = try reader.lost(around: place.at, in: index)
        #expect(lost.contains(place.at.packed))
        for other in places {
          let isOther = UInt64(other.at.offset) >= sector.upperBound || other.end <= sector.lowerBound
          if other.at.ordinal != first.ordinal || isOther { #expect(!lost.contains(other.at.packed)) }
        }
      }
    }
    storage.change { $0.unreadable = [:] }
    for place in places {
      #expect(try reader.record(place.number, at: place.at, in: index) { $0.sequence } == place.number)
    }
  }
}
