import MessageLog

extension Recovery {
  /// All records of a log, from the first: what its checkpoint has seen was durable, so that it is damage where it is not
  /// there, and nothing else is taken from it (docs/LOG-FORMAT.md, "Recovery").
  init(readingAllOf storage: any LogStorage) throws(RecoveryError) {
    self = try Recovery(of: storage, log: LogIdentity.read(from: storage)?.uuid, mode: .readOnly)
    ignoreCheckpoint("all is read")
  }
}
