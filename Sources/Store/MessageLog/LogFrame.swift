package import Bytes

/// One record, or the beginning of a batch, where it stands in a buffer of the reader: valid only during the call that
/// it is handed to, which is why it cannot be copied.
@safe package struct LogFrame: ~Copyable {
  /// `LogFormat.batchKind`, or a kind of record, perhaps one of a later version.
  package let kind: UInt8
  /// Its number; of a batch frame, that of the record after it.
  package let sequence: UInt64
  /// The location of the frame's first byte.
  package let location: LogLocation
  private let payload: UnsafeRawBufferPointer
  /// Bytes of its head.
  let headSize: Int

  /// The frame with this head, which stands at `bytes`; they must stay alive and unchanged as long as the frame.
  init(_ head: FrameHead, at bytes: UnsafeRawPointer, _ location: LogLocation) {
    (kind, sequence, headSize) = (head.kind, head.sequence, head.size)
    self.location = location
    unsafe payload = UnsafeRawBufferPointer(start: bytes + head.size, count: head.length)
  }

  /// Bytes of its payload.
  package var payloadCount: Int { unsafe payload.count }

  /// Bytes of the whole frame.
  var frameSize: Int { headSize + payloadCount }

  /// The location behind the frame, where the next one begins.
  package var end: LogLocation {
    LogLocation(ordinal: location.ordinal, offset: location.offset + UInt32(frameSize))
  }

  /// Calls `body` with a reader over the fields of the payload, which may begin with some that have no tags.
  package func withFields<R, E: Error>(
    _ leading: LeadingFields? = nil, _ body: (inout FieldReader) throws(E) -> R
  ) throws(E) -> R {
    try FieldReader.read(unsafe payload.bytes, leading, body)
  }

  /// Gives `body` a reader over the fields of the payload to keep as long as it lasts.
  package func lendFields(
    _ leading: LeadingFields? = nil, _ body: (consuming FieldReader) throws(FieldError) -> Void
  ) throws(FieldError) {
    try FieldReader.lend(unsafe payload.bytes, leading, body)
  }

  /// Calls `body` with the payload.
  package func withPayload<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try body(unsafe payload.bytes)
  }

  /// The payload, copied.
  package func copyPayload() -> [UInt8] { unsafe Array(payload) }
}

/// The fault of the bytes where a frame should begin.
package enum BadFrame: Equatable, Sendable, CustomStringConvertible {
  /// All bytes of its head are zero.
  case empty
  /// The segment ends inside it, or its length is out of bounds.
  case length
  /// Its checksum is wrong.
  case checksum
  /// It is whole, but not the one that should stand there.
  case sequence(UInt64)
  /// The disk does not give it, or no file has the segment's name.
  case unreadable
  /// The header of the segment is not readable.
  case header
  /// No segment begins with the log's first record.
  case beginning
  /// The segment ends although records of it are missing.
  case missing

  package var description: String {
    switch self {
    case .empty: "nothing but zeros"
    case .length: "length out of bounds"
    case .checksum: "wrong checksum"
    case .sequence(let number): "sequence number \(number) in its place"
    case .unreadable: "the disk cannot read it"
    case .header: "segment header not readable"
    case .beginning: "no segment begins with it"
    case .missing: "records missing"
    }
  }
}
