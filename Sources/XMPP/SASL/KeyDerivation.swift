package import Crypto
import AddressPreparation
/// The parameters that turn the password into SCRAM's SaltedPassword (RFC 5802, section 3). The server sends all of
/// them in the clear, so the value is safe to log and is the right key for a cache of salted passwords.
package struct KeyDerivation: Hashable, Sendable {
  /// How many iterations a server may ask for. Below 4096 (RFC 5802, section 5.1; RFC 7677, section 4) a captured login
  /// is too cheap to guess at, so it is refused; the upper bound keeps a server from burning our time (about 0.3 s).
  package static let iterationBounds = 4096...1_000_000

  package let hash: HashAlgorithm
  /// Not empty.
  package let salt: [UInt8]
  /// Within `iterationBounds`.
  package let iterations: Int

  package init(hash: HashAlgorithm, salt: [UInt8], iterations: Int) {
    self.hash = hash
    self.salt = salt
    self.iterations = iterations
  }

  /// The SaltedPassword, `hash.byteCount` bytes: `iterations` rounds of PBKDF2, 1 ms for each 4096 of them, so not for
  /// the event loop. The password is prepared by SASLprep first, as the server did before it hashed it.
  package func saltedPassword(from password: [UInt8]) throws(SASLError) -> [UInt8] {
    var prepared = try Self.prepared(password)
    defer { prepared.wipe() }
    do {
      return try Digest.pbkdf2(password: prepared, salt: salt, iterations: iterations, hash)
    } catch { throw .crypto(error) }
  }

  private static func prepared(_ password: [UInt8]) throws(SASLError) -> [UInt8] {
    do { return try SASLprep.prepare(password) } catch { throw .unusablePassword(error) }
  }
}
