/// The values of all leading fields of a payload, read at once.
public struct LeadingValues: ~Copyable {
  /// Numbers, and of what is bytes where they begin and, above, how many they are.
  @usableFromInline var values = InlineArray<8, UInt64>(repeating: 0)
  /// A bit for each that is there, in the order of `LeadingFields`; the highest for the last one, which always is.
  @usableFromInline fileprivate(set) var present: UInt8 = 0
  /// All numbers between those that are bytes but the last, their lengths among them, as one: below 128 if each is.
  fileprivate var between: UInt64 = 0
  /// The offset behind all but the last.
  fileprivate var end = 0

  public init() {}

  /// True if the field at an index is present.
  @inlinable @inline(__always)
  public func has(_ index: Int) -> Bool { present & 1 << UInt8(index) != 0 }

  /// The number at an index; 0 if it is not there.
  @inlinable @inline(__always)
  public func number(_ index: Int) -> UInt64 { values[index] }

  /// The range of the bytes at an index.
  @inlinable @inline(__always)
  public func place(_ index: Int) -> Range<Int> {
    let start = Int(values[index] & 0xFFFF_FFFF)
    return start..<start + Int(values[index] >> 32)
  }

  fileprivate mutating func set(_ index: Int, _ number: UInt64) { values[index] = number }

  fileprivate mutating func set(_ index: Int, _ place: Range<Int>) {
    values[index] = UInt64(place.lowerBound) | UInt64(place.count) << 32
  }
}

extension FieldReader {
  /// Reads all leading fields at once, in place of `next`, which goes on behind them; false if there are none, or some
  /// have been read. A result would be copied, for which the processor waits as long as for reading it.
  public mutating func readLeading(into values: inout LeadingValues) throws(FieldError) -> Bool {
    guard toCome == Self.unread else { return false }
    try beginLeading()
    values.present = UInt8(truncatingIfNeeded: toCome) | LeadingFields.moreBit
    while toCome & 0x7F != 0 {
      let index = toCome.trailingZeroBitCount
      toCome &= toCome - 1
      let first = try varint()
      if leading.bytes & (2 << UInt8(index) - 1) != 0 { values.between |= first }
      if leading.bytes & 1 << UInt8(index) == 0 { values.set(index, first) } else { values.set(index, try take(first)) }
    }
    values.end = offset
    values.set(7, try lastLeading())
    return true
  }

  /// Throws if one of the leading fields that are bytes is no text.
  ///
  /// One look at all but the last is mostly enough: a length below 128 is ASCII, so that no sequence of UTF-8 goes from
  /// one text into the next.
  public func checkTexts(of values: borrowing LeadingValues) throws(FieldError) {
    let texts = values.present & (leading.bytes | LeadingFields.moreBit)
    let start = min(values.place(texts.trailingZeroBitCount).lowerBound, values.end)
    if values.between < 0x80, isText(at: start..<values.end), isText(at: values.place(7)) { return }
    for index in 0..<8 where texts & 1 << UInt8(index) != 0 {
      guard isText(at: values.place(index)) else {
        throw .notUTF8(number: UInt32(index < 7 ? leading.numbers[index] : leading.last))
      }
    }
  }

  private mutating func beginLeading() throws(FieldError) {
    guard offset < end else { throw .truncated }
    toCome = UInt16(unsafe input[offset]) | Self.last
    offset += 1
  }

  /// Goes to the next leading field, at last to what is left of the payload: what follows with tags is read behind that.
  mutating func nextLeading() throws(FieldError) -> UInt32 {
    if toCome == Self.unread { try beginLeading() }
    let bit = toCome.trailingZeroBitCount
    guard bit < 7 else {
      value = .bytes(try lastLeading())
      number = UInt32(leading.last)
      return number
    }
    toCome &= toCome - 1
    number = UInt32(leading.numbers[bit])
    let first = try varint()
    value = leading.bytes & 1 << UInt8(bit) == 0 ? .number(first) : .bytes(try take(first))
    return number
  }

  /// Returns the range of the rest of the payload; fields with tags follow it, if there are any.
  private mutating func lastLeading() throws(FieldError) -> Range<Int> {
    let more = toCome & UInt16(LeadingFields.moreBit) != 0 ? try Int(clamping: varint()) : 0
    guard more <= end - offset else { throw .truncated }
    defer { (end, toCome) = (offset + more, 0) }
    return offset + more..<end
  }
}
