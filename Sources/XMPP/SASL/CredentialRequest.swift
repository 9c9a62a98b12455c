/// A login's request for a proof of the account's password. It is answered where the password is, so that no other part
/// sees the password.
package enum CredentialRequest: Hashable, Sendable {
  /// SCRAM's SaltedPassword (RFC 5802, section 3).
  case saltedPassword(KeyDerivation)
  /// The message of PLAIN (RFC 4616, section 2), with the password in it.
  case plainMessage(username: String)

  /// The answer, from the password's bytes. A salted password takes its time (see `KeyDerivation`): not for the event
  /// loop.
  package func credential(from password: [UInt8]) throws(SASLError) -> [UInt8] {
    switch self {
    case .saltedPassword(let derivation):
      return try derivation.saltedPassword(from: password)
    case .plainMessage(let username):
      // NUL parts the fields of the message, so that one inside would make another message of it.
      guard !password.contains(0), !username.utf8.contains(0) else { throw .nulInCredential }
      return [0] + Array(username.utf8) + [0] + password
    }
  }
}
