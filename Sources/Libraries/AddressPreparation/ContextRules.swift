import CUnistring

/// The contextual rules for characters allowed only in some positions (RFC 5892, appendix A).
enum ContextRules {
  static func allow(_ text: [Unicode.Scalar], at index: Int) -> Bool {
    let before = index > 0 ? text[index - 1] : nil
    let after = index + 1 < text.count ? text[index + 1] : nil
    return switch text[index].value {
    case 0x200C: before?.isVirama == true || breaksJoin(text, at: index)
    case 0x200D: before?.isVirama == true
    // The middle dot of Catalan.
    case 0xB7: before == "l" && after == "l"
    case 0x375: after?.isOf(script: "Greek") == true
    case 0x5F3, 0x5F4: before?.isOf(script: "Hebrew") == true
    case 0x30FB: text.contains { isJapanese($0) }
    // Arabic-Indic digits and the extended ones are not mixed.
    case 0x660...0x669: !text.contains { (0x6F0...0x6F9).contains($0.value) }
    case 0x6F0...0x6F9: !text.contains { (0x660...0x669).contains($0.value) }
    default: false
    }
  }

  private static func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
    ["Hiragana", "Katakana", "Han"].contains { scalar.isOf(script: $0) }
  }

  /// A zero-width non-joiner between letters that would join: `(L|D) T* ZWNJ T* (R|D)` of joining types.
  private static func breaksJoin(_ text: [Unicode.Scalar], at index: Int) -> Bool {
    let before = text[..<index].last { $0.joiningType != UC_JOINING_TYPE_T }
    let after = text[(index + 1)...].first { $0.joiningType != UC_JOINING_TYPE_T }
    guard let before, let after else { return false }
    return [UC_JOINING_TYPE_L, UC_JOINING_TYPE_D].contains(before.joiningType)
      && [UC_JOINING_TYPE_R, UC_JOINING_TYPE_D].contains(after.joiningType)
  }
}
