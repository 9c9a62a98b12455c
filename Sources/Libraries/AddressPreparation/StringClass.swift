/// The two classes of strings of RFC 8264, section 4: what an identifier may hold, and what free text may.
enum StringClass {
  case identifier, freeform

  /// The class of a character in strings of this kind (RFC 8264, section 8).
  enum Derived: Equatable {
    case valid
    /// Allowed if `ContextRules` allow it.
    case contextual
    case disallowed
    /// Younger than our tables.
    case unassigned
  }

  /// Throws the first character that may not be where it is.
  func check(_ text: [Unicode.Scalar]) throws(PRECISError) {
    for (index, scalar) in text.enumerated() {
      switch derived(scalar) {
      case .valid: break
      case .contextual: guard ContextRules.allow(text, at: index) else { throw .misplaced(scalar) }
      case .disallowed: throw .disallowed(scalar)
      case .unassigned: throw .unassigned(scalar)
      }
    }
  }

  /// The algorithm of RFC 8264, section 8, in its order.
  func derived(_ scalar: Unicode.Scalar) -> Derived {
    if let exception = Self.exception(scalar) { return exception }
    if scalar.isIn(.unassigned), !scalar.isNoncharacter { return .unassigned }
    if (0x21...0x7E).contains(scalar.value) { return .valid }
    if scalar.isJoinControl { return .contextual }
    if scalar.isConjoiningJamo || scalar.isDefaultIgnorable || scalar.isNoncharacter || scalar.isIn(.controls) {
      return .disallowed
    }
    // Compatibility forms of other characters (section 9.17) are no part of an identifier.
    if Characters.normalize([scalar], compatibly: true) != [scalar] { return freeText }
    if scalar.isIn(.letterDigits) { return .valid }
    return scalar.isIn(.otherText) ? freeText : .disallowed
  }

  /// `ID_DIS or FREE_PVAL`
  private var freeText: Derived { self == .freeform ? .valid : .disallowed }

  /// Section 9.6.
  private static func exception(_ scalar: Unicode.Scalar) -> Derived? {
    switch scalar.value {
    case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: .valid
    case 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x660...0x669, 0x6F0...0x6F9: .contextual
    case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: .disallowed
    default: nil
    }
  }
}
