import Clocks
import ConfabAccounts
import Crypto
import State
import LogFiles
import MessageLog
import Records
import ConfabConfiguration
/// The log as a start finds it: who it is, what its records say, and what was wrong with it.
struct OpenLog {
  let uuid: LogUUID
  let state: State
  let writer: LogWriter
  /// From here on the records are applied while the daemon serves.
  let rest: LogCursor?
  /// The keys of the secrets in it.
  let keys: [EpochKey]
  /// Segments with unreadable parts that were reported.
  let unreadable: Set<SegmentID>
  /// More records than this, some tenths of a second, nobody waits for: a checkpoint is taken more often.
  private static let applyLimit = 400_000

  /// Recovers; tells the journal what an administrator should know. Damage is no reason not to start.
  init(_ directory: borrowing DataDirectory, _ storage: FileStorage, gap: Interval, _ journal: Journal) throws {
    try Recovery.checkFormat(of: storage)
    var identity = try directory.identity(in: storage, random: try SystemRandom.bytes(16))
    var opened = try OpenState(storage, of: identity.uuid, gap: gap, applyLimit: Self.applyLimit)
    if let other = try directory.identity(
      ofLogUpTo: opened.log.lastFound, in: storage, random: try SystemRandom.bytes(16))
    {
      identity = other
      opened = try OpenState(storage, of: other.uuid, gap: gap, applyLimit: Self.applyLimit)
    }
    if let reason = identity.moved { journal.write(.notice, "\(reason): it is \(identity.uuid) from now on") }
    uuid = identity.uuid
    keys = try EpochKeyFile(in: storage, random: try SystemRandom.bytes(EpochKey.size)).keys.compactMap { $0 }
    (state, rest, unreadable) = (opened.state, opened.rest, opened.report.unreadable)
    writer = opened.log.makeWriter(uuid: uuid)
    Self.report(opened.report, checkpoint: opened.checkpoint, to: journal)
  }

  private static func report(_ report: RecoveryReport, checkpoint: UInt64?, to journal: Journal) {
    if let checkpoint {
      journal.write(
        .info, "loaded the checkpoint of record \(checkpoint), and \(report.records) later records")
    }
    if let reason = report.checkpointIgnored { journal.write(.notice, "ignored the checkpoint: \(reason)") }
    if let torn = report.torn {
      journal.write(
        .notice,
        "removed a torn tail of \(torn.bytes) bytes from \(torn.segment); it was never synced and holds nothing answered"
      )
    }
    for damage in report.damage { journal.write(.error, "the log is damaged: \(damage)") }
    if report.damageCount > report.damage.count {
      journal.write(.error, "the log is damaged in \(report.damageCount - report.damage.count) more places")
    }
    if report.damageCount > 0 {
      journal.write(
        .error, "the damaged parts stay as they are and all else is served: see REPAIR, \"A damaged log\"")
    }
  }
}

/// The system's generator.
final class SystemRandomSource: RandomSource {
  func bytes(_ count: Int) -> [UInt8] {
    do {
      return try SystemRandom.bytes(count)
    } catch {
      // Without randomness there is no login and no id; going on would be a danger.
      preconditionFailure("the system gives no randomness: \(error)")
    }
  }
}
