import ConfabClient
import Clocks
import Timelines
package import State
import LogFiles
package import MessageLog
package import Records
import Syscalls

/// A log that is written to without a daemon, under the daemon's lock: each record is applied when it is durable, and at
/// the end there are an index and a checkpoint, so that the next start is a fast one. One thread.
package final class WritableLog {
  /// Records are synced when there are so many bytes of them.
  private static let batch = 4 << 20
  private static let gap = Interval.hours(24)

  package let state: State
  private let directory: DataDirectory
  private let storage: FileStorage
  private var writer: LogWriter
  private var waiting: [Record] = []
  private var hasGrown = false
  private let reader: LogReader
  /// The first error of the disk that a look-up met.
  private var readFailure: StorageError?

  /// Opens the log in a data directory, and makes it where there is none.
  package convenience init(_ path: String, segmentSize: UInt64 = LogFormat.segmentSize) throws(WritableLogError) {
    try self.init(locked: Self.locked(path), segmentSize: segmentSize)
  }

  private static func locked(_ path: String) throws(WritableLogError) -> DataDirectory {
    do throws(Errno) {
      var directory = try DataDirectory.create(path)
      if try directory.lock() { return directory }
    } catch {
      throw .failed(path, error.reason(in: path))
    }
    throw .locked(path)
  }

  /// Opens the log in a data directory whose lock is taken.
  init(
    locked directory: consuming DataDirectory, segmentSize: UInt64 = LogFormat.segmentSize
  ) throws(WritableLogError) {
    let path = directory.path
    do {
      storage = try directory.storage(readOnly: false)
      try Recovery.checkFormat(of: storage)
      var uuid = try directory.identity(in: storage, random: Self.random).uuid
      var opened = try OpenState(storage, of: uuid, gap: Self.gap)
      if let other = try directory.identity(ofLogUpTo: opened.log.lastFound, in: storage, random: Self.random) {
        uuid = other.uuid
        opened = try OpenState(storage, of: uuid, gap: Self.gap)
      }
      (state, writer) = (opened.state, opened.log.makeWriter(uuid: uuid, segmentSize: segmentSize))
      reader = LogReader(storage: storage, chunk: 16 << 10)
      self.directory = directory
    } catch let error as Errno {
      throw .failed(path, error.reason(in: path))
    } catch {
      throw .failed(path, "\(error)")
    }
  }

  private static var random: [UInt8] { (0..<16).map { _ in UInt8.random(in: 0...255) } }

  /// The number that the next record gets.
  package var nextSequence: UInt64 { writer.nextSequence }

  /// How many records are appended and not durable.
  package var waitingCount: Int { waiting.count }

  /// Appends a record, and behind it in the same batch the one that `following` makes of its number; its number. Durable at
  /// the latest with `close`.
  @discardableResult
  package func append(
    _ record: Record, following: (UInt64) -> Record? = { _ in nil }
  ) throws(WritableLogError) -> UInt64 {
    let sequence = add(record)
    if let next = following(sequence) { _ = add(next) }
    if writer.pendingBytes >= Self.batch { try commit() }
    return sequence
  }

  private func add(_ record: Record) -> UInt64 {
    hasGrown = true
    waiting.append(record)
    return writer.append(kind: record.kind) { record.encode(into: &$0) }
  }

  /// Makes durable what has been appended.
  package func commit() throws(WritableLogError) {
    // Nothing is stored that was decided by a damaged index, or by what the disk did not give.
    if let damage = state.indexDamage { throw .damaged(damage) }
    if let readFailure { throw .reading(readFailure) }
    while let batch = writer.takeBatch() {
      do throws(StorageError) { try batch.perform(on: storage) } catch { throw .storage(error) }
      let done = waiting[..<batch.sequences.count]
      for (sequence, record) in zip(batch.sequences, done) {
        state.apply(record, sequence: sequence, location: batch.location(of: sequence).packed)
      }
      waiting.removeFirst(done.count)
      writer.completed(batch)
      if batch.beginsLaterSegment { for record in state.accounts.records { _ = add(record) } }
      try storePages()
    }
  }

  /// Makes all durable, with a checkpoint. Behind what was appended comes one more batch, which says that all before it is
  /// durable: without the checkpoint nobody could tell damage of that from what was never acknowledged.
  package func close() throws(WritableLogError) {
    try commit()
    if hasGrown { for record in state.accounts.records { _ = add(record) } }
    try commit()
    state.eviction?.rest(.long)
    try storePages()
    guard
      let snapshot = Snapshot(
        state, of: writer.uuid, upTo: writer.durable, writer.durableEnd)
    else { return }
    let outcome = snapshot.perform(on: storage)
    state.pages?.snapshotStored(snapshot.checkpoint.sequence, outcome)
    if case .failed(let error, _) = outcome { throw .storage(error) }
  }

  /// The message of a record; nil where it is none or cannot be read.
  func message(_ entry: Entry) -> MessageRecord? {
    lookUp { () throws(StorageError) in try reader.message(entry, in: writer.index) }
  }

  /// The result of a look-up; nil if the disk fails, and then nothing more is stored.
  private func lookUp<Found>(_ body: () throws(StorageError) -> Found?) -> Found? {
    do throws(StorageError) { return try body() } catch { readFailure = readFailure ?? error }
    return nil
  }

  /// The hashes of all stanzas without a text. Reads the whole log.
  func stanzas(_ hash: (PayloadRecord) -> UInt64) -> Set<UInt64> {
    var found: Set<UInt64> = []
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    lookUp { () throws(StorageError) in
      try reader.read(&cursor, in: writer.index) { frame in
        if frame.kind == RecordKind.payload.rawValue, case .payload(let stanza)? = try? frame.record() {
          found.insert(hash(stanza))
        }
        return true
      }
    }
    return found
  }

  /// The message with an id.
  func message(_ id: UInt64) -> MessageRecord? {
    lookUp { () throws(StorageError) in try reader.message(numbered: id, in: writer.index) }
  }

  private func storePages() throws(WritableLogError) {
    while let pages = state.eviction?.takePages() {
      do throws(StorageError) {
        try pages.perform(on: storage)
        state.eviction?.stored(true)
      } catch {
        state.eviction?.stored(false)
        throw .storage(error)
      }
    }
  }
}

/// Why a log cannot be written to.
package enum WritableLogError: Error, Equatable, CustomStringConvertible {
  /// A daemon has it.
  case locked(String)
  case failed(String, String)
  case storage(StorageError)
  /// The disk did not give what is in the log.
  case reading(StorageError)
  case damaged(IndexDamage)

  package var description: String {
    switch self {
    case .locked(let path): "a daemon uses \(TerminalText.clean(path)): stop it first"
    case .failed(let path, let reason):
      "the log in \(TerminalText.clean(path)) cannot be opened: \(TerminalText.clean(reason))"
    case .storage(let error): "writing the log failed: \(error)"
    case .reading(let error): "reading the log failed: \(error)"
    case .damaged(let damage): "the index is damaged: \(damage); remove the files index and checkpoint, and try again"
    }
  }
}
