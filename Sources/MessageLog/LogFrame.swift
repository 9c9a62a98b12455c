package import Bytes

/// One record, or the beginning of a batch, where it stands in a buffer of the reader: valid only during the call that it
/// is handed to, which is why it cannot be copied.
@safe package struct LogFrame: ~Copyable {
  /// What it is: `LogFormat.batchKind`, or a kind of record, perhaps one of a later version.
  package let kind: UInt8
  /// Its number; of a batch frame, that of the record after it.
  package let sequence: UInt64
  /// Where its frame begins.
  package let location: LogLocation
  private let payload: UnsafeRawBufferPointer

  /// `payload` must stay alive and unchanged as long as the frame.
  init(kind: UInt8, sequence: UInt64, location: LogLocation, payload: UnsafeRawBufferPointer) {
    self.kind = kind
    self.sequence = sequence
    self.location = location
    unsafe self.payload = payload
  }

  /// Bytes of its payload.
  package var payloadCount: Int { unsafe payload.count }

  /// Where the next frame begins.
  package var end: LogLocation {
    LogLocation(ordinal: location.ordinal, offset: location.offset + UInt32(LogFormat.frameOverhead + payloadCount))
  }

  /// Calls `body` with a reader over the fields of the payload.
  package func withFields<R, E: Error>(_ body: (inout FieldReader) throws(E) -> R) throws(E) -> R {
    try FieldReader.read(unsafe payload.bytes, body)
  }

  /// Gives `body` a reader over the fields of the payload to keep as long as it lasts.
  package func lendFields(_ body: (consuming FieldReader) throws(FieldError) -> Void) throws(FieldError) {
    try FieldReader.lend(unsafe payload.bytes, body)
  }

  /// Calls `body` with the payload.
  package func withPayload<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try body(unsafe payload.bytes)
  }

  /// The payload, copied.
  package func copyPayload() -> [UInt8] { unsafe Array(payload) }

  /// Of a batch frame: what was durable before the batch. Nil for records, and for a statement that is none.
  var statedDurable: LogLocation? {
    guard kind == LogFormat.batchKind, payloadCount >= 8 else { return nil }
    let stated = LogLocation(packed: UInt64(littleEndian: unsafe payload.loadUnaligned(as: UInt64.self)))
    return stated <= location ? stated : nil
  }
}

/// What is wrong with the bytes where a frame should begin.
package enum BadFrame: Equatable, Sendable, CustomStringConvertible {
  /// All 16 bytes of its head are zero.
  case empty
  /// The segment ends inside it, or its length is out of bounds.
  case length
  /// Its checksum is wrong.
  case checksum
  /// It is whole, but not the one that should stand there.
  case sequence(UInt64)
  /// The header of the segment is not readable.
  case header
  /// The segment ends although records of it are missing.
  case missing

  package var description: String {
    switch self {
    case .empty: "nothing but zeros"
    case .length: "length out of bounds"
    case .checksum: "wrong checksum"
    case .sequence(let number): "sequence number \(number) in its place"
    case .header: "segment header not readable"
    case .missing: "records missing"
    }
  }
}

/// The 16 bytes before a payload (docs/LOG-FORMAT.md, "Frames").
struct FrameHead {
  var checksum: UInt32
  var kind: UInt8
  var length: Int
  var sequence: UInt64

  /// The head at the start of `bytes`, of which there must be 16.
  @inline(__always) init(at bytes: UnsafeRawPointer) {
    checksum = UInt32(littleEndian: unsafe bytes.loadUnaligned(as: UInt32.self))
    let word = UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    kind = UInt8(truncatingIfNeeded: word >> 24)
    length = Int(word & 0xFF_FFFF)
    sequence = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// Whether nothing at all has been written there.
  var isEmpty: Bool { checksum == 0 && kind == 0 && length == 0 && sequence == 0 }

  /// Room for a head.
  static let blank = [UInt8](repeating: 0, count: LogFormat.frameOverhead)

  /// Bytes of the whole frame.
  var frameSize: Int { LogFormat.frameOverhead + length }

  /// Completes the frame that ends `bytes` and begins at `start` with 16 bytes kept free for its head.
  static func close(_ bytes: inout [UInt8], from start: Int, kind: UInt8, sequence: UInt64) {
    let length = bytes.count - start - LogFormat.frameOverhead
    precondition(length <= LogFormat.maximumPayload, "a record of \(length) bytes: the caller must bound its input")
    unsafe bytes.withUnsafeMutableBytes { buffer in
      let frame = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      let word = UInt32(length) | UInt32(kind) << 24
      unsafe frame.storeBytes(of: word.littleEndian, toByteOffset: 4, as: UInt32.self)
      unsafe frame.storeBytes(of: sequence.littleEndian, toByteOffset: 8, as: UInt64.self)
      let checksum = unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: frame[4...]))
      unsafe frame.storeBytes(of: checksum.littleEndian, as: UInt32.self)
    }
  }
}
