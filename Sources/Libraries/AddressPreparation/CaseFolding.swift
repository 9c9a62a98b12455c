import CUnistring

/// Full case folding, by libunistring: what two texts have in common that differ in case, or in how their characters are
/// composed, and in nothing else (Unicode, section 3.13, D145; in form C).
package enum CaseFolding {
  /// The text without its case, in form C. Nil if there is no memory.
  package static func fold(_ text: [UInt32]) -> [UInt32]? {
    unsafe map(text) { unsafe confab_casefold($0, $1, $2) }
  }

  /// The text in form D. Nil if there is no memory.
  package static func decompose(_ text: [UInt32]) -> [UInt32]? {
    unsafe map(text) { unsafe confab_decompose($0, $1, $2) }
  }

  private static func map(_ text: [UInt32], _ mapping: Characters.Mapping) -> [UInt32]? {
    if text.isEmpty { return [] }
    var count = 0
    let result = unsafe text.withUnsafeBufferPointer { unsafe mapping($0.baseAddress, $0.count, &count) }
    guard let result = unsafe result else { return nil }
    defer { unsafe confab_unistring_free(result) }
    return unsafe Array(UnsafeBufferPointer(start: result, count: count))
  }

  /// True if a scalar may form one character with the text before it: a mark, or a vowel or a final of Hangul. A text
  /// cut before other scalars can be folded piece by piece.
  package static func joins(_ scalar: UInt32) -> Bool {
    if scalar < 0x300 { return false }
    if unsafe uc_is_general_category(scalar, UC_CATEGORY_M) { return true }
    return [GBP_V, GBP_T].contains(Int(uc_graphemeclusterbreak_property(scalar)))
  }

  /// False if folding keeps a scalar that stands alone as it is. Syllables of Hangul stay, too, and are not looked at.
  package static func mayChange(_ scalar: UInt32) -> Bool {
    if (0xAC00...0xD7A3).contains(scalar) { return false }
    return uc_is_property_changes_when_casefolded(scalar) || isComposed(scalar)
  }

  /// The canonical decomposition of a scalar, one step; nil if it has none.
  private static func isComposed(_ scalar: UInt32) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Int(UC_DECOMPOSITION_MAX_LENGTH)) {
      unsafe uc_canonical_decomposition(scalar, $0.baseAddress) >= 0
    }
  }
}
