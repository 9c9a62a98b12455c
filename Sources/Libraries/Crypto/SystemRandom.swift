import COpenSSL

/// Unpredictable bytes, from OpenSSL's generator seeded by the kernel.
package enum SystemRandom {
  /// `count` random bytes. Throws where the generator cannot be seeded; there is no weaker source to fall back to.
  package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    guard count >= 0, let length = Int32(exactly: count) else { throw CryptoError(.random, code: 0) }
    var bytes = [UInt8](repeating: 0, count: count)
    let done = unsafe bytes.withUnsafeMutableBufferPointer { output in
      unsafe RAND_bytes(output.baseAddress, length)
    }
    guard done == 1 else { throw .latest(.random) }
    return bytes
  }
}
