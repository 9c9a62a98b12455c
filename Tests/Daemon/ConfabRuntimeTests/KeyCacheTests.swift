import ConfabAccounts
import Crypto
import SASL
import ConfabConfiguration
import Testing

@testable import ConfabRuntime

@Suite("Keys of passwords")
struct KeyCacheTests {
  private let keys = KeyCache()

  /// What comes for a derivation, and whether the password was read for it.
  private func ask(
    _ hash: HashAlgorithm, salt: [UInt8] = [1], iterations: Int = 4096, password: String? = "pencil"
  ) -> (key: [UInt8]?, hasRead: Bool) {
    let derivation = KeyDerivation(hash: hash, salt: salt, iterations: iterations)
    return ask(.saltedPassword(derivation), password: password)
  }

  private func ask(_ request: CredentialRequest, password: String?) -> (key: [UInt8]?, hasRead: Bool) {
    var hasRead = false
    let derived = keys.derived(request) { () throws(ConfigurationError) in
      hasRead = true
      guard let password else { throw ConfigurationError(file: "", expected: "a password") }
      return Secret(Array(password.utf8))
    }
    if case .credential(let key) = derived { return (key, hasRead) }
    return (nil, hasRead)
  }

  @Test("are kept for the same hash, salt and iterations")
  func kept() throws {
    let first = ask(.sha256)
    #expect(first.key != nil && first.hasRead)
    let again = (first.key, false)
    #expect(ask(.sha256) == again && ask(.sha256, password: nil) == again)
    #expect(ask(.sha1).hasRead && !ask(.sha1).hasRead && ask(.sha256) == again)
    for (salt, iterations) in [([1, 2], 4096), ([1], 4097)] as [([UInt8], Int)] {
      let other = ask(.sha256, salt: salt, iterations: iterations)
      #expect(other.hasRead && other.key != first.key)
    }
  }

  @Test("of an earlier salt are gone: one of each hash is kept")
  func newest() {
    _ = ask(.sha256)
    _ = ask(.sha256, salt: [2])
    #expect(ask(.sha256).hasRead)
  }

  @Test("are all that is kept: what PLAIN sends is made of the password each time")
  func plain() {
    for password in ["one", "two"] {
      let message = ask(.plainMessage(username: "a"), password: password)
      #expect(message == (Array("\0a\0\(password)".utf8), true))
    }
  }

  @Test("that could not be had are not kept")
  func failure() {
    #expect(ask(.sha256, password: nil) == (nil, true))
    #expect(ask(.sha256, password: "\u{7}") == (nil, true))
    #expect(ask(.sha256).hasRead)
  }
}
