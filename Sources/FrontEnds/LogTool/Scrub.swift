import Clocks
import State
import LogFiles
import MessageLog
import Records
import Syscalls

/// `confab log scrub`: takes out of the log what `forget-history` hid, while no daemon runs. In the place of each message
/// is a record that says nothing (docs/LOG-FORMAT.md, kinds 21 and 22). It may be killed at any moment, and run again.
struct Scrub {
  private let output: LineOutput
  private let complaints: LineOutput

  init(_ output: LineOutput, _ complaints: LineOutput) { (self.output, self.complaints) = (output, complaints) }

  /// The number of erased records; `isWhole` is false if unreadable data stays.
  private struct Outcome {
    /// Messages, and other records of which something was erased.
    var count = 0
    var otherCount = 0
    var isWhole = true

    var words: String {
      let messages = count == 1 ? "1 message" : "\(count) messages"
      if otherCount == 0 { return messages }
      return messages + (otherCount == 1 ? " and 1 other record" : " and \(otherCount) other records")
    }
  }

  /// Erases; the exit status.
  ///
  /// - Parameter scratch: a directory for what does not fit into memory.
  func run(_ path: String, scratch: String) throws(LogCommandFailure) -> Int32 {
    do {
      guard let outcome = try erase(path, scratch: scratch) else { throw WritableLogError.locked(path) }
      output.line("\(outcome.words) erased")
      return outcome.isWhole ? LogCommand.done : LogCommand.broken
    } catch let error as WritableLogError {
      throw .notWritten(error)
    } catch let error as RecoveryError {
      throw .log(error)
    } catch let error as StorageError {
      throw .notWritten(.storage(error))
    } catch {
      throw .noLog(path, (error as? Errno)?.reason(in: path) ?? "\(error)")
    }
  }

  /// Nil where a daemon has the log.
  private func erase(_ path: String, scratch: String) throws -> Outcome? {
    var directory = try DataDirectory.open(path)
    guard try directory.lock() else { return nil }
    let outcome = try erase(in: directory, scratch: scratch, files: path + "/" + KeptFileName.folder)
    guard outcome.count + outcome.otherCount > 0 else { return outcome }
    try beginEpoch(in: directory.storage(readOnly: false))
    // There is a checkpoint again, so that the next start is a fast one.
    try makeCheckpoint(in: directory, outcome)
    return outcome
  }

  /// Stores the key of a new epoch. The daemon's next start seals by it what lives, and destroys the key before: nothing
  /// opens the ciphertexts of erased messages any more (docs/decisions/0192-secrets-in-the-log.md).
  private func beginEpoch(in storage: FileStorage) throws(StorageError) {
    var file = try EpochKeyFile(in: storage)
    // The other slot has a key until the change before is complete.
    guard let newest = file.newest, file.keys.contains(nil) else { return }
    let bytes = (0..<EpochKey.size).map { _ in UInt8.random(in: .min ... .max) }
    try file.store(EpochKey(epoch: newest.epoch + 1, bytes: bytes))
  }

  private func makeCheckpoint(
    in directory: consuming DataDirectory, _ outcome: Outcome
  ) throws(WritableLogError) {
    do throws(WritableLogError) {
      try WritableLog(locked: directory).close()
    } catch {
      // No daemon starts either if the newest segment cannot be read.
      guard !outcome.isWhole else { throw error }
      complaints.line("confab log: the checkpoint was not written: \(error)")
    }
  }

  private func erase(in directory: borrowing DataDirectory, scratch: String, files: String) throws -> Outcome {
    let rewriter = try SegmentRewriter.open(directory)
    try rewriter.removeLeftovers()
    let storage = try directory.storage(scratch: scratch)
    let (state, log) = try read(storage)
    let reader = LogReader(storage: storage, chunk: 4096) { _ in true }
    var erasure = Erasure(state) { try? reader.record(numbered: $0, in: log.index) }
    let damage = log.report.damage
    var outcome = Outcome(isWhole: damage.isEmpty)
    if !damage.isEmpty {
      complaints.line("confab log: damaged parts stay as they are and may still hold erased messages")
    }
    guard !erasure.isEmpty else { return outcome }
    let isListed = damage.count == log.report.damageCount
    for segment in log.index.segments {
      let isSound = isListed && !damage.contains { $0.segment == segment.id }
      let content = try content(of: segment, log.index, in: storage, clearsRest: isSound, &erasure)
      if case .unreadable = content { outcome.isWhole = false }
      guard case .other(let bytes) = content else { continue }
      try removeFiles(of: erasure.withFiles, in: files)
      try rewriter.removeDerived([Checkpoint.fileName, IndexFormat.fileName])
      try rewriter.replace(segment.id, with: bytes)
    }
    if erasure.keptCount > 0 {
      complaints.line("confab log: kept \(erasure.keptCount) hidden messages that wait to be sent")
    }
    (outcome.count, outcome.otherCount) = (erasure.count, erasure.otherCount)
    return outcome
  }

  /// Removes files that are kept for messages.
  private func removeFiles(of messages: Set<UInt64>, in folder: String) throws(Errno) {
    guard !messages.isEmpty, try Paths.linkStatus(folder) != nil else { return }
    let directory = try Files.openDirectory(folder)
    for name in try Files.names(in: directory.raw) where KeptFileName.message(of: name).map(messages.contains) == true {
      try Files.remove(name, in: directory.raw)
    }
  }

  /// The new content of a segment.
  private enum Content {
    case same, unreadable
    case other([UInt8])
  }

  /// One of which the disk does not give all is not written anew: what is in it may be given another time.
  private func content(
    of segment: LogIndex.Segment, _ index: LogIndex, in storage: FileStorage, clearsRest: Bool,
    _ erasure: inout Erasure
  ) throws(StorageError) -> Content {
    do throws(StorageError) {
      let bytes = try SegmentErasure(storage, index).content(of: segment, clearsRest: clearsRest) { frame in
        erasure.replacement(of: frame)
      }
      return bytes.map { .other($0) } ?? .same
    } catch {
      guard error.cause == .unreadable else { throw error }
      complaints.line("confab log: \(error): hidden messages in it stay")
      return .unreadable
    }
  }

  private func read(_ storage: FileStorage) throws(RecoveryError) -> (State, RecoveredLog) {
    let state = State(gap: .hours(24), pages: IndexPages(of: .nobody, in: storage))
    var recovery = try Recovery(readingAllOf: storage)
    let log = try recovery.run { frame in
      state.apply(frame)
      state.eviction?.evictExcess()
    }
    try state.checkPages()
    return (state, log)
  }
}
