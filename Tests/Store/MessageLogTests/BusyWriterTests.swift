import Synchronization
import TestSupport
import Testing

@testable import MessageLog

/// A log that is read while another process appends to it.
@Suite struct BusyWriterTests {
  /// A storage as a reader sees it beside a writer: files are longer than their content, as `FileStorage` makes them,
  /// and a read takes page after page while the writer continues.
  private final class BusyStorage: LogStorage {
    private static let step = 64 << 10
    private static let page = 4096
    private let inner: MemoryStorage
    private let betweenPages: @Sendable () -> Void

    init(_ inner: MemoryStorage, betweenPages: @escaping @Sendable () -> Void) {
      (self.inner, self.betweenPages) = (inner, betweenPages)
    }

    func segments() throws(StorageError) -> [SegmentFile] {
      try inner.segments().map {
        SegmentFile(id: $0.id, size: ($0.size / UInt64(Self.step) + 1) * UInt64(Self.step))
      }
    }

    func read(
      _ segment: SegmentID, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int {
      unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
      var place = 0
      while place < buffer.count {
        let end = min(buffer.count, place + Self.page - Int(offset + UInt64(place)) % Self.page)
        _ = try unsafe inner.read(segment, at: offset + UInt64(place), into: .init(rebasing: buffer[place..<end]))
        betweenPages()
        place = end
      }
      return buffer.count
    }

    func readFile(_ name: String, limit: Int) throws(StorageError) -> [UInt8]? {
      try inner.readFile(name, limit: limit)
    }

    func create(_ segment: SegmentID, preallocating size: UInt64) throws(StorageError) { throw Self.readOnly }
    func write(_ bytes: [UInt8], to segment: SegmentID, at offset: UInt64) throws(StorageError) { throw Self.readOnly }
    func sync(_ segment: SegmentID) throws(StorageError) { throw Self.readOnly }
    func settle(_ segment: SegmentID, from offset: UInt64) throws(StorageError) { throw Self.readOnly }
    func syncDirectory() throws(StorageError) { throw Self.readOnly }
    func truncate(_ segment: SegmentID, to size: UInt64) throws(StorageError) { throw Self.readOnly }
    func remove(_ segment: SegmentID) throws(StorageError) { throw Self.readOnly }
    func replaceFile(_ name: String, with pieces: [[UInt8]]) throws(StorageError) { throw Self.readOnly }
    func size(ofPages name: String) throws(StorageError) -> UInt64? { nil }
    func readPages(
      _ name: String, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int { 0 }
    func writePages(_ name: String, _ bytes: [UInt8], at offset: UInt64) throws(StorageError) { throw Self.readOnly }
    func syncPages(_ name: String) throws(StorageError) { throw Self.readOnly }

    private static var readOnly: StorageError { StorageError(.readOnly, "for reading alone") }
  }

  /// A log that grows at random, up to a number of batches.
  private struct Writer {
    var log: TestLog
    var random: SeededGenerator
    var batches: Int

    mutating func mayWrite() throws {
      guard batches > 0, Int.random(in: 0..<4, using: &random) == 0 else { return }
      batches -= 1
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        log.append([String(repeating: "x", count: Int.random(in: 1...6000, using: &random))])
      }
      try log.flush()
    }
  }

  private func writer(seed: UInt64, over storage: MemoryStorage) throws -> Mutex<Writer> {
    var log = try TestLog(storage, segmentSize: 96 << 10)
    for number in 0..<4 { _ = try log.write(["before \(number)"]) }
    return Mutex(Writer(log: log, random: SeededGenerator(seed: seed), batches: 60))
  }

  @Test("a reader beside a busy writer finds no damage, no torn tail, and no missing record", arguments: 0..<10)
  func sound(hundreds: UInt64) throws {
    for seed in hundreds * 200..<(hundreds + 1) * 200 {
      let memory = MemoryStorage()
      let writer = try writer(seed: seed, over: memory)
      let busy = BusyStorage(memory) { writer.withLock { try? $0.mayWrite() } }
      var recovery = try Recovery(of: busy, log: TestLog.uuid, mode: .readOnly)
      var expected: UInt64 = 1
      let log = try recovery.run { frame in
        #expect(frame.sequence == expected, "seed \(seed)")
        expected += 1
      }
      #expect(log.report.damage == [] && log.report.torn == nil && expected > 4, "seed \(seed)")
    }
  }

  @Test("records are found by number beside a busy writer", arguments: 0..<10)
  func ranges(hundreds: UInt64) throws {
    for seed in hundreds * 100..<(hundreds + 1) * 100 {
      let memory = MemoryStorage()
      let writer = try writer(seed: seed, over: memory)
      let busy = BusyStorage(memory) { writer.withLock { try? $0.mayWrite() } }
      let index = try Recovery(of: busy, log: nil, mode: .readOnly).outline
      var expected: UInt64 = 2
      var cursor = try LogReader(storage: busy).locate(2, in: index)
      try LogReader(storage: busy).read(&cursor, in: index) { frame in
        #expect(frame.sequence == expected, "seed \(seed)")
        expected += 1
        return true
      }
      #expect(expected > 4, "seed \(seed)")
    }
  }
}
