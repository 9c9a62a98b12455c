import COmemo
import Crypto

/// The hashes, ciphers and random bytes of a call: OpenSSL's, and the caller's.
extension LibraryCall {
  /// The bytes of an HMAC that the library gives piece by piece.
  private final class HMACInput {
    let key: [UInt8]
    var message: [UInt8] = []

    init(key: [UInt8]) { self.key = key }
  }

  static func provider(_ userData: UnsafeMutableRawPointer) -> signal_crypto_provider {
    var provider = unsafe signal_crypto_provider()
    unsafe provider.user_data = userData
    unsafe provider.random_func = { data, count, userData in
      guard let bytes = unsafe LibraryCall.of(userData)?.random(count), bytes.count == count else {
        return SG_ERR_UNKNOWN
      }
      unsafe data?.update(from: bytes, count: count)
      return 0
    }
    unsafe addHMAC(to: &provider)
    unsafe addCiphers(to: &provider)
    return unsafe provider
  }

  private static func addHMAC(to provider: inout signal_crypto_provider) {
    unsafe provider.hmac_sha256_init_func = { context, key, count, _ in
      let input = HMACInput(key: unsafe Array(UnsafeBufferPointer(start: key, count: count)))
      unsafe context?.pointee = Unmanaged.passRetained(input).toOpaque()
      return 0
    }
    unsafe provider.hmac_sha256_update_func = { context, data, count, _ in
      unsafe LibraryCall.input(context)?.message += UnsafeBufferPointer(start: data, count: count)
      return 0
    }
    unsafe provider.hmac_sha256_final_func = { context, output, _ in
      guard let input = unsafe LibraryCall.input(context),
        let code = try? Digest.hmac(key: input.key, message: input.message, .sha256)
      else { return SG_ERR_UNKNOWN }
      unsafe output?.pointee = LibraryBuffer.make(code)
      return 0
    }
    unsafe provider.hmac_sha256_cleanup_func = { context, _ in
      if let context = unsafe context { unsafe Unmanaged<HMACInput>.fromOpaque(context).release() }
    }
  }

  private static func input(_ context: UnsafeMutableRawPointer?) -> HMACInput? {
    unsafe context.map { unsafe Unmanaged<HMACInput>.fromOpaque($0).takeUnretainedValue() }
  }

  /// AES-256-CBC is the only cipher of the two versions; SHA-512 is used by neither.
  private static func addCiphers(to provider: inout signal_crypto_provider) {
    unsafe provider.encrypt_func = { output, cipher, key, keyCount, iv, ivCount, data, count, _ in
      guard cipher == SG_CIPHER_AES_CBC_PKCS5,
        let bytes = try? AESCBC.encrypt(
          unsafe Array(UnsafeBufferPointer(start: data, count: count)),
          key: unsafe Array(UnsafeBufferPointer(start: key, count: keyCount)),
          iv: unsafe Array(UnsafeBufferPointer(start: iv, count: ivCount)))
      else { return SG_ERR_UNKNOWN }
      unsafe output?.pointee = LibraryBuffer.make(bytes)
      return 0
    }
    unsafe provider.decrypt_func = { output, cipher, key, keyCount, iv, ivCount, data, count, _ in
      guard cipher == SG_CIPHER_AES_CBC_PKCS5,
        let bytes = try? AESCBC.decrypt(
          unsafe Array(UnsafeBufferPointer(start: data, count: count)),
          key: unsafe Array(UnsafeBufferPointer(start: key, count: keyCount)),
          iv: unsafe Array(UnsafeBufferPointer(start: iv, count: ivCount)))
      else { return SG_ERR_INVALID_MESSAGE }
      unsafe output?.pointee = LibraryBuffer.make(bytes)
      return 0
    }
  }
}
