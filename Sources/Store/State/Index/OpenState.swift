package import Clocks
package import MessageLog

/// The state of a log, as a start finds them: from the checkpoint and the records behind it, or from all records.
package struct OpenState {
  package private(set) var state: State
  package private(set) var log: RecoveredLog
  /// The findings of opening the log, over all attempts.
  package private(set) var report: RecoveryReport
  /// From here on records are not applied yet; nil: all are.
  package private(set) var rest: LogCursor?
  /// The last record of the checkpoint that was used.
  package private(set) var checkpoint: UInt64?

  /// Recovers.
  ///
  /// - Parameters:
  ///   - gap: cuts the sections.
  ///   - limits: of what is in memory.
  ///   - applyLimit: so many records are applied at once, and others are left to the caller.
  package init(
    _ storage: any LogStorage, of log: LogUUID, gap: Interval, limits: MemoryLimits = .usual, applyLimit: Int = .max
  ) throws(RecoveryError) {
    self = try Self(storage, log, gap, applyLimit, IndexPages(of: log, in: storage, limits: limits), ignored: nil)
    // Once more with pages that are written anew, and then with none.
    for withPages in [true, false] {
      guard let damage = state.indexDamage else { return }
      let pages = withPages ? IndexPages(of: log, in: storage, limits: limits) : nil
      var again = try Self(storage, log, gap, applyLimit, pages, ignored: "the index is damaged: \(damage)")
      again.report.torn = report.torn ?? again.report.torn
      self = again
    }
  }

  /// - Parameter ignored: why the checkpoint is not used; nil: it is, if there is one.
  private init(
    _ storage: any LogStorage, _ uuid: LogUUID, _ gap: Interval, _ applyLimit: Int, _ pages: IndexPages?,
    ignored: String?
  ) throws(RecoveryError) {
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    var restored: State?
    if let ignored {
      recovery.ignoreCheckpoint(ignored)
    } else if let checkpoint = recovery.checkpoint {
      do throws(IndexDamage) {
        restored = try Self.restored(from: checkpoint, gap: gap, pages: pages, of: storage)
      } catch {
        recovery.ignoreCheckpoint("\(error)")
      }
    }
    let state = restored ?? State(gap: gap, pages: pages.map { IndexPages(like: $0) }, of: uuid)
    var rest: LogCursor?
    log = try recovery.run { frame in
      guard state.sinceSnapshot < applyLimit else {
        rest = rest ?? LogCursor(sequence: frame.sequence, location: frame.location)
        return
      }
      state.apply(frame)
      state.eviction?.evictExcess()
    }
    state.damage.note(log.report)
    self.rest = rest
    (self.state, report, checkpoint) = (state, log.report, recovery.checkpoint?.sequence)
  }

  /// The state in a checkpoint; long conversations stay in the file.
  private static func restored(
    from checkpoint: Checkpoint, gap: Interval, pages: IndexPages?, of storage: any LogStorage
  ) throws(IndexDamage) -> State {
    let file: (any FileVersion)?
    do throws(StorageError) {
      file = try storage.version(ofFile: Checkpoint.fileName)
    } catch {
      throw IndexDamage(description: "it cannot be read again: \(error)")
    }
    return try State.restored(from: checkpoint.body, sequence: checkpoint.sequence, gap: gap, pages: pages, in: file)
  }
}
