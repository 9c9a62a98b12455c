import Clocks
import Records
import State
import MessageLog
import TestSupport

/// The disk under the log, and the thread that writes it: what was not synced is gone, torn or mixed up after a crash,
/// and any call may fail.
final class SimulatedDisk {
  let world: World
  let witness: LogWitness
  private(set) var storage = CrashingStorage()
  private var batches: [LogBatch] = []
  /// Counts processes: what an earlier one began is not ended for a later one.
  private var life = 0
  private var fullUntil = Instant(milliseconds: 0)
  private var slowUntil = Instant(milliseconds: 0)
  /// Room is kept for one more segment; so many bytes are left of it since it was taken.
  private var hasReserve = false
  private var reserveLeft: Int?

  /// Thrown apart: worlds without read errors stay what they were.
  private var readDice: Dice

  init(_ world: World, _ witness: LogWitness, readSeed: UInt64) {
    (self.world, self.witness, readDice) = (world, witness, Dice(seed: readSeed))
  }

  /// Writes and syncs a batch in its time, then says how that went.
  func commit(_ batch: LogBatch, _ done: @escaping (LogBatch.Outcome) -> Void) {
    let isEarly = world.bug == .earlyCompletion
    world.hold(batches.isEmpty || isEarly, "one batch is under way at a time")
    batches.append(batch)
    witness.ciphers.note(batch)
    failReadsSometimes()
    let life = life
    if isEarly { done(.stored) }
    let isSlow = slowUntil > world.now.instant
    let time = isSlow ? world.dice.interval(500...20_000) : world.dice.pause(world.climate.syncTime)
    world.after(isEarly ? world.climate.syncTime : time) { [self] in
      guard self.life == life, !batches.isEmpty else { return }
      let outcome = perform(batches.removeFirst())
      if !isEarly { done(world.bug == .ignoredFailure ? .stored : outcome) }
    }
  }

  private func perform(_ batch: LogBatch) -> LogBatch.Outcome {
    failSometimes(batch)
    defer { storage.fail(at: nil) }
    let outcome = batch.store(on: bugged)
    switch outcome {
    case .stored, .storedInDiskReserve:
      batch.forEachRecord { witness.note($0) }
      if reserveLeft != nil { return .storedInDiskReserve }
    case .failed(let error, let isWithdrawn):
      world.trace.line(world.now, "the disk: \(error); withdrawn: \(isWithdrawn)")
    }
    return outcome
  }

  /// One of the calls of a batch fails.
  private func failSometimes(_ batch: LogBatch) {
    let calls = batch.createsSegment ? 4 : 2
    if fullUntil > world.now.instant, !takesReserve(batch) {
      storage.fail(at: storage.calls.count + max(1, calls - 1), forEver: false, cause: .noSpace)
    } else if world.happens(world.climate.diskErrors) {
      let isSync = world.dice.percent(50)
      world.note(isSync ? .syncError : .writeError)
      let call = isSync ? calls : world.dice.within(1...calls - 1)
      // Sometimes nothing works any more, taking back what was begun neither.
      storage.fail(
        at: storage.calls.count + call, forEver: world.dice.percent(30),
        cause: world.dice.pick([.failed, .failed, .readOnly]))
    }
  }

  /// The disk is full: whether the batch has its place in the room that was kept.
  private func takesReserve(_ batch: LogBatch) -> Bool {
    if batch.createsSegment {
      guard hasReserve else { return false }
      (hasReserve, reserveLeft) = (false, world.dice.within(500...5_000))
    }
    guard let left = reserveLeft, left >= batch.byteCount else { return false }
    reserveLeft = left - batch.byteCount
    return true
  }

  /// Keeps room for one more segment, where there is any.
  func keepDiskReserve() -> StorageError? {
    guard !hasReserve else { return nil }
    guard fullUntil <= world.now.instant else { return StorageError(.noSpace, "the disk is full") }
    (hasReserve, reserveLeft) = (true, nil)
    return nil
  }

  private var bugged: any LogStorage { world.bug.map { BuggedStorage(storage, $0) } ?? storage }

  /// Changes the file of keys.
  func change(_ order: EpochKeyOrder) -> StorageError? {
    do throws(StorageError) {
      if world.bug == .keptEpoch, case .destroy = order {} else { try order.perform(on: storage) }
      let files = storage.killImage
      witness.ciphers.note(order, in: Array(files.files.values) + Array(files.segments.values))
      return nil
    } catch { return error }
  }

  /// Stores a checkpoint and what it relies on.
  func store(_ snapshot: Snapshot) -> Snapshot.Outcome {
    if world.happens(100) { storage.fail(at: storage.calls.count + world.dice.within(1...3), forEver: false) }
    defer { storage.fail(at: nil) }
    return snapshot.perform(on: storage)
  }

