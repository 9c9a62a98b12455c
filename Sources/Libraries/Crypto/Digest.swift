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

  /// OpenSSL's static description of the algorithm; never freed.
  var method: OpaquePointer? {
    switch self {
    case .sha1: unsafe EVP_sha1()
    case .sha256: unsafe EVP_sha256()
    case .sha512: unsafe EVP_sha512()
    }
  }
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

  /// HMAC (RFC 2104) of `message` under `key`, `algorithm.byteCount` bytes long. Any length of key is right.
  package static func hmac(
    key: [UInt8], message: [UInt8], _ algorithm: HashAlgorithm
  ) throws(CryptoError) -> [UInt8] {
    guard let keyLength = Int32(exactly: key.count) else { throw CryptoError(.hmac, code: 0) }
    var code = [UInt8](repeating: 0, count: algorithm.byteCount)
    let done = unsafe key.withUnsafeBytes { key in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe code.withUnsafeMutableBufferPointer { output in
          // A nil key would mean "the one of the call before": an empty array has no address, so any other stands in.
          let address = unsafe key.baseAddress ?? UnsafeRawPointer(output.baseAddress)
          let result = unsafe HMAC(
            algorithm.method, address, keyLength, message.baseAddress, message.count, output.baseAddress, nil)
          return unsafe result != nil
        }
      }
    }
    guard done else { throw .latest(.hmac) }
    return code
  }

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
