import Clocks
import State
import MessageLog
import Records
import Settings

/// Fills a state from the log, a range at a time: at a start without usable derived data, and when the index proves to be
/// damaged. Clients are served meanwhile: requests that need no state are answered at once, `status` says how far it is,
/// and all others wait, so that every answer is whole. No account is connected before its state is whole.
final class LogReplay {
  /// Bytes read at a time: some ten milliseconds.
  static let range = 512 << 10
  private static let pause = Interval.milliseconds(1)

  /// The state that is being filled.
  private(set) var state: State
  private let storage: Storage
  private let records: RecordReader
  private let derived: DerivedData
  private let effects: Effects
  private var cursor: LogCursor
  /// When the next range is read; nil: once something has been written.
  private(set) var due: Instant?

  init(
    of state: State, from cursor: LogCursor?, _ storage: Storage, _ records: RecordReader, _ derived: DerivedData,
    _ effects: Effects
  ) {
    self.cursor = cursor ?? Self.start
    (self.state, self.storage, self.records) = (state, storage, records)
    (self.derived, self.effects) = (derived, effects)
  }

  private static let start = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))

  /// - Parameter reason: why the log has to be read.
  func begin(_ level: LogLevel, _ reason: String) {
    storage.replayed = 0
    effects.journal(level, reason)
    due = effects.now.instant
  }

  /// Something has been written, or could not be: what waited for that goes on.
  func written() { due = effects.now.instant.advanced(by: Self.pause) }

  /// Reads the next range, if it is time. True once state is whole.
  func tick() -> Bool {
    guard let due, due <= effects.now.instant else { return false }
    self.due = nil
    guard derived.replaceState(with: state) else { return false }
    guard readRange() else {
      self.due = effects.now.instant.advanced(by: Storage.pause)
      return false
    }
    if let damage = state.indexDamage { startAgain(damage) }
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
  private func startAgain(_ damage: IndexDamage) {
    effects.journal(.error, "the index is damaged again: \(damage); all stays in memory until the next start")
    (state, cursor) = (state.replacement(withPages: false), Self.start)
  }

  /// False if the disk fails.
  private func readRange() -> Bool {
    var cursor = cursor
    do throws(StorageError) {
      try records.reader.read(&cursor, in: storage.queue.index, limit: Self.range) { frame in
        state.apply(frame)
        return true
      }
      self.cursor = cursor
      return true
    } catch {
      effects.journal(
        .error, "reading the log failed: \(error)", about: JournalFields(errno: error.errno))
      return false
    }
  }
}
