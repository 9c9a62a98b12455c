import ConfabAccounts
import Crypto
import SASL
import ConfabConfiguration
import Synchronization

/// The salted passwords of one account, so that coming back needs no password: in memory only, overwritten when nobody
/// holds this object any more. Any thread.
final class KeyCache: Sendable {
  private struct Kept {
    let derivation: KeyDerivation
    let key: SecretBytes
  }

  /// The newest of each hash: a server has one salt for an account, and a new one with a new password.
  private let newest = Mutex<[HashAlgorithm: Kept]>([:])

  /// The credentials of a login; the password is read unless a key is cached. PLAIN needs it each time.
  func derived(
    _ request: CredentialRequest, readPassword: () throws(ConfigurationError) -> Secret
  ) -> Derived {
    if let key = key(for: request) { return .credential(key) }
    do {
      var password = try readPassword().bytes
      defer { password.wipe() }
      let credential = try request.credential(from: password)
      keep(credential, for: request)
      return .credential(credential)
    } catch {
      return .failed("\(error)")
    }
  }

  private func key(for request: CredentialRequest) -> [UInt8]? {
    guard case .saltedPassword(let derivation) = request, let kept = newest.withLock({ $0[derivation.hash] }),
      kept.derivation == derivation
    else { return nil }
    return kept.key.withBytes { $0 }
  }

  private func keep(_ credential: [UInt8], for request: CredentialRequest) {
    guard case .saltedPassword(let derivation) = request else { return }
    newest.withLock { $0[derivation.hash] = Kept(derivation: derivation, key: SecretBytes(copying: credential)) }
  }
}
