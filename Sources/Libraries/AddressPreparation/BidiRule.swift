import CUnistring

/// The Bidi Rule (RFC 5893, section 2): what mixes writing directions must not look like something else.
enum BidiRule {
  /// True if the text obeys the rule, or has no right-to-left writing.
  static func allows(_ text: [Unicode.Scalar]) -> Bool {
    let classes = text.map(\.bidiClass)
    guard classes.contains(where: rightToLeft.union([UC_BIDI_AN]).contains), let first = classes.first else {
      return true
    }
    // Marks at the end do not count.
    guard let last = classes.last(where: { $0 != UC_BIDI_NSM }) else { return false }
    if rightToLeft.contains(first) {
      return classes.allSatisfy(neutral.union(rightToLeft).union([UC_BIDI_AN]).contains)
        && rightToLeft.union([UC_BIDI_EN, UC_BIDI_AN]).contains(last)
        && !(classes.contains(UC_BIDI_EN) && classes.contains(UC_BIDI_AN))
    }
    return first == UC_BIDI_L && classes.allSatisfy(neutral.union([UC_BIDI_L]).contains)
      && [UC_BIDI_L, UC_BIDI_EN].contains(last)
  }

  private static let rightToLeft: Set = [UC_BIDI_R, UC_BIDI_AL]
  /// The classes allowed in either direction.
  private static let neutral: Set = [
    UC_BIDI_EN, UC_BIDI_ES, UC_BIDI_CS, UC_BIDI_ET, UC_BIDI_ON, UC_BIDI_BN, UC_BIDI_NSM,
  ]
}
