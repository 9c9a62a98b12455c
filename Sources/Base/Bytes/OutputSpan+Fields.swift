// Fields in room that has been made for them (`FieldWriter.append`): a message has some ten.
extension OutputSpan<UInt8> {
  /// A leading field (`LeadingFields`) with an unsigned number.
  public mutating func leading(_ value: UInt64) { varint(value) }

  /// One with a signed number.
  public mutating func leading(_ value: Int64) { varint(Varint.zigzag(value)) }

  /// One with bytes.
  public mutating func leading(_ value: Span<UInt8>) {
    varint(UInt64(value.count))
    append(copying: value)
  }

  /// Field `number` with an unsigned number.
  public mutating func field(_ number: UInt32, _ value: UInt64) { begin(number, .varint, value) }

  /// One with a signed number.
  public mutating func field(_ number: UInt32, _ value: Int64) { field(number, Varint.zigzag(value)) }

  /// One with bytes.
  public mutating func field(_ number: UInt32, _ value: Span<UInt8>) {
    begin(number, .bytes, UInt64(value.count))
    append(copying: value)
  }

  /// Fields written by `body`, behind how many bytes they take. Called twice where these are many: only then is it known
  /// how many bytes that number takes.
  public mutating func group(_ body: (inout OutputSpan<UInt8>) -> Void) {
    let start = count
    append(0)
    body(&self)
    let length = count - start - 1
    guard length >= 0x80 else {
      var written = mutableSpan
      return written[start] = UInt8(length)
    }
    removeLast(length + 1)
    varint(UInt64(length))
    body(&self)
  }

  /// Appends bytes, for which there must be room, at one stroke.
  public mutating func append(copying bytes: Span<UInt8>) {
    precondition(bytes.count <= freeCapacity, "no room")
    unsafe withUnsafeMutableBufferPointer { room, count in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let start = room.baseAddress, let from = bytes.baseAddress else { return }
        unsafe (start + count).initialize(from: from, count: bytes.count)
        count += bytes.count
      }
    }
  }

  @inline(__always)
  mutating func begin(_ number: UInt32, _ type: WireType, _ value: UInt64) {
    varint(WireType.tag(number, type))
    varint(value)
  }

  @inline(__always)
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
