import COpenSSL

/// The hash functions that XMPP asks for.
package enum HashAlgorithm: String, Hashable, Sendable, CaseIterable {
  case sha1 = "SHA-1"
  case sha256 = "SHA-256"
  case sha512 = "SHA-512"

  /// Length of a hash in bytes.
  package var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }

  /// The bytes that the function takes at a time.
  fileprivate var blockCount: Int { self == .sha512 ? 128 : 64 }

  /// OpenSSL's description of the algorithm; never freed.
  var method: OpaquePointer? {
    switch self {
    case .sha1: unsafe EVP_sha1()
    case .sha256: unsafe Self.fetchedSHA256 ?? EVP_sha256()
    case .sha512: unsafe EVP_sha512()
    }
  }

  /// SHA-256, looked up once: OpenSSL 3 looks up a static description with each call, which takes half of its time.
  /// Guarded by being written once, and OpenSSL counts its references with locks of its own.
  nonisolated(unsafe) private static let fetchedSHA256 = unsafe EVP_MD_fetch(nil, "SHA256", nil)
}

/// Hashes and what is built on them, by OpenSSL.
package enum Digest {
  /// The hash of `bytes`, `algorithm.byteCount` bytes long.
  package static func hash(_ bytes: [UInt8], _ algorithm: HashAlgorithm) throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
    let done = unsafe bytes.withUnsafeBytes { input in
      unsafe digest.withUnsafeMutableBufferPointer { output in
        unsafe EVP_Digest(input.baseAddress, input.count, output.baseAddress, nil, algorithm.method, nil)
      }
    }
    guard done == 1 else { throw .latest(.hash) }
    return digest
  }

  /// Makes OpenSSL ready without its configuration, which takes a millisecond to read and is for TLS: for a program that
  /// only hashes. Has no effect once OpenSSL is in use.
  package static func prepareForHashes() {
    // The lists of ciphers and digests are not ruled out: certificates need them, should the program come to those.
    _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
  }

  /// HMAC (RFC 2104) of `message` under `key`, `algorithm.byteCount` bytes long. Any length of key is right. Made of two
  /// hashes, because OpenSSL's own looks up its algorithms with each call, which takes three quarters of its time.
  package static func hmac(
    key: [UInt8], message: [UInt8], _ algorithm: HashAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    guard key.count <= algorithm.blockCount else {
      var shortened = try hash(key, algorithm)
      defer { shortened.wipe() }
      return try hmac(key: shortened, message: message, algorithm)
    }
    var block = [UInt8](repeating: innerPad, count: algorithm.blockCount)
    block.reserveCapacity(block.count + max(message.count, algorithm.byteCount))
    defer { block.wipe() }
    for index in key.indices { block[index] ^= key[index] }
    block += message
    do throws(CryptoError) {
      let inner = try hash(block, algorithm)
      for index in 0..<algorithm.blockCount { block[index] ^= innerPad ^ outerPad }
      block.replaceSubrange(algorithm.blockCount..., with: inner)
      return try hash(block, algorithm)
    } catch {
      throw CryptoError(.hmac, code: error.code)
    }
  }

  /// RFC 2104's `ipad` and `opad`.
  private static let (innerPad, outerPad): (UInt8, UInt8) = (0x36, 0x5C)

  /// PBKDF2 (RFC 8018, section 5.2) with HMAC, one hash long: SCRAM's `Hi` (RFC 5802, section 2.2).
  ///
  /// Takes about 1 ms for each 4096 iterations: not for the event loop. `iterations` must be positive; the caller
  /// bounds what a peer asks for. The result is as good as the password: see `SecretBytes`.
  package static func pbkdf2(
    password: [UInt8], salt: [UInt8], iterations: Int, _ algorithm: HashAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    guard
      iterations > 0, let rounds = Int32(exactly: iterations),
      let passwordLength = Int32(exactly: password.count), let saltLength = Int32(exactly: salt.count)
    else { throw CryptoError(.keyDerivation, code: 0) }
    var key = [UInt8](repeating: 0, count: algorithm.byteCount)
    let done = unsafe password.withUnsafeBytes { password in
      unsafe salt.withUnsafeBufferPointer { salt in
        unsafe key.withUnsafeMutableBufferPointer { output in
          unsafe PKCS5_PBKDF2_HMAC(
            password.assumingMemoryBound(to: CChar.self).baseAddress, passwordLength, salt.baseAddress, saltLength,
            rounds, algorithm.method, Int32(output.count), output.baseAddress)
        }
      }
    }
    guard done == 1 else { throw .latest(.keyDerivation) }
    return key
  }

  /// Compares bytes in a time that does not depend on the position of a difference (their lengths are no secret).
  package static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return unsafe one.withUnsafeBytes { one in
      unsafe other.withUnsafeBytes { other in
        unsafe CRYPTO_memcmp(one.baseAddress, other.baseAddress, one.count) == 0
      }
    }
  }
}

extension CryptoError {
  /// The failure that OpenSSL just reported in this thread, its queue of errors emptied.
  static func latest(_ operation: Operation) -> CryptoError {
    let code = ERR_get_error()
    ERR_clear_error()
    return CryptoError(operation, code: UInt(code))
  }
}
