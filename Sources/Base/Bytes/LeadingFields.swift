/// Fields that a payload begins with, which have no tags (docs/LOG-FORMAT.md, "Leading fields"): its first byte has a bit for
/// each of up to 7 that says whether it is there, the lowest for the first. The highest bit says that fields with tags
/// follow, behind a varint with how many bytes they take. All that is left is the value of one more field, of bytes.
public struct LeadingFields: Sendable {
  /// The bit that says that fields with tags follow.
  public static let moreBit: UInt8 = 0x80

  static let none = LeadingFields(InlineArray(repeating: 0), bytes: 0, last: 0)

  /// The numbers of the fields, in their order.
  let numbers: InlineArray<7, UInt8>
  /// A bit for each that is bytes and not a number.
  let bytes: UInt8
  /// The number of the last one.
  let last: UInt8

  /// - Parameters:
  ///   - bytes: a bit for each of `numbers` that is bytes behind a varint with their count; the others are varints.
  ///   - last: the number of the field that takes all that is left.
  public init(_ numbers: InlineArray<7, UInt8>, bytes: UInt8, last: UInt8) {
    (self.numbers, self.bytes, self.last) = (numbers, bytes, last)
  }
}
