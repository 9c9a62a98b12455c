package import Clocks
package import MessageLog

/// The state of a log, as a start finds them: from the checkpoint and the records behind it, or from all records.
package struct OpenState {
  package private(set) var state: State
  package private(set) var log: RecoveredLog
  /// What opening the log found, in all attempts.
  package private(set) var report: RecoveryReport
  /// From here on records are not applied yet; nil: all are.
  package private(set) var rest: LogCursor?
  /// The last record of the checkpoint that was used.
  package private(set) var checkpoint: UInt64?

  /// How much of what can be rebuilt is believed; less with each attempt.
  private enum Trust: CaseIterable { case all, pagesOnly, logOnly }

  /// Recovers.
  ///
  /// - Parameters:
  ///   - gap: cuts the sections.
  ///   - limits: of what is in memory.
  ///   - applyLimit: so many records are applied at once, and others are left to the caller.
  package init(
    _ storage: any LogStorage, of log: LogUUID, gap: Interval, limits: MemoryLimits = .usual, applyLimit: Int = .max
  ) throws(RecoveryError) {
    self = try Self(storage, log, gap, limits, applyLimit, .all)
    for trust in Trust.allCases.dropFirst() where state.pages?.isBroken == true {
      var again = try Self(storage, log, gap, limits, applyLimit, trust)
      again.report.torn = report.torn ?? again.report.torn
      self = again
    }
  }

  private init(
    _ storage: any LogStorage, _ uuid: LogUUID, _ gap: Interval, _ limits: MemoryLimits, _ applyLimit: Int,
    _ trust: Trust
  ) throws(RecoveryError) {
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    let pages = IndexPages(of: uuid, in: storage, limits: limits)
    var restored: State?
    if trust != .all {
      recovery.ignoreCheckpoint("its pages are damaged")
    } else if let checkpoint = recovery.checkpoint {
      let file = try? storage.version(ofFile: Checkpoint.fileName)
      restored = State.restored(
        from: checkpoint.body, sequence: checkpoint.sequence, gap: gap, pages: pages, in: file)
      if restored == nil { recovery.ignoreCheckpoint("it is of another version, not whole, or without its pages") }
    }
    let state = restored ?? State(gap: gap, pages: trust == .logOnly ? nil : IndexPages(like: pages))
    var rest: LogCursor?
    log = try recovery.run { frame in
      guard state.sinceSnapshot < applyLimit else {
        rest = rest ?? LogCursor(sequence: frame.sequence, location: frame.location)
        return
      }
      state.apply(frame)
      state.makeRoom()
    }
    state.damage.note(log.report)
    self.rest = rest
    (self.state, report, checkpoint) = (state, log.report, recovery.checkpoint?.sequence)
  }
}
