package import Syscalls
package import TLS

/// Why a link did not come about, or broke.
package enum LinkFailure: Error, Equatable, Sendable {
  /// The host's addresses could not be found; in words.
  case resolution(String)
  /// Nothing listens at the address.
  case refused(address: String)
  /// There is no way to the address.
  case unreachable(Errno)
  /// A step took too long: `connecting to [::1]:5222`, `the TLS handshake`.
  case timedOut(step: String)
  /// It ended without the peer's goodbye.
  case cut
  /// The kernel gave the connection up.
  case broken(Errno)
  case tls(TLSFailure)
  /// The proxy cannot be reached or does not do its work; in words.
  case proxy(String)
  /// The peer takes nothing, and more than the limit waits to be sent.
  case backlog(bytes: Int)

  /// A sentence for people.
  package var sentence: String {
    switch self {
    case .resolution(let words), .proxy(let words): words
    case .refused(let address): "nothing listens at \(address) (connection refused)"
    case .unreachable(let error): "cannot reach \(error.object): \(error.text)"
    case .timedOut(let step): "\(step) took too long"
    case .cut: "the connection was cut"
    case .broken(let error):
      error.isTimedOut ? "the server no longer answers" : "the connection broke: \(error.text)"
    case .tls(let failure): failure.sentence
    case .backlog(let bytes): "the server stopped reading; \(bytes) bytes wait"
    }
  }
}
