import Clocks
import Facts
import MessageLog
import Settings

/// Reading the log from its beginning, where nothing that is derived from it could be used: a stretch at a time. The
/// socket is served meanwhile. What needs no facts is answered at once, `status` says how far it is, and all other requests
/// wait for their turn, so that every answer is whole. No account is connected before its facts are.
struct Replay {
  /// Where it goes on.
  var cursor: LogCursor
  /// When; nil: when pages have been written.
  var due: Instant?
}

extension Engine {
  /// Bytes of a stretch: some ten milliseconds. The others have their turn in between.
  private static let stretch = 512 << 10
  private static let pause = Interval.milliseconds(1)

  func beginReplaying() {
    storage.replayed = 0
    clients.configure(configuration)
    effects.journal(.notice, "the log is read from its beginning: nothing derived from it could be used")
    replay?.due = effects.now.instant
    tellServiceManager()
  }

  /// Reads the next stretch, where it is time.
  func goOnReplaying() {
    guard let due = replay?.due, due <= effects.now.instant, stopping == nil else { return }
    guard readStretch() else {
      replay?.due = effects.now.instant.advanced(by: Self.storagePause)
      return
    }
    storePages()
    // Pages are not to be made faster than they are written.
    replay?.due = facts.isOverfull && facts.isStoring ? nil : effects.now.instant.advanced(by: Self.pause)
    storage.replayed = Int(facts.sequence * 100 / max(1, storage.queue.durable))
    if replay.map({ $0.cursor.sequence > storage.queue.durable }) == true { return endReplaying() }
    tellServiceManager()
  }

  /// False where the disk fails.
  private func readStretch() -> Bool {
    guard var cursor = replay?.cursor else { return false }
    do throws(StorageError) {
      try records.reader.read(&cursor, in: storage.queue.index, limit: Self.stretch) { frame in
        facts.fold(frame)
        return true
      }
      replay?.cursor = cursor
      return true
    } catch {
      effects.journal(.error, "the log could not be read: \(error)", about: JournalFields(errno: error.errno))
      return false
    }
  }

  /// The facts are whole: the rest of the start follows, and who waits has its turn.
  private func endReplaying() {
    (replay, storage.replayed) = (nil, nil)
    declared = facts.accounts.mapValues(\.record)
    effects.journal(.notice, "the log has been read")
    if configuration.daemon.snapInterval != facts.gap { facts.regap(configuration.daemon.snapInterval) }
    configure(configuration)
    tellOfUnknownAccounts()
    takeCheckpoint()
    clients.durable()
    tellServiceManager()
  }
}
