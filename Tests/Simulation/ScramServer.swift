import Bytes
import Crypto
import XML
import XMPPCore

/// The server's side of SCRAM-SHA-1 (RFC 5802), for a password that is known to everybody: both sides have it salted
/// already, since deriving it would take all the time that there is.
final class ScramServer {
  /// The salted password of everybody.
  static let saltedPassword = [UInt8](repeating: 7, count: 20)

  private var authMessage: [UInt8] = []

  init() {}

  /// The answer to `<auth/>`.
  func challenge(_ element: Element) -> String {
    let message = Base64.decode(Array(element.text.utf8)) ?? []
    let bare = Array(message.dropFirst(3))
    let nonce = bare.split(separator: UInt8(ascii: ",")).last.map(Array.init) ?? []
    let first = nonce + Array("server,s=\(Base64.encode(Array("salt".utf8))),i=4096".utf8)
    authMessage = bare + Array(",".utf8) + first + Array(",".utf8)
    return "<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(Base64.encode(first))</challenge>"
  }

  /// The answer to `<response/>`, whose proof it believes; nil where that is none.
  func success(_ element: Element) -> String? {
    let message = Base64.decode(Array(element.text.utf8)) ?? []
    let parts = message.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count > 2 else { return nil }
    authMessage += Array(parts.dropLast().joined(separator: Array(",".utf8)))
    let key = (try? Digest.hmac(key: Self.saltedPassword, message: Array("Server Key".utf8), .sha1)) ?? []
    let signature = (try? Digest.hmac(key: key, message: authMessage, .sha1)) ?? []
    let final = Base64.encode(Array("v=\(Base64.encode(signature))".utf8))
    return "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(final)</success>"
  }
}
