import Clocks
import Facts
import LogFiles
import MessageLog
import Syscalls

/// `confab log scrub`: takes out of the log what `forget-history` hid, while no daemon runs. In the place of each message
/// stands a record that says nothing (docs/LOG-FORMAT.md, kinds 21 and 22). It may be killed at any moment, and run again.
struct Scrub {
  private let output: LineOutput
  private let complaints: LineOutput

  init(_ output: LineOutput, _ complaints: LineOutput) { (self.output, self.complaints) = (output, complaints) }

  /// - Parameter scratch: a directory for what does not fit into memory.
  func run(_ path: String, scratch: String) throws(LogCommandFailure) {
    do {
      guard let count = try erase(path, scratch: scratch) else { throw WritableLogError.locked(path) }
      output.line(count == 1 ? "1 message erased" : "\(count) messages erased")
    } catch let error as WritableLogError {
      throw .notWritten(error)
    } catch let error as RecoveryError {
      throw .log(error)
    } catch let error as StorageError {
      throw .notWritten(.storage(error))
    } catch {
      throw .noLog(path, (error as? Errno)?.text ?? "\(error)")
    }
  }

  /// How many messages were erased; nil where a daemon has the log.
  private func erase(_ path: String, scratch: String) throws -> Int? {
    let count: Int
    do {
      var directory = try DataDirectory.open(path)
      guard try directory.lock() else { return nil }
      count = try erase(in: directory, scratch: scratch)
    }
    // There is a checkpoint again, so that the next start is a fast one.
    if count > 0 { try WritableLog(path).close() }
    return count
  }

  private func erase(in directory: borrowing DataDirectory, scratch: String) throws -> Int {
    let rewriter = try SegmentRewriter.open(directory)
    try rewriter.removeLeftovers()
    let storage = try directory.storage(scratch: scratch)
    let (facts, log) = try read(storage)
    var erasure = Erasure(facts)
    guard !erasure.isEmpty else { return 0 }
    let damage = log.report.damage
    if !damage.isEmpty { complaints.line("confab log: what is damaged stays as it is, and nobody knows what it holds") }
    let isListed = damage.count == log.report.damageCount
    for segment in log.index.segments {
      let isSound = isListed && !damage.contains { $0.segment == segment.id }
      let bytes = try SegmentErasure(storage, log.index).content(of: segment, clearsRest: isSound) { frame in
        erasure.replacement(of: frame)
      }
      guard let bytes else { continue }
      try rewriter.removeDerived([Checkpoint.fileName, IndexFormat.fileName])
      try rewriter.replace(segment.id, with: bytes)
    }
    if erasure.keptCount > 0 {
      complaints.line("confab log: forgotten messages that wait to be sent, and stay: \(erasure.keptCount)")
    }
    return erasure.count
  }

  private func read(_ storage: FileStorage) throws(RecoveryError) -> (Facts, RecoveredLog) {
    let facts = Facts(gap: .hours(24), pages: IndexPages(of: .nobody, in: storage))
    var recovery = try Recovery(readingAllOf: storage)
    let log = try recovery.run { frame in
      facts.fold(frame)
      facts.makeRoom()
    }
    return (facts, log)
  }
}
