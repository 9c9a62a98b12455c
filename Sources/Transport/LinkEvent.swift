package import Clocks
package import NameService
package import Syscalls
package import TLS

/// An event of a link.
package enum LinkEvent: Equatable, Sendable {
  /// The answer to `resolve`.
  case resolved(ServiceLookup)
  /// TCP is up; `remote` is `[::1]:5222`, or `example.org:5222 through 127.0.0.1:9050`.
  case opened(remote: String)
  /// TLS is up and the server has proved who it is.
  case secured(TLSFacts)
  /// Plaintext, 1 byte to 64 KiB, cut anywhere.
  case received([UInt8])
  /// Everything written so far has gone to the kernel.
  case drained
  /// It is over; nil: the peer closed in order, or `close` is done. The link may `connect` again.
  case closed(LinkFailure?)
}

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

/// How a link is to be secured.
package struct TLSParameters: Equatable, Sendable {
  /// The JID's domain, with A-labels, which the certificate must be for; not the host that was connected to.
  package let serverName: String
  /// Whose signatures are believed.
  package let anchors: TrustAnchors
  /// Whether to ask for `xmpp-client` by ALPN, as direct TLS does.
  package let offersXMPP: Bool
  /// Whose earlier sessions may be resumed; nil: none, and none is kept.
  package let account: String?
  /// Whether one may be resumed now; else the account's are forgotten.
  package let resumes: Bool
  /// How long the handshake may take.
  package let timeout: Interval

  /// - Parameter caFile: the configuration's `ca-file`, which replaces the system's authorities.
  package init(
    serverName: String, caFile: String? = nil, offersXMPP: Bool, account: String? = nil, resumes: Bool = false,
    timeout: Interval = .seconds(20)
  ) {
    self.serverName = serverName
    anchors = caFile.map { .file($0) } ?? .system
    self.offersXMPP = offersXMPP
    self.account = account
    self.resumes = resumes
    self.timeout = timeout
  }
}
