import Syscalls

/// Lines of a file from its beginning, in bounded memory: of one that is too long nothing is kept.
struct InputLines {
  enum Line: Equatable {
    /// Without its LF; a last one may have had none.
    case whole([UInt8])
    case tooLong
  }

  /// Bytes of a line. `export` prints no longer line: a stanza or a name in a roster is at most 1 MiB, and a byte may
  /// become an escape of six.
  static let longest = 16 << 20
  private static let chunk = 64 << 10

  private let descriptor: CInt
  private let longest: Int
  private var buffer: [UInt8] = []
  /// The start of the next line, and the offset before which it has no LF.
  private var (start, looked) = (0, 0)
  /// The offset up to which the file has been read, in bytes.
  private var offset: UInt64 = 0
  private var isAtEnd = false

  /// The descriptor is lent.
  init(_ descriptor: CInt, longest: Int = Self.longest) {
    (self.descriptor, self.longest) = (descriptor, longest)
  }

  /// The next line; nil at the end of input.
  mutating func next() throws(Errno) -> Line? {
    var isTooLong = false
    while true {
      if let end = buffer[looked...].firstIndex(of: 0x0A) { return take(to: end, isTooLong) }
      looked = buffer.count
      if isAtEnd {
        guard start < buffer.count || isTooLong else { return nil }
        return take(to: buffer.count, isTooLong)
      }
      if buffer.count - start > longest {
        isTooLong = true
        start = buffer.count
      }
      try fill()
    }
  }

  private mutating func take(to end: Int, _ isTooLong: Bool) -> Line {
    defer {
      start = min(end + 1, buffer.count)
      looked = start
    }
    return isTooLong || end - start > longest ? .tooLong : .whole(Array(buffer[start..<end]))
  }

  private mutating func fill() throws(Errno) {
    buffer.removeFirst(start)
    (start, looked) = (0, buffer.count)
    let bytes = try Files.read(descriptor, at: offset, count: Self.chunk)
    offset += UInt64(bytes.count)
    isAtEnd = bytes.isEmpty
    buffer += bytes
  }
}
