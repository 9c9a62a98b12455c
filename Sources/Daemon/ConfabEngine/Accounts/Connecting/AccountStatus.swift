import Clocks

/// The connection status of an account, as `status` reports it.
struct AccountStatus {
  /// The state words of docs/PROTOCOL.md, `status`.
  enum State: String, Sendable {
    case online, connecting, waiting, stopped, refused
  }

  var state = State.stopped
  /// A sentence for people.
  var reason = "not started yet"
  /// Since when it is in this state.
  var since: Timestamp
  /// The server's address, connected or tried.
  var server: String?
  /// Such as `TLSv1.3 TLS_AES_256_GCM_SHA384`; followed by ` (resumed)` where the server's certificate was seen by an
  /// earlier handshake.
  var tls: String?
  /// The SASL mechanism that signed it in.
  var sasl: String?
  /// When the next try is due.
  var retryAt: Timestamp?
  /// When a byte last came from the server.
  var lastHeard: Timestamp?
}