  /// Writes pages of the index.
  func store(_ pages: PageBatch) -> StorageError? {
    if world.happens(50) { storage.fail(at: storage.calls.count + 1, forEver: false) }
    defer { storage.fail(at: nil) }
    do throws(StorageError) { try pages.perform(on: storage) } catch { return error }
    return nil
  }

  // MARK: - What goes wrong

  /// A mistake: the steps of ratchets in batches that were being written when a process was killed; behind which record
  /// each was stored, once that is known.
  var earlySteps: [(record: StepRecord, after: UInt64?)] = []

  /// The process is killed, perhaps in the middle of a batch.
  func kill() {
    life += 1
    reserveLeft = nil
    defer { batches = [] }
    guard let batch = batches.first else { return }
    if world.bug == .ratchetFirst { earlySteps += Self.steps(of: batch).map { ($0, nil) } }
    let calls = world.dice.below(batch.createsSegment ? 5 : 3)
    storage.fail(at: storage.calls.count + calls + 1)
    try? batch.perform(on: storage)
    storage.fail(at: nil)
  }

  private static func steps(of batch: LogBatch) -> [StepRecord] {
    var steps: [StepRecord] = []
    batch.forEachRecord { frame in
      guard case .message(let message) = Record(reading: frame), let step = message.step else { return }
      steps.append(StepRecord(account: message.account, step))
    }
    return steps
  }

  /// The machine stops: of what was not synced, anything may be there.
  func losePower() {
    kill()
    let fate = world.dice.percent(70) ? .mixed : world.dice.pick(CrashingStorage.Fate.allCases)
    storage = CrashingStorage(storage.crashImage(seed: world.dice.next(), fate: fate))
  }

  /// The disk as the next recovery finds it, which may die at one of its calls.
  func failDuringStart() { storage.fail(at: storage.calls.count + world.dice.within(1...3)) }

  func endFailures() { storage.fail(at: nil) }

  func fill(_ interval: Interval) {
    fullUntil = world.now.instant.advanced(by: interval)
    world.troubledUntil = max(world.troubledUntil, fullUntil)
  }

  func slowDown(_ interval: Interval) {
    slowUntil = world.now.instant.advanced(by: interval)
    world.troubledUntil = max(world.troubledUntil, slowUntil)
  }

  // MARK: - Reads

  /// One read fails, which is over when it is repeated, or several of the index, so that the state is made anew from the
  /// log. While that is read, any number may fail.
  private func failReadsSometimes() {
    guard happens() else { return }
    if readDice.percent(50) {
      world.note(.readError)
      storage.failReads(of: .segments, skipping: readDice.below(8), count: readDice.pick([1, 1, 2, 6]))
    } else {
      let count = readDice.pick([1, 2, 2, 6])
      world.note(count == 1 ? .readError : .failedIndex)
      storage.failReads(of: .pages, skipping: readDice.below(3), count: count)
    }
  }

  private func happens() -> Bool { !world.isCalm && readDice.permille(world.climate.readErrors) }

  /// The next recovery meets errors that it can go on after.
  func failReadsOfStart() {
    storage.failReads(of: .segments, count: 0)
    guard happens() else { return }
    world.note(.readError)
    let target = readDice.pick(CrashingStorage.ReadTarget.allCases)
    storage.failReads(of: target, skipping: readDice.below(6), count: readDice.within(1...3))
  }

  var hasReadFailures: Bool { CrashingStorage.ReadTarget.allCases.contains { storage.failingReads(of: $0) > 0 } }

  /// No reads fail while the test itself reads.
  func endReadFailures() {
    for target in CrashingStorage.ReadTarget.allCases { storage.failReads(of: target, count: 0) }
  }

  /// The log is read from its beginning while the daemon serves.
  func failReadsOfRebuild() {
    guard happens() || readDice.percent(world.climate.readErrors > 0 && !world.isCalm ? 50 : 0) else { return }
    world.note(.failedRebuild)
    storage.failReads(of: .segments, skipping: readDice.below(40), count: readDice.pick([2, 3, 4, 6, 10]))
  }

  /// The rebuild is over: what of its errors did not come does not come.
  func rebuilt() { storage.failReads(of: .segments, count: 0) }

  /// How many records a start reads at once.
  var applyLimit: Int { world.climate.readErrors > 0 ? readDice.pick([0, 20, .max]) : .max }

  /// The checkpoint is a derived file: anybody may delete it.
  func loseCheckpoint() { try? storage.replaceFile("checkpoint", with: []) }

  func calm() {
    endReadFailures()
    fullUntil = world.now.instant
    slowUntil = world.now.instant
  }
}
