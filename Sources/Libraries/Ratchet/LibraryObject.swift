import COmemo

/// One object of libomemo-c that is counted by references: holds one of them, and gives it back.
@safe final class LibraryObject {
  let pointer: OpaquePointer

  private init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  /// Takes the object that `body` makes; throws its error.
  @safe static func make(_ body: (inout OpaquePointer?) -> Int32) throws(RatchetError) -> LibraryObject {
    var pointer: OpaquePointer?
    try RatchetError.check(unsafe body(&pointer))
    guard let pointer = unsafe pointer else { throw .failed(code: 0) }
    return unsafe LibraryObject(pointer)
  }

  deinit { unsafe signal_type_unref(pointer) }
}

extension RatchetError {
  /// Throws the error that a function of the library returned.
  static func check(_ result: Int32) throws(RatchetError) {
    guard result < 0 else { return }
    switch result {
    case SG_ERR_DUPLICATE_MESSAGE: throw .duplicate
    case SG_ERR_INVALID_KEY_ID: throw .unknownPreKey
    case SG_ERR_NO_SESSION: throw .noSession
    case SG_ERR_INVALID_KEY: throw .badKey
    case SG_ERR_UNTRUSTED_IDENTITY: throw .wrongIdentity
    case SG_ERR_INVALID_MESSAGE, SG_ERR_INVALID_MAC, SG_ERR_INVALID_VERSION, SG_ERR_LEGACY_MESSAGE,
      SG_ERR_INVALID_PROTO_BUF:
      throw .damaged
    default: throw .failed(code: result)
    }
  }
}

/// Buffers of the library.
enum LibraryBuffer {
  /// A new buffer, which the library frees; nil: no memory.
  @safe static func make(_ bytes: [UInt8]) -> OpaquePointer? { unsafe signal_buffer_create(bytes, bytes.count) }

  /// The bytes of a buffer, which stays the library's.
  @safe static func bytes(of buffer: OpaquePointer?) -> [UInt8] {
    guard let buffer = unsafe buffer, let data = unsafe signal_buffer_data(buffer) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: data, count: signal_buffer_len(buffer)))
  }

  /// The bytes of a buffer of ours, which is wiped and freed.
  @safe static func take(_ buffer: OpaquePointer?) -> [UInt8] {
    let bytes = Self.bytes(of: buffer)
    unsafe signal_buffer_bzero_free(buffer)
    return bytes
  }
}
