import COpenSSL

/// Bytes that are overwritten when nobody holds them any more, and that no description shows: keys, salted passwords.
///
/// A caller that copies bytes into an array wipes the array itself.
///
/// Sendable although it holds a raw pointer: the memory is written in `init` and in `deinit` only, when no other thread
/// can see it, and read in between.
@safe
package final class SecretBytes: @unchecked Sendable, Equatable, CustomStringConvertible {
  private let storage: UnsafeMutableRawBufferPointer

  /// A copy of `bytes`.
  package init(copying bytes: [UInt8]) {
    unsafe storage = .allocate(byteCount: bytes.count, alignment: 1)
    unsafe storage.copyBytes(from: bytes)
  }

  deinit {
    unsafe OPENSSL_cleanse(storage.baseAddress, storage.count)
    unsafe storage.deallocate()
  }

  /// Number of bytes.
  package var count: Int { unsafe storage.count }

  /// Lends a copy of the bytes to `body` and wipes it afterwards.
  package func withBytes<Result, Failure: Error>(
    _ body: ([UInt8]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var copy = unsafe Array(storage)
    defer { copy.wipe() }
    return try body(copy)
  }

  /// Compares in constant time.
  package static func == (one: SecretBytes, other: SecretBytes) -> Bool {
    guard one.count == other.count else { return false }
    return unsafe CRYPTO_memcmp(one.storage.baseAddress, other.storage.baseAddress, one.count) == 0
  }

  package var description: String { "(\(count) secret bytes)" }
}

extension [UInt8] {
  /// Overwrites the bytes in a way that no optimiser removes, and empties the array.
  ///
  /// If the array shares its storage with another, this wipes a private copy only: keep secrets in one place.
  package mutating func wipe() {
    unsafe withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
    removeAll(keepingCapacity: false)
  }
}
