/// Traits of a code point that decide whether, and how wide, it is shown.
struct CodePointTraits: OptionSet, Hashable {
  let rawValue: UInt16

  /// The two lowest bits are the width: 0, 1 or 2 columns, as wcwidth(3) would say.
  static let widthMask: UInt16 = 3
  /// Combining: general categories Mn, Mc and Me.
  static let mark = CodePointTraits(rawValue: 1 << 2)
  /// Extended_Pictographic (UTS #51).
  static let pictographic = CodePointTraits(rawValue: 1 << 3)
  /// A pictograph of the newest Unicode that the table knows, or of a later one.
  static let newest = CodePointTraits(rawValue: 1 << 4)
  /// A letter or a virama that joiners act upon.
  static let joining = CodePointTraits(rawValue: 1 << 5)
  /// May be followed by a variation selector for emoji.
  static let variationBase = CodePointTraits(rawValue: 1 << 6)
  /// Default_Ignorable_Code_Point: it has no look of its own.
  static let invisible = CodePointTraits(rawValue: 1 << 7)
  /// Neither a character nor reserved for a pictograph.
  static let unassigned = CodePointTraits(rawValue: 1 << 8)

  var width: Int { Int(rawValue & Self.widthMask) }
}

/// Traits of all code points.
enum WidthTable {
  static func traits(of scalar: Unicode.Scalar) -> CodePointTraits {
    if (0x20..<0x7F).contains(scalar.value) { return isKeycapBase(scalar) ? keycapBase : letter }
    var low = 0
    var high = ranges.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if ranges[middle] >> 11 <= scalar.value { low = middle } else { high = middle }
    }
    return CodePointTraits(rawValue: UInt16(ranges[low] & 0x7FF))
  }

  private static let letter = CodePointTraits(rawValue: 1)
  private static let keycapBase = letter.union(.variationBase)

  /// `0` to `9`, `#` and `*`, on which keycaps can be.
  private static func isKeycapBase(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar) || scalar == "#" || scalar == "*"
  }
}
