import Bytes
import MessageLog
import TestSupport
import Testing

@Suite("a batch that failed, and is taken back")
struct WithdrawalTests {
  private static let kept = "kept " + String(repeating: "k", count: 100)
  private static let lost = "lost " + String(repeating: "l", count: 1500)

  /// A log with one record, and a second one under way: into the same segment, or into a new one.
  private func begin(newSegment: Bool) throws -> (CrashingStorage, TestLog) {
    let storage = CrashingStorage()
    var log = try TestLog(storage, segmentSize: newSegment ? 600 : 1 << 20)
    _ = try log.write([Self.kept])
    log.append([Self.lost])
    return (storage, log)
  }

  /// In how many of the images that a kill or a power cut may leave the record is there again.
  private func comebacks(_ storage: CrashingStorage, _ comment: Comment) throws -> Int {
    var images = [storage.killImage]
    for fate in CrashingStorage.Fate.allCases {
      for seed in 1...6 as ClosedRange<UInt64> { images.append(storage.crashImage(seed: seed, fate: fate)) }
    }
    return try images.count { image in
      let log = try TestLog(CrashingStorage(image))
      #expect(log.read[1] == Self.kept && log.report.damage == [], comment)
      return log.read.values.contains(Self.lost)
    }
  }

  @Test("comes back after no crash, whichever call failed", arguments: [false, true])
  func everyCall(newSegment: Bool) throws {
    var (withdrawn, returned) = (0, 0)
    for call in 1...4 {
      for forEver in [false, true] {
        let (storage, log) = try begin(newSegment: newSegment)
        var writer = log.writer
        let taken = writer.takeBatch()
        storage.fail(at: storage.calls.count + call, forEver: forEver)
        guard let batch = taken, case .failed(_, let isWithdrawn) = batch.store(on: storage) else { continue }
        storage.fail(at: nil)
        let count = try comebacks(storage, "call \(call)")
        if isWithdrawn { #expect(count == 0, "call \(call), for ever: \(forEver)") }
        withdrawn += isWithdrawn ? 1 : 0
        returned += isWithdrawn ? 0 : count
      }
    }
    // A write or sync that failed is withdrawn where the disk goes on, and what failed before that is nowhere.
    #expect(withdrawn == (newSegment ? 6 : 2))
    #expect(returned > 0, "what is not withdrawn may come back, or the test shows nothing")
  }

  @Test("of which the disk kept something is taken back with the next one, or void by it", arguments: [false, true])
  func later(succeeds: Bool) throws {
    let (storage, log) = try begin(newSegment: false)
    var writer = log.writer
    for isLast in [false, true] {
      let taken = writer.takeBatch()
      let batch = try #require(taken)
      // The first time the sync and all behind it; then the sync of the new segment, or nothing.
      if !(isLast && succeeds) { storage.fail(at: storage.calls.count + (isLast ? 4 : 2), forEver: !isLast) }
      let outcome = batch.store(on: storage)
      storage.fail(at: nil)
      if case .failed(let error, let isWithdrawn) = outcome {
        #expect(isWithdrawn == isLast)
        writer.failed(batch, error, isWithdrawn: isWithdrawn)
        writer.discardPending()
        writer.append(kind: TestLog.kind) { $0.string(1, "another") }
      } else {
        #expect(isLast && succeeds)
      }
    }
    #expect(try comebacks(storage, "after the second") == 0)
  }

  @Test("a segment that nothing failed in is left as it is")
  func untouched() throws {
    let (storage, log) = try begin(newSegment: true)
    var writer = log.writer
    storage.fail(at: storage.calls.count + 4, forEver: false)
    let outcome = writer.takeBatch()?.store(on: storage)
    #expect(outcome == .failed(StorageError(.failed, storage.calls[storage.calls.count - 3]), isWithdrawn: true))
    #expect(!storage.calls.contains { $0.hasPrefix("truncate") })
  }
}
