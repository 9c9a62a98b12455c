import CUnistring

/// Word boundaries (UAX #29), by libunistring.
package enum WordBreaks {
  /// True if two neighbours belong to one word. In scripts written without spaces (Han, Hiragana, Thai) no two do.
  package static func joins(_ one: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
    switch property(next) {
    case WBP_EXTEND, WBP_FORMAT, WBP_ZWJ: isPart(one)
    case WBP_KATAKANA: [WBP_KATAKANA, WBP_EXTENDNUMLET].contains(property(one))
    default: isPart(one) && isPart(next)
    }
  }

  /// True if a word of a script with spaces may continue with this.
  package static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch property(scalar) {
    case WBP_ALETTER, WBP_HL, WBP_NUMERIC, WBP_EXTENDNUMLET, WBP_EXTEND: true
    default: false
    }
  }

  private static func property(_ scalar: Unicode.Scalar) -> Int { Int(uc_wordbreak_property(scalar.value)) }
}
