package import Syscalls

/// A connection to the daemon, as far as a client needs it; the real one is `SocketTransport`.
package protocol LineTransport: AnyObject {
  /// Hands over whole request lines, and the descriptors of the last of them.
  func write(_ bytes: [UInt8], passing descriptors: [PassedDescriptor]) throws(TransportFailure)

  /// The next line, without its LF; nil if the daemon closed in order.
  func readLine() throws(TransportFailure) -> [UInt8]?

  /// The descriptor that came with the last line that was read.
  func takeDescriptor() -> PassedDescriptor?

  /// From now on all reading together may take so long; then it fails with `silent`.
  func setPatience(milliseconds: Int64)
}

/// Why there is no connection, or no longer one.
package struct TransportFailure: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// No daemon answers at the socket.
    case noDaemon
    /// Somebody listens there and says nothing.
    case silent
    /// The system or the daemon does not let us.
    case notAllowed
    /// The daemon has reached its limit of connections; nothing was asked.
    case busy
    /// The connection ended early.
    case cut
    /// The other end does not speak our protocol.
    case notConfab
    /// The reader of our output is gone.
    case outputClosed
  }

  package var kind: Kind
  /// For people.
  package var reason: String
  /// True if the daemon cannot have read the whole request: a line is executed only once its LF has come.
  package var nothingSent: Bool

  package init(_ kind: Kind, _ reason: String, nothingSent: Bool = false) {
    self.kind = kind
    self.reason = reason
    self.nothingSent = nothingSent
  }
}
