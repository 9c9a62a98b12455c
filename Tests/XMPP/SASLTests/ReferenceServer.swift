import Bytes
import Crypto
import SASL

/// The server's side of SCRAM, written straight from RFC 5802, section 3, to answer the client under test. It knows the
/// password, accepts any form of message, and checks the client's proof.
struct ReferenceServer {
  let hash: HashAlgorithm
  let password: String
  var salt: [UInt8] = Array("some salt".utf8)
  var iterations = 4096
  var addedNonce = "server"

  func firstMessage(clientNonce: String) -> String {
    "r=\(clientNonce)\(addedNonce),s=\(Base64.encode(salt)),i=\(iterations)"
  }

  /// The message with the signature, or nil where the client's proof is wrong.
  func finalMessage(clientFirst: [UInt8], serverFirst: String, clientFinal: [UInt8]) throws -> String? {
    let bare = text(clientFirst).split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)[2]
    let final = text(clientFinal)
    guard let proofStart = final.range(of: ",p=") else { return nil }
    let authMessage = Array("\(bare),\(serverFirst),\(final[..<proofStart.lowerBound])".utf8)
    let salted = try KeyDerivation(hash: hash, salt: salt, iterations: iterations).saltedPassword(
      from: Array(password.utf8))
    let clientKey = try Digest.hmac(key: salted, message: Array("Client Key".utf8), hash)
    let signature = try Digest.hmac(key: Digest.hash(clientKey, hash), message: authMessage, hash)
    let expected = zip(clientKey, signature).map { $0 ^ $1 }
    guard Base64.decode(String(final[proofStart.upperBound...])) == expected else { return nil }
    let serverKey = try Digest.hmac(key: salted, message: Array("Server Key".utf8), hash)
    return "v=" + Base64.encode(try Digest.hmac(key: serverKey, message: authMessage, hash))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension String {
  /// The first place of `needle` (the standard library's own needs a newer import in some modules).
  func range(of needle: String) -> Range<String.Index>? {
    indices.lazy.first { self[$0...].hasPrefix(needle) }.map { $0..<index($0, offsetBy: needle.count) }
  }
}

extension SCRAM {
  /// Takes a first message from a server whose offer does not matter.
  mutating func receive(challenge: [UInt8]) throws(SASLError) -> KeyDerivation {
    try receive(challenge: challenge, offer: SASLOffer(mechanisms: []))
  }
}
