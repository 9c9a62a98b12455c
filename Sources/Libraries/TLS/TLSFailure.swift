/// Why a TLS connection did not come about, or ended in disorder.
package enum TLSFailure: Error, Equatable, Sendable {
  /// The server's certificate does not prove that it is the server.
  case certificate(CertificateProblem)
  /// The peer ended it and said why: OpenSSL's words for the alert.
  case alert(String)
  /// The peer does not speak TLS; most often the port belongs to another protocol.
  case notTLS
  /// The peer broke the protocol, or the two have nothing in common: OpenSSL's words.
  case protocolError(String)
  /// The connection ended without the peer's close: an attacker may have cut it.
  case cut
  /// The server chose an application protocol that was not offered.
  case wrongApplicationProtocol
  /// The certificate authorities cannot be loaded, or the name cannot be asked for.
  case configuration(String)

  /// A sentence for people.
  package var sentence: String {
    switch self {
    case .certificate(let problem): problem.sentence
    case .alert(let words): "the server ended the TLS handshake: \(words)"
    case .notTLS: "the server does not speak TLS on this port"
    case .protocolError(let words): "TLS failed: \(words)"
    case .cut: "the connection was cut"
    case .wrongApplicationProtocol: "the server chose a protocol that is not XMPP"
    case .configuration(let words): words
    }
  }
}

/// An error of a certificate. Texts are printable ASCII and of bounded length, whatever the server sent.
package enum CertificateProblem: Equatable, Sendable {
  /// It ended at `since`, `YYYY-MM-DD HH:MM:SS` in UTC; of the server or of one that signed for it.
  case expired(since: String)
  /// It begins at `from`.
  case notYetValid(from: String)
  /// It is for other hosts.
  case wrongHost(expected: String, names: [String])
  /// It is signed by itself.
  case selfSigned(subject: String)
  /// Its issuer is not among the certificate authorities.
  case untrusted(issuer: String)
  case revoked
  /// Anything else, in OpenSSL's words.
  case other(String)

  /// A sentence for people.
  package var sentence: String {
    switch self {
    case .expired(let since): "the server's certificate expired at \(since) UTC"
    case .notYetValid(let from): "the server's certificate is not valid before \(from) UTC"
    case .wrongHost(let expected, let names):
      names.isEmpty
        ? "the server's certificate names no host; \(expected) was expected"
        : "the server's certificate is for \(names.joined(separator: ", ")), not for \(expected)"
    case .selfSigned(let subject): "the server's certificate is signed by itself and not trusted: \(subject)"
    case .untrusted(let issuer): "the server's certificate is not trusted: its issuer \(issuer) is unknown"
    case .revoked: "the server's certificate was revoked"
    case .other(let words): "the server's certificate was refused: \(words)"
    }
  }
}
