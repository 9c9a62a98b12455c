import Bytes
package import Crypto
import AddressPreparation
/// The client's side of one SCRAM exchange (RFC 5802, RFC 7677), bytes to bytes; the nonce and the salted password are
/// handed in, so that it is pure and the password never comes near it.
///
///     firstMessage() → receive(challenge:offer:) → finalMessage(saltedPassword:) → verify(serverFinal:)
///
/// Each step is for once and in this order; anything else throws `outOfOrder`. After a throw the exchange is over.
package struct SCRAM: Sendable {
  package let hash: HashAlgorithm
  private let channelBinding: ChannelBindingFlag
  private let nonce: [UInt8]
  /// The first message without its GS2 header.
  private let firstBare: [UInt8]
  private var state = State.created

  private enum State {
    case created
    case awaitingChallenge
    case awaitingKey(serverFirst: [UInt8], nonce: [UInt8])
    case awaitingServerFinal(signature: [UInt8])
    case verified
    case failed
  }

  /// - Parameters:
  ///   - username: the simple user name, in most cases the JID's localpart (RFC 6120, section 6.3.8).
  ///   - nonce: unpredictable, new for each exchange, printable ASCII without a comma.
  package init(
    hash: HashAlgorithm, username: String, nonce: String, gs2 channelBinding: ChannelBindingFlag
  ) throws(SASLError) {
    guard !username.isEmpty else { throw .emptyUsername }
    self.hash = hash
    self.channelBinding = channelBinding
    self.nonce = Array(nonce.utf8)
    guard !nonce.isEmpty, self.nonce.allSatisfy(Self.isNonceCharacter) else { throw .unusableNonce }
    firstBare = Array("n=".utf8) + (try Self.escaped(username)) + Array(",r=".utf8) + self.nonce
  }

  /// True once the server has proved that it knows the password. Nothing may be believed of a session before this is
  /// true.
  package var isVerified: Bool {
    if case .verified = state { true } else { false }
  }

  /// The client's first message, the initial response of the mechanism.
  package mutating func firstMessage() throws(SASLError) -> [UInt8] {
    guard case .created = state else { throw fail(.outOfOrder) }
    state = .awaitingChallenge
    return Array(channelBinding.header.utf8) + firstBare
  }

  /// Takes the server's first message; returns the parameters to derive the salted password with.
  ///
  /// - Parameter offer: the server's offer as it reached us. If the message confirms the offer (XEP-0474), it must be
  /// this one. A confirmation that was taken out or forged on its way spoils both proofs, which cover the message.
  package mutating func receive(challenge: [UInt8], offer: SASLOffer) throws(SASLError) -> KeyDerivation {
    guard case .awaitingChallenge = state else { throw fail(.outOfOrder) }
    do throws(SASLError) {
      let first = try ServerFirst(challenge, clientNonce: nonce, hash: hash)
      guard try first.confirms(offer) else { throw .offerChanged }
      state = .awaitingKey(serverFirst: challenge, nonce: first.nonce)
      return first.derivation
    } catch { throw fail(error) }
  }

  /// The client's last message, which proves the password (RFC 5802, section 3).
  package mutating func finalMessage(saltedPassword: [UInt8]) throws(SASLError) -> [UInt8] {
    guard case .awaitingKey(let serverFirst, let nonce) = state, saltedPassword.count == hash.byteCount else {
      throw fail(.outOfOrder)
    }
    let withoutProof = Array("c=\(Base64.encode(channelBinding.input)),r=".utf8) + nonce
    let comma = [UInt8(ascii: ",")]
    let authMessage = firstBare + comma + serverFirst + comma + withoutProof
    do {
      let proof = try Self.clientProof(saltedPassword, authMessage, hash)
      state = .awaitingServerFinal(signature: try Self.serverSignature(saltedPassword, authMessage, hash))
      return withoutProof + Array(",p=\(Base64.encode(proof))".utf8)
    } catch { throw fail(.crypto(error)) }
  }

  /// Takes the server's last message. Returns only where the server proved that it knows the password's keys.
  package mutating func verify(serverFinal: [UInt8]) throws(SASLError) {
    guard case .awaitingServerFinal(let expected) = state else { throw fail(.outOfOrder) }
    do throws(SASLError) {
      let final = try ServerFinal(serverFinal)
      guard Digest.equal(final.signature, expected) else { throw .wrongServerSignature }
      state = .verified
    } catch { throw fail(error) }
  }

  private mutating func fail(_ error: SASLError) -> SASLError {
    state = .failed
    return error
  }
}

extension SCRAM {
  /// `printable` of RFC 5802, section 7: visible ASCII without the comma.
  static func isNonceCharacter(_ byte: UInt8) -> Bool {
    (0x21...0x7e).contains(byte) && byte != UInt8(ascii: ",")
  }

  /// `saslname`: prepared (RFC 5802, section 5.1), with `=` and `,` written as `=3D` and `=2C`.
  private static func escaped(_ username: String) throws(SASLError) -> [UInt8] {
    let prepared: [UInt8]
    do { prepared = try SASLprep.prepare(Array(username.utf8)) } catch { throw .unusableUsername(error) }
    return prepared.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "="): Array("=3D".utf8)
      case UInt8(ascii: ","): Array("=2C".utf8)
      default: [byte]
      }
    }
  }

  /// ClientKey XOR HMAC(H(ClientKey), AuthMessage). The keys in between are wiped.
  private static func clientProof(
    _ saltedPassword: [UInt8], _ authMessage: [UInt8], _ hash: HashAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    var clientKey = try Digest.hmac(key: saltedPassword, message: Array("Client Key".utf8), hash)
    defer { clientKey.wipe() }
    var storedKey = try Digest.hash(clientKey, hash)
    defer { storedKey.wipe() }
    let signature = try Digest.hmac(key: storedKey, message: authMessage, hash)
    return zip(clientKey, signature).map { $0 ^ $1 }
  }

  /// HMAC(ServerKey, AuthMessage). The key is wiped.
  private static func serverSignature(
    _ saltedPassword: [UInt8], _ authMessage: [UInt8], _ hash: HashAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    var serverKey = try Digest.hmac(key: saltedPassword, message: Array("Server Key".utf8), hash)
    defer { serverKey.wipe() }
    return try Digest.hmac(key: serverKey, message: authMessage, hash)
  }
}
