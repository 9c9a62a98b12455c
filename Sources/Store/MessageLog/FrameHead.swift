import Bytes

extension SegmentID {
  /// The sequence number of which a head in this segment has the lowest 24 bits: no segment has more records than they
  /// can tell apart.
  @inline(__always) func sequence(low: UInt32) -> UInt64 {
    first &+ UInt64((low &- UInt32(truncatingIfNeeded: first)) & 0xFF_FFFF)
  }

  /// The sequence number in the head of a frame at `position`.
  @inline(__always) func sequence(in bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    let word = UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
    return sequence(low: word >> 8)
  }
}

/// The part of a frame before its payload (docs/LOG-FORMAT.md, "Frames").
struct FrameHead {
  var checksum: UInt32
  var kind: UInt8
  var length: Int
  var sequence: UInt64
  /// Bytes of the head itself.
  var size: Int
  /// The checksum's initial value.
  private let seed: UInt32

  /// Bytes of a head with a payload shorter than 128 bytes, and of one with the longest payload. The first is also the
  /// size of the shortest frame.
  static let shortest = 9
  static let longest = 12
  /// The place of the kind.
  static let kindOffset = 4

  /// The head at the start of `bytes`, of which there are `count`; nil if it is longer than that, or states a length
  /// out of bounds.
  @inline(__always) init?(at bytes: UnsafeRawPointer, _ count: Int, in segment: SegmentID) {
    guard count >= Self.shortest else { return nil }
    checksum = UInt32(littleEndian: unsafe bytes.loadUnaligned(as: UInt32.self))
    let word = UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    kind = UInt8(truncatingIfNeeded: word)
    sequence = segment.sequence(low: word >> 8)
    seed = Self.seed(of: sequence)
    guard let (length, end) = unsafe Self.length(at: bytes, count) else { return nil }
    (self.length, size) = (length, end)
  }

  /// Bytes of the whole frame.
  var frameSize: Int { size + length }

  /// True if the checksum is that of `covered`, the frame without its checksum.
  @inline(__always) func isSound(_ covered: UnsafeRawBufferPointer) -> Bool {
    unsafe CRC32C.checksum(covered, continuing: seed) == checksum
  }

  /// The initial value of a frame's checksum: the bits of the sequence number that the head leaves out, so that a frame
  /// copied from another segment is not sound in this one.
  @inline(__always) private static func seed(of sequence: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: sequence >> 24 ^ sequence >> 56)
  }

  /// True if nothing has been written at this position.
  func isEmpty(in segment: SegmentID) -> Bool {
    checksum == 0 && kind == 0 && length == 0 && sequence == segment.sequence(low: 0)
  }

  /// The length of the payload, and the end of its varint.
  @inline(__always) private static func length(at bytes: UnsafeRawPointer, _ count: Int) -> (Int, Int)? {
    var length = 0
    for index in 0..<min(4, count - 8) {
      let byte = unsafe bytes.load(fromByteOffset: 8 + index, as: UInt8.self)
      length |= Int(byte & 0x7F) << (7 * index)
      if byte < 0x80 { return length <= LogFormat.maximumPayload ? (length, 9 + index) : nil }
    }
    return nil
  }
}

// Writing frames.
extension FrameHead {
  /// Bytes of a head where the length takes two, as it mostly does: so much is left free before a payload is written.
  static let usual = shortest + 1

  /// Completes the frame that ends `bytes` and begins at `start` with `usual` bytes for its head.
  static func close(_ bytes: inout [UInt8], from start: Int, kind: UInt8, sequence: UInt64) {
    let length = bytes.count - start - usual
    precondition(length <= LogFormat.maximumPayload, "a record of \(length) bytes: the caller must bound its input")
    if length < 0x80 || length >= 0x4000 { makeFit(&bytes, at: start + 8, length) }
    bytes.put(UInt32(kind) | UInt32(truncatingIfNeeded: sequence) << 8, at: start + 4)
    write(length, into: &bytes, at: start + 8)
    seal(&bytes, from: start, sequence: sequence)
  }

  /// Gives a length that takes more than two bytes, or one, the room that it takes.
  private static func makeFit(_ bytes: inout [UInt8], at place: Int, _ length: Int) {
    if length < 0x80 { bytes.remove(at: place) }
    if length >= 0x4000 { bytes.insert(0, at: place) }
    if length >= 0x20_0000 { bytes.insert(0, at: place) }
  }

  private static func write(_ length: Int, into bytes: inout [UInt8], at place: Int) {
    var bytes = bytes.mutableSpan
    var (rest, end) = (length, place)
    while rest >= 0x80 {
      bytes[end] = UInt8(truncatingIfNeeded: rest) | 0x80
      rest >>= 7
      end += 1
    }
    bytes[end] = UInt8(rest)
  }

  /// Puts the checksum into the frame that ends `bytes` and begins at `start`.
  static func seal(_ bytes: inout [UInt8], from start: Int, sequence: UInt64) {
    bytes.put(checksum(bytes, from: start, sequence: sequence), at: start)
  }

  private static func checksum(_ bytes: [UInt8], from start: Int, sequence: UInt64) -> UInt32 {
    let covered = unsafe bytes.span.bytes.extracting(droppingFirst: start + 4)
    return CRC32C.checksum(covered, continuing: seed(of: sequence))
  }
}
