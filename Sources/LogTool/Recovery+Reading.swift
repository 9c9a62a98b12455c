import LogFiles
import MessageLog

extension Recovery {
  /// All records of a log, from the first: what its checkpoint has seen was durable, so that it is damage where it is not
  /// there, and nothing else is taken from it (docs/LOG-FORMAT.md, "Recovery").
  init(readingAllOf storage: any LogStorage) throws(RecoveryError) {
    let identity = (try? storage.readFile(LogIdentity.fileName, limit: 4096)).flatMap { LogIdentity(decoding: $0) }
    self = try Recovery(of: storage, log: identity?.uuid, mode: .readOnly)
    ignoreCheckpoint("all is read")
  }
}
