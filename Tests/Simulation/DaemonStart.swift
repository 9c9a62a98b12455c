import Clocks
import ConfabAccounts
import ConfabEngine
import Records
import State
import MessageLog
import TestSupport

/// One start of the daemon: recovery, the result of applying the log, the engine. What is found must be what the disk had said is
/// durable.
struct DaemonStart {
  private let world: World
  private let disk: SimulatedDisk
  private let log: LogUUID

  init(_ world: World, _ disk: SimulatedDisk, _ log: LogUUID) {
    (self.world, self.disk, self.log) = (world, disk, log)
  }

  func engine() throws(RecoveryError) -> Engine {
    let storage = BuggedStorage.opening(disk.storage, world.bug)
    let (state, recovered, rest) = try open(storage)
    disk.endFailures()
    disk.endReadFailures()
    try audit(recovered)
    let keys = (try? EpochKeyFile(in: disk.storage, random: SeededRandom(1).bytes(EpochKey.size)))?.keys ?? []
    return Engine(
      configuration: world.configuration, state: state, log: log,
      writer: recovered.makeWriter(uuid: log, segmentSize: world.climate.segmentSize),
      reader: LogReader(storage: disk.storage, chunk: 512), keys: keys.compactMap { $0 },
      random: random, now: world.now,
      host: Host(user: 1000), utcOffset: { _ in 3_600 }, rest: rest)
  }

  private var random: any RandomSource {
    let random = SeededRandom(world.dice.next())
    return world.bug == .countedNonce ? CountedNonces(random, from: disk.witness.durable) : random
  }

  /// As the daemon does it; where applying is to be wrong, without what it has made of earlier ones.
  private func open(_ storage: any LogStorage) throws(RecoveryError) -> (State, RecoveredLog, rest: LogCursor?) {
    let gap = world.climate.gap
    guard let bug = world.bug, Mistake.ofTheFold.contains(bug) else {
      let opened = try OpenState(
        storage, of: log, gap: gap, limits: world.dice.percent(50) ? MemoryLimits(entries: 200) : .usual,
        applyLimit: disk.applyLimit)
      let checkpoint = opened.checkpoint.map { "from the checkpoint of \($0)" } ?? "from all records"
      world.trace.line(world.now, "recovered \(checkpoint) \(opened.report.checkpointIgnored ?? "")")
      return (opened.state, opened.log, opened.rest)
    }
    var recovery = try Recovery(of: storage, log: log, mode: .readWrite)
    recovery.ignoreCheckpoint("records are applied wrongly")
    let state = State(gap: gap)
    if bug == .keptReading { try applyBeginning(of: storage, into: state) }
    let recovered = try recovery.run {
      applyEarlySteps(before: $0.sequence, into: state)
      bug.apply($0, into: state)
    }
    for index in disk.earlySteps.indices where disk.earlySteps[index].after == nil {
      disk.earlySteps[index].after = recovered.nextSequence - 1
    }
    applyEarlySteps(before: recovered.nextSequence, into: state)
    return (state, recovered, nil)
  }

  /// A mistake: applies what was stored of ratchets before the messages of their steps.
  private func applyEarlySteps(before sequence: UInt64, into state: State) {
    for (record, after) in disk.earlySteps where after == sequence - 1 {
      state.apply(.step(record), sequence: sequence - 1, location: 0)
    }
  }

  /// What a reading has applied when an error interrupts it.
  private func applyBeginning(of storage: any LogStorage, into state: State) throws(RecoveryError) {
    var recovery = try Recovery(of: storage, log: nil, mode: .readOnly)
    let last = disk.witness.durable / 2
    _ = try recovery.run { if $0.sequence <= last { state.apply($0) } }
  }

  /// Reads the whole log once more, from its beginning, and compares.
  private func audit(_ recovered: RecoveredLog) throws(RecoveryError) {
    world.hold(recovered.report.damageCount == 0, "there is no damage: \(recovered.report.damage)")
    let before = disk.witness.durable
    var all = try Recovery(of: disk.storage, log: nil, mode: .readOnly)
    var count: UInt64 = 0
    let read = try all.run { frame in
      count += 1
      disk.witness.note(frame)
    }
    world.hold(read.report.damageCount == 0, "there is no damage: \(read.report.damage)")
    world.hold(count >= before, "the log has \(count) records, and \(before) were durable")
    world.hold(
      recovered.nextSequence == count + 1, "the log goes on with \(recovered.nextSequence) behind \(count) records")
  }
}
