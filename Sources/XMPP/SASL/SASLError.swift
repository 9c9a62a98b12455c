package import Crypto
package import AddressPreparation
/// Why an authentication exchange cannot go on. Except for `refused`, none is about the password being wrong: that the
/// server says by its own protocol's failure. Holds no secret and at most `textLimit` scalars from the server.
package enum SASLError: Error, Equatable, Sendable {
  /// The account's user name is empty: RFC 5802, section 5.1, asks to abort then.
  case emptyUsername
  /// The user name cannot be prepared for a login.
  case unusableUsername(SASLprepError)
  /// The password cannot be prepared for a login; nothing of it is shown.
  case unusablePassword(SASLprepError)
  /// The nonce handed in is empty or holds characters that RFC 5802 does not allow in one.
  case unusableNonce
  /// A message of the server's is not of the form that RFC 5802, section 7, gives; the words say what is wrong with it.
  case malformed(String)
  /// The server demands an extension by `m=`; no such extension exists (RFC 5802, section 5.1).
  case mandatoryExtension
  /// The server's nonce does not begin with ours or adds nothing to it: a replayed message or another exchange's.
  case nonceMismatch
  /// The server wants fewer PBKDF2 iterations than the 4096 that RFC 5802 asks for: the password would be cheap to
  /// guess.
  case tooFewIterations(Int)
  /// The server wants more PBKDF2 iterations than we are ready to compute.
  case tooManyIterations
  /// The server's last message says `e=`: its reason for refusing, as it wrote it.
  case refused(String)
  /// The server does not know the password's keys: its signature is not the one that ours give.
  case wrongServerSignature
  /// The list of mechanisms and channel bindings that reached us is not the one that the server says it sent (XEP-0474).
  case offerChanged
  /// The user name or the password holds a NUL, which PLAIN cannot carry (RFC 4616, section 2).
  case nulInCredential
  /// A message came, or a step was asked for, at a point of the exchange where it has no place.
  case outOfOrder
  /// The cryptographic library failed.
  case crypto(CryptoError)

  /// Most characters kept of what the server wrote.
  package static let textLimit = 100
}

extension SASLError: CustomStringConvertible {
  package var description: String {
    let bounds = KeyDerivation.iterationBounds
    return switch self {
    case .emptyUsername: "the account has no user name"
    case .unusableUsername(let error): "the user name \(error)"
    case .unusablePassword(let error): "the password \(error)"
    case .unusableNonce: "the nonce for the login cannot be used"
    case .malformed(let what): "the server's login message is malformed: \(what)"
    case .mandatoryExtension: "the server requires an unknown SCRAM extension"
    case .nonceMismatch: "the server's login message is not for this login (wrong nonce)"
    case .tooFewIterations(let count):
      "the server protects the password with only \(count) iterations; the minimum is \(bounds.lowerBound)"
    case .tooManyIterations:
      "the server asks for more than \(bounds.upperBound) iterations"
    case .refused(let reason): "the server refused the login (\(reason))"
    case .wrongServerSignature: "the server could not prove that it knows the password"
    case .offerChanged:
      "the server's login offer was changed in transit: an attacker may be in the middle"
    case .nulInCredential: "the password holds a NUL character, which this login mechanism cannot carry"
    case .outOfOrder: "the server sent an unexpected login message"
    case .crypto(let error): error.description
    }
  }
}
