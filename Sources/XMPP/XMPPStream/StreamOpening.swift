import Bytes
import SASL
import XML
import XMPPCore

/// How far a stream has come when it is opened: each restart (RFC 6120, section 4.3.3) is a new one.
enum StreamStage: Equatable, Sendable {
  /// In the clear: nothing but STARTTLS may happen.
  case plain
  /// Encrypted, nobody logged in.
  case secured(TLSFacts)
  /// Encrypted and logged in, by this of what the server offered.
  case authenticated(TLSFacts, LoginMethod, SASLOffer)
}

/// The server's half of a stream's opening: its header, judged (RFC 6120, sections 4.7 and 4.8).
struct StreamOpening: Sendable {
  /// The name that the server gives itself, if it is not the requested domain.
  let stranger: String?

  /// Throws where the header is not one of an XMPP 1.0 stream of the client namespace.
  init(_ header: StreamHeader, domain: String) throws(StreamFailure) {
    guard header.isStream else { throw .protocolViolation("it did not open an XMPP stream") }
    // Without a default namespace every stanza would have to bring its own, which is unusual and allowed.
    guard header.namespace.isEmpty || header.namespace.utf8.elementsEqual("jabber:client".utf8) else {
      throw .protocolViolation("its stream is for \(header.namespace), not for clients")
    }
    guard Self.isVersion1OrLater(header.version) else {
      throw .protocolViolation("it does not speak XMPP 1.0")
    }
    guard header.id?.isEmpty == false else { throw .protocolViolation("its stream has no id") }
    stranger = Self.stranger(header.from, domain: domain)
  }

  /// The server must say who it is (section 4.7.1), but some leave it out, and it proves nothing: the certificate does.
  /// So an absent `from` is tolerated. One that names somebody else is remembered until features follow: a server that
  /// does not serve our domain opens the stream under its own name to say so by `host-unknown` (section 4.9.3.6), which
  /// is the better message. Features from a stranger are refused.
  private static func stranger(_ from: String?, domain: String) -> String? {
    guard let from else { return nil }
    guard let jid = try? JID(from), jid.local == nil, jid.resource == nil else { return from }
    return jid.domain.utf8.elementsEqual(domain.utf8) ? nil : from
  }

  /// `major.minor`, compared number by number (section 4.7.5). No version means before XMPP 1.0.
  private static func isVersion1OrLater(_ version: String?) -> Bool {
    guard let parts = version?.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false),
      parts.count == 2
    else { return false }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard parts.allSatisfy({ (1...9).contains($0.count) && $0.allSatisfy(digits.contains) }) else { return false }
    return parts[0].contains { $0 != digits.lowerBound }
  }
}
