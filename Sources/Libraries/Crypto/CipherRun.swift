import COpenSSL

/// One run of a cipher of OpenSSL.
@safe final class CipherRun {
  private let context: OpaquePointer

  /// `key` has the length that the cipher asks for, and so has `nonce`, unless `hasFreeNonce` (GCM).
  init(
    _ cipher: OpaquePointer?, key: [UInt8], nonce: [UInt8], isEncrypting: Bool, hasFreeNonce: Bool = false
  ) throws(CryptoError) {
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .latest(.cipher) }
    unsafe self.context = context
    let direction: Int32 = isEncrypting ? 1 : 0
    guard unsafe EVP_CipherInit_ex(context, cipher, nil, nil, nil, direction) == 1 else { throw .latest(.cipher) }
    if hasFreeNonce { try control(EVP_CTRL_AEAD_SET_IVLEN, nonce.count) }
    guard key.count == Int(unsafe EVP_CIPHER_CTX_get_key_length(context)),
      nonce.count == Int(unsafe EVP_CIPHER_CTX_get_iv_length(context)),
      unsafe EVP_CipherInit_ex(context, nil, nil, key, nonce, direction) == 1
    else { throw .latest(.cipher) }
  }

  deinit { unsafe EVP_CIPHER_CTX_free(context) }

  /// Takes bytes that are authenticated and not encrypted.
  func authenticate(_ bytes: [UInt8]) throws(CryptoError) {
    guard !bytes.isEmpty else { return }
    var count: Int32 = 0
    guard let length = Int32(exactly: bytes.count),
      unsafe EVP_CipherUpdate(context, nil, &count, bytes, length) == 1
    else { throw .latest(.cipher) }
  }

  /// All of the output; nil if its end is not right: padding, or an authentication tag.
  func run(_ input: [UInt8]) throws(CryptoError) -> [UInt8]? {
    guard let length = Int32(exactly: input.count) else { throw CryptoError(.cipher, code: 0) }
    var output = [UInt8](repeating: 0, count: input.count + 2 * Int(EVP_MAX_BLOCK_LENGTH))
    var (count, rest): (Int32, Int32) = (0, 0)
    let (isRunning, isFinished) = unsafe output.withUnsafeMutableBufferPointer { output in
      guard unsafe EVP_CipherUpdate(context, output.baseAddress, &count, input, length) == 1 else {
        return (false, false)
      }
      return (true, unsafe EVP_CipherFinal_ex(context, output.baseAddress?.advanced(by: Int(count)), &rest) == 1)
    }
    guard isRunning else { throw .latest(.cipher) }
    guard isFinished else {
      ERR_clear_error()
      output.wipe()
      return nil
    }
    output.removeSubrange(Int(count + rest)...)
    return output
  }

  /// Encrypts or decrypts bytes in place; for a stream cipher, whose output is as long as its input.
  func update(_ bytes: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    var count: Int32 = 0
    guard unsafe !bytes.isEmpty else { return }
    let place = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    guard let length = Int32(exactly: bytes.count), unsafe EVP_CipherUpdate(context, place, &count, place, length) == 1,
      count == length
    else { throw .latest(.cipher) }
  }

  /// Ends what `update` began; false if the authentication tag does not fit.
  func finish() -> Bool {
    var rest = [UInt8](repeating: 0, count: Int(EVP_MAX_BLOCK_LENGTH))
    var count: Int32 = 0
    let isRight = unsafe EVP_CipherFinal_ex(context, &rest, &count) == 1
    if !isRight { ERR_clear_error() }
    return isRight
  }

  /// The authentication tag after `run`, 16 bytes.
  func tag() throws(CryptoError) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: AESGCM.tagBytes)
    guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1 else {
      throw .latest(.cipher)
    }
    return tag
  }

  /// The tag that `run` is to find.
  func expect(tag: [UInt8]) throws(CryptoError) {
    var tag = tag
    guard let length = Int32(exactly: tag.count),
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, length, &tag) == 1
    else { throw .latest(.cipher) }
  }

  private func control(_ type: Int32, _ value: Int) throws(CryptoError) {
    guard let value = Int32(exactly: value), unsafe EVP_CIPHER_CTX_ctrl(context, type, value, nil) == 1 else {
      throw .latest(.cipher)
    }
  }
}
