import Bytes
import Clocks
import ConfabAccounts
import ConfabEngine
import State
import MessageLog
import Records
import Search
import TestSupport
import ConfabConfiguration
/// The log's disk, and what is known to be on it.
final class Disk {
  /// It syncs what it is given by itself.
  var isQuick = true
  /// The newest record that a sync covers.
  private(set) var durable: UInt64 = 0
  /// The stanza ids of the durable messages, mine and others'.
  private(set) var stanzaIDs: Set<String> = []
  private let storage: MemoryStorage
  private var batch: LogBatch?
  private var starts: UInt64 = 0
  private var hasFailed = false
  /// Of checkpoints and changes of the keys, not told yet.
  private var answers: [Event] = []

  /// Searches that are under way.
  private var searches: SearchQueue

  init(_ storage: MemoryStorage) {
    self.storage = storage
    searches = SearchQueue(storage: storage)
  }

  private static let uuid = LogUUID(random: [UInt8](repeating: 7, count: 16))

  /// The engine over what is stored. State by a checkpoint are those of the whole log.
  func start(_ configuration: Configuration, _ state: State?, _ now: Moment) -> Engine {
    let gap = configuration.daemon.snapInterval
    guard let uuid = Self.uuid, var recovery = try? Recovery(of: storage, log: uuid, mode: .readWrite) else {
      preconditionFailure("what was written can be opened")
    }
    var known = State(gap: gap)
    if let checkpoint = recovery.checkpoint {
      let restored = try? State.restored(from: checkpoint.body, sequence: checkpoint.sequence, gap: gap)
      hold(restored != nil, "a checkpoint of its own is read")
      known = restored ?? known
    }
    let log = try? recovery.run { frame in
      known.apply(frame)
      note(frame)
    }
    guard let log else { preconditionFailure("memory does not fail") }
    hold(log.report.damageCount == 0, "what was written is sound: \(log.report)")
    // What a failed write left on the disk is found again.
    hold(
      log.nextSequence == durable + 1 || hasFailed && log.nextSequence > durable,
      "the log ends where it was synced last: \(log.nextSequence), \(durable)")
    durable = log.nextSequence - 1
    hasFailed = false
    starts += 1
    let keys = try? EpochKeyFile(in: storage, random: [UInt8](repeating: 5, count: EpochKey.size)).keys
    guard let keys else { preconditionFailure("memory does not fail") }
    return Engine(
      configuration: configuration, state: state ?? known, log: uuid,
      writer: log.makeWriter(uuid: uuid, segmentSize: 2_000), reader: LogReader(storage: storage, chunk: 512),
      keys: keys.compactMap(\.self), random: SeededRandom(starts), now: now, host: Host(user: 1000),
      utcOffset: { _ in 3_600 })
  }

  func take(_ batch: LogBatch) {
    hold(self.batch == nil, "one batch is under way at a time")
    self.batch = batch
  }

  func take(_ snapshot: Snapshot) {
    hold(snapshot.checkpoint.sequence == durable, "a checkpoint covers what is durable")
    answers.append(.checkpointStored(snapshot.perform(on: storage)))
    checkSame(snapshot.checkpoint)
  }

  func take(_ order: EpochKeyOrder) {
    var failure: StorageError?
    do throws(StorageError) { try order.perform(on: storage) } catch { failure = error }
    answers.append(.keysChanged(failure))
  }

  /// What was not synced is gone.
  func crash() {
    batch = nil
    answers = []
    searches = SearchQueue(storage: storage)
    storage.change { $0.failure = nil }
  }

  func nextEvent() -> Event? {
    if !answers.isEmpty { return answers.removeFirst() }
    while !searches.isEmpty { if let found = searches.step() { return .found(found.id, found.outcome) } }
    return isQuick ? sync() : nil
  }

  func take(_ id: SearchID, _ query: SearchQuery, _ scope: SearchScope) { searches.add(id, query, in: scope, for: 0) }

  func cancel(_ id: SearchID) { searches.cancel(id) }

  /// Does what it was given; with a cause it fails.
  func sync(failing cause: StorageError.Cause? = nil) -> Event? {
    guard let batch else { return nil }
    self.batch = nil
    if let cause {
      hasFailed = hasFailed || batch.isBehindDoubt
      return .committed(.failed(StorageError(cause, "made to fail"), isWithdrawn: !batch.isBehindDoubt))
    }
    let outcome = batch.store(on: storage)
    switch outcome {
    case .failed(_, let isWithdrawn): hasFailed = !isWithdrawn
    case .stored, .storedInDiskReserve:
      hasFailed = false
      durable = batch.sequences.upperBound - 1
      batch.forEachRecord { note($0) }
    }
    return .committed(outcome)
  }

  private func note(_ frame: borrowing LogFrame) {
    let kind = frame.kind
    let record = try? frame.withPayload { payload throws(FieldError) in try Record(kind: kind, payload: payload) }
    if case .message(let message)? = record, let id = message.stanzaID { stanzaIDs.insert(id) }
  }

  /// The checkpoint's state are those that the log alone gives.
  private func checkSame(_ checkpoint: Checkpoint) {
    let state = State(gap: .hours(24))
    guard var recovery = try? Recovery(of: MemoryStorage(storage.snapshot), log: nil, mode: .readWrite) else { return }
    _ = try? recovery.run { frame in
      // What a failed write left behind is not known to be there.
      if frame.sequence <= checkpoint.sequence { state.apply(frame) }
    }
    hold(
      topFields(of: state.checkpointBody) == topFields(of: checkpoint.body), "a checkpoint makes no difference")
  }
}

/// Randomness by a seed.
final class SeededRandom: RandomSource {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }
}
