import Bytes
import Crypto
import Testing

/// Published vectors: FIPS 180 and RFC 6234 for the hashes, RFC 2202 and RFC 4231 for HMAC, RFC 6070 and RFC 7914 for
/// PBKDF2; SHA-512's PBKDF2 against Python's hashlib.
@Suite struct DigestTests {
  @Test(
    arguments: [
      (HashAlgorithm.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        .sha512, "abc",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
    ])
  func hashes(algorithm: HashAlgorithm, text: String, expected: String) throws {
    #expect(try Hex.encode(Digest.hash(Array(text.utf8), algorithm)) == expected)
  }

  @Test(
    arguments: [
      (HashAlgorithm.sha1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
      (.sha256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
      (
        .sha512,
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
          + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
      ),
    ])
  func hmac(algorithm: HashAlgorithm, expected: String) throws {
    let code = try Digest.hmac(key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8), algorithm)
    #expect(Hex.encode(code) == expected)
  }

  @Test func hmacOfEmptyKeyAndMessageDoesNotReuseTheKeyBefore() throws {
    _ = try Digest.hmac(key: Array("before".utf8), message: Array("x".utf8), .sha256)
    let code = try Digest.hmac(key: [], message: [], .sha256)
    #expect(Hex.encode(code) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test func hmacHashesLongKeys() throws {
    let key = [UInt8](repeating: 0xaa, count: 131)
    let message = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    let code = try Digest.hmac(key: key, message: message, .sha256)
    #expect(Hex.encode(code) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  @Test(
    arguments: [
      (HashAlgorithm.sha1, "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
      (.sha1, "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
      (.sha1, "pass\0word", "sa\0lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"),
      (.sha256, "passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
      (.sha256, "", "salt", 1, "f135c27993baf98773c5cdb40a5706ce6a345cde61b000a67858650cd6a324d7"),
      (.sha512, "password", "salt", 1, "867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252"),
    ])
  func pbkdf2(algorithm: HashAlgorithm, password: String, salt: String, iterations: Int, prefix: String) throws {
    let key = try Digest.pbkdf2(
      password: Array(password.utf8), salt: Array(salt.utf8), iterations: iterations, algorithm)
    #expect(key.count == algorithm.byteCount)
    #expect(Hex.encode(key).hasPrefix(prefix))
  }

  @Test(arguments: [0, -1, Int(Int32.max) + 1, Int.min])
  func pbkdf2RefusesCountsThatAreNone(iterations: Int) {
    #expect(throws: CryptoError(.keyDerivation, code: 0)) {
      try Digest.pbkdf2(password: [1], salt: [2], iterations: iterations, .sha1)
    }
  }

  @Test func equality() {
    #expect(Digest.equal([], []))
    #expect(Digest.equal([1, 2], [1, 2]))
    #expect(!Digest.equal([1, 2], [1, 3]))
    #expect(!Digest.equal([1, 2], [1, 2, 0]))
    #expect(!Digest.equal([], [0]))
  }
}
