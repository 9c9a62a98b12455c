package import LineProtocol

extension RequestFailure {
  /// The log has this message, and the configuration no account for it.
  package static func notConfigured(accountOf id: UInt64, argument: String) -> RequestFailure {
    RequestFailure(.notFound, "the account of message \(id) is no longer in the configuration", argument: argument)
  }
}
