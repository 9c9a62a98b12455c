package import Clocks

/// The connection status of an account, as `status` reports it.
package struct AccountStatus {
  /// The state words of docs/PROTOCOL.md, `status`.
  package enum State: String, Sendable {
    case online, connecting, waiting, stopped, refused
  }

  package var state = State.stopped
  /// A sentence for people.
  package var reason = "not started yet"
  /// Since when it is in this state.
  package var since: Timestamp
  /// The server's address, connected or tried.
  package var server: String?
  /// Such as `TLSv1.3 TLS_AES_256_GCM_SHA384`; followed by ` (resumed)` where the server's certificate was seen by an
  /// earlier handshake.
  package var tls: String?
  /// The SASL mechanism that signed it in.
  package var sasl: String?
  /// When the next try is due.
  package var retryAt: Timestamp?
  /// When a byte last came from the server.
  package var lastHeard: Timestamp?
}
