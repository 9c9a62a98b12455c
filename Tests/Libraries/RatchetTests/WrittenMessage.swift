import Bytes

@testable import Ratchet

/// The bytes of a message that is made by hand, field by field.
struct WrittenMessage {
  var counter: UInt32 = 0
  var ratchetKey: CurveKey
  var ciphertext = [UInt8](repeating: 7, count: 48)

  func bytes(_ version: RatchetVersion) -> [UInt8] { version == .legacy ? legacy : omemo2 }

  private var legacy: [UInt8] {
    var writer = FieldWriter(appendingTo: [0x33])
    writer.bytes(1, ratchetKey.typed)
    writer.uint(2, UInt64(counter))
    writer.uint(3, 0)
    writer.bytes(4, ciphertext)
    return writer.bytes + [UInt8](repeating: 0, count: 8)
  }

  private var omemo2: [UInt8] {
    var inner = FieldWriter()
    inner.uint(1, UInt64(counter))
    inner.uint(2, 0)
    inner.bytes(3, ratchetKey.bytes)
    inner.bytes(4, ciphertext)
    var writer = FieldWriter()
    writer.bytes(1, [UInt8](repeating: 0, count: 16))
    writer.bytes(2, inner.bytes)
    return writer.bytes
  }
}
