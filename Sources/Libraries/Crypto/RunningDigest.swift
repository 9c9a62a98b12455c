import COpenSSL

/// A hash of bytes that come piece by piece.
@safe package final class RunningDigest {
  package let algorithm: HashAlgorithm
  private let context: OpaquePointer

  package init(_ algorithm: HashAlgorithm) throws(CryptoError) {
    self.algorithm = algorithm
    guard let context = unsafe EVP_MD_CTX_new() else { throw .latest(.hash) }
    unsafe self.context = context
    guard unsafe EVP_DigestInit_ex(context, algorithm.method, nil) == 1 else { throw .latest(.hash) }
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  package func add(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
    guard unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw .latest(.hash) }
  }

  /// The hash of all bytes; once.
  package func finish() throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
    guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw .latest(.hash) }
    return digest
  }
}
