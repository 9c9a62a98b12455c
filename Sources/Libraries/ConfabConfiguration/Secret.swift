import Glibc

/// A password: never printed, comparable only to another, and overwritten when it is released.
///
/// Sendable although it holds a raw pointer: the memory is written in `init` and in `deinit` only, when no other thread can
/// see it, and read in between.
@safe
package final class Secret: Equatable, @unchecked Sendable, CustomStringConvertible {
  private let storage: UnsafeMutableRawBufferPointer

  /// A copy of `bytes`.
  package init(_ bytes: [UInt8]) {
    unsafe storage = .allocate(byteCount: bytes.count, alignment: 1)
    unsafe storage.copyBytes(from: bytes)
  }

  deinit {
    if let start = unsafe storage.baseAddress { unsafe explicit_bzero(start, storage.count) }
    unsafe storage.deallocate()
  }

  /// A copy, the caller's own to wipe.
  package var bytes: [UInt8] { unsafe Array(storage) }

  package var description: String { "(secret)" }

  /// Looks at every byte, wherever they differ.
  package static func == (a: Secret, b: Secret) -> Bool {
    let (a, b) = unsafe (a.storage, b.storage)
    guard a.count == b.count else { return false }
    return unsafe zip(a, b).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension String {
  /// Overwrites the text where it stands, for its owner, once nobody needs it any more. A text short enough to be
  /// stored in the value itself is left.
  func wipeStorage() {
    var text = self
    text.withUTF8 {
      if let start = $0.baseAddress { unsafe explicit_bzero(UnsafeMutableRawPointer(mutating: start), $0.count) }
    }
  }
}

extension [UInt8] {
  /// Overwrites the bytes and empties the array; of shared storage it wipes a private copy only.
  mutating func wipe() {
    unsafe withUnsafeMutableBytes { if let start = $0.baseAddress { unsafe explicit_bzero(start, $0.count) } }
    removeAll()
  }
}
