import Clocks
import State
import MessageLog
import Records
import Settings

/// Reads the log from its beginning, if no data derived from it could be used: a range at a time. Clients are served
/// meanwhile: requests that need no state are answered at once, `status` says how far it is, and all others wait, so that
/// every answer is whole. No account is connected before its state is whole.
final class LogReplay {
  /// Bytes read at a time: some ten milliseconds.
  private static let range = 512 << 10
  private static let pause = Interval.milliseconds(1)

  private let state: State
  private let storage: Storage
  private let records: RecordReader
  private let derived: DerivedData
  private let effects: Effects
  private var cursor: LogCursor
  /// When the next range is read; nil: once pages have been written.
  private(set) var due: Instant?

  init(
    of state: State, from cursor: LogCursor, _ storage: Storage, _ records: RecordReader, _ derived: DerivedData,
    _ effects: Effects
  ) {
    (self.state, self.cursor, self.storage, self.records) = (state, cursor, storage, records)
    (self.derived, self.effects) = (derived, effects)
  }

  func begin() {
    storage.replayed = 0
    effects.journal(.notice, "reading the whole log: no derived file could be used")
    due = effects.now.instant
  }

  /// Pages have been written, so more of them can be made.
  func pagesStored() { due = effects.now.instant }

  /// Reads the next range, if it is time. True once state is whole.
  func tick() -> Bool {
    guard let due, due <= effects.now.instant else { return false }
    guard readRange() else {
      self.due = effects.now.instant.advanced(by: Storage.pause)
      return false
    }
    derived.storePages()
    // Pages are not to be made faster than they are written.
    self.due = state.isOverfull && state.isStoring ? nil : effects.now.instant.advanced(by: Self.pause)
    storage.replayed = Int(state.sequence * 100 / max(1, storage.queue.durable))
    guard cursor.sequence > storage.queue.durable else { return false }
    storage.replayed = nil
    effects.journal(.notice, "the log has been read")
    return true
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
