package import Clocks
package import State
package import MessageLog
import Records
package import ConfabConfiguration
/// Fills a state from the log, a range at a time: at a start without usable derived data, and when the index proves to
/// be damaged. Clients are served meanwhile: requests that need no state are answered at once, `status` says how far it
/// is, and all others wait, so that every answer is whole. No account is connected before its state is whole.
///
/// A reading that the disk interrupts begins anew, with an empty state: nothing that a failed one applied is used
/// (docs/decisions/0116-a-failed-reading-begins-anew.md).
package final class LogReplay {
  /// Bytes read at a time: some ten milliseconds.
  static let range = 512 << 10
  private static let pause = Interval.milliseconds(1)

  /// The state that is being filled.
  package private(set) var state: State
  private let storage: Storage
  private let records: RecordReader
  private let derived: DerivedData
  private let effects: Effects
  private var cursor: LogCursor
  /// When the next range is read; nil: once something has been written.
  package private(set) var due: Instant?
  /// Nothing is read before, because the disk failed.
  private var resumesAt: Instant?
  private var pause = RetryPause()

  package init(
    of state: State, from cursor: LogCursor?, _ storage: Storage, _ records: RecordReader, _ derived: DerivedData,
    _ effects: Effects
  ) {
    self.cursor = cursor ?? Self.start
    (self.state, self.storage, self.records) = (state, storage, records)
    (self.derived, self.effects) = (derived, effects)
  }

  private static let start = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))

  /// - Parameter reason: why the log has to be read.
  package func begin(_ level: LogLevel, _ reason: String) {
    storage.replayed = 0
    effects.journal(level, reason)
    due = effects.now.instant
  }

  /// Something has been written, or could not be: what waited for that goes on.
  package func written() {
    let next = effects.now.instant.advanced(by: Self.pause)
    due = max(next, resumesAt ?? next)
  }

  /// Reads the next range, if it is time. True once state is whole.
  package func tick() -> Bool {
    guard let due, due <= effects.now.instant else { return false }
    self.due = nil
    guard derived.replaceState(with: state) else { return false }
    guard readRange() else { return false }
    if let damage = state.indexDamage { pagesDamaged(damage) }
    derived.storePages()
    storage.replayed = Int(state.sequence * 100 / max(1, storage.queue.durable))
    guard cursor.sequence > storage.queue.durable else {
      // Pages are not to be made faster than they are written.
      if state.eviction?.isOverfull != true || state.eviction?.isStoring != true {
        self.due = effects.now.instant.advanced(by: Self.pause)
      }
      return false
    }
    guard storage.queue.isClean else { return false }
    storage.replayed = nil
    effects.journal(.notice, "the log has been read")
    return true
  }

  /// Pages that were written just now are damaged: the state stays in memory until the next start.
  private func pagesDamaged(_ damage: IndexDamage) {
    effects.journal(.error, "the index is damaged again: \(damage); all stays in memory until the next start")
    startAgain(withPages: false)
  }

  /// The disk failed in the middle of a range, of which some records have been applied.
  private func readingFailed(_ error: StorageError) {
    let wait = pause.next(at: effects.now.instant)
    effects.journal(
      .error, "reading the log failed: \(error); it is read again from its beginning in \(wait)",
      about: JournalFields(errno: error.errno))
    startAgain(withPages: true)
    resumesAt = effects.now.instant.advanced(by: wait)
    due = resumesAt
  }

  private func startAgain(withPages: Bool) {
    (state, cursor) = (state.replacement(withPages: withPages), Self.start)
    storage.replayed = 0
  }

  /// False if the disk fails.
  private func readRange() -> Bool {
    do throws(StorageError) {
      try records.reader.read(&cursor, in: storage.queue.index, limit: Self.range) { frame in
        state.apply(frame)
        return true
      }
      return true
    } catch {
      readingFailed(error)
      return false
    }
  }
}
