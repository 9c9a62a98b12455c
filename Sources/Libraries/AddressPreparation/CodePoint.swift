import CUnistring

/// Properties from the Unicode Character Database, by libunistring.
extension Unicode.Scalar {
  /// General categories, as a set of bits.
  struct Categories: OptionSet {
    let rawValue: UInt32

    static let lowercase = Self(UC_CATEGORY_MASK_Ll)
    /// Letters, marks and digits as words are made of (RFC 8264, section 9.1).
    static let letterDigits: Self = [
      lowercase, Self(UC_CATEGORY_MASK_Lu), Self(UC_CATEGORY_MASK_Lo), Self(UC_CATEGORY_MASK_Nd),
      Self(UC_CATEGORY_MASK_Lm), Self(UC_CATEGORY_MASK_Mn), Self(UC_CATEGORY_MASK_Mc),
    ]
    /// Categories allowed in free text besides (sections 9.14 to 9.18): other letters and digits, spaces, symbols,
    /// punctuation.
    static let otherText: Self = [
      Self(UC_CATEGORY_MASK_Lt), Self(UC_CATEGORY_MASK_Nl), Self(UC_CATEGORY_MASK_No), Self(UC_CATEGORY_MASK_Me),
      spaces, Self(UC_CATEGORY_MASK_S), Self(UC_CATEGORY_MASK_P),
    ]
    static let spaces = Self(UC_CATEGORY_MASK_Zs)
    static let controls = Self(UC_CATEGORY_MASK_Cc)
    static let unassigned = Self(UC_CATEGORY_MASK_Cn)

    init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ mask: Int) { rawValue = UInt32(truncatingIfNeeded: mask) }
  }

  func isIn(_ categories: Categories) -> Bool { uc_is_general_category_withtable(value, categories.rawValue) }

  var isNoncharacter: Bool { uc_is_property_not_a_character(value) }
  var isDefaultIgnorable: Bool { uc_is_property_default_ignorable_code_point(value) }
  var isJoinControl: Bool { uc_is_property_join_control(value) }
  /// Canonical combining class 9.
  var isVirama: Bool { uc_combining_class(value) == 9 }

  /// A conjoining jamo: Hangul_Syllable_Type L, V or T.
  var isConjoiningJamo: Bool {
    [GBP_L, GBP_V, GBP_T].contains(Int(uc_graphemeclusterbreak_property(value)))
  }

  /// `UC_BIDI_…`
  var bidiClass: Int { Int(uc_bidi_class(value)) }

  /// `UC_JOINING_TYPE_…`
  var joiningType: Int { Int(uc_joining_type(value)) }

  /// True if the scalar belongs to a script of this name, such as `Greek`.
  func isOf(script: String) -> Bool { unsafe uc_is_script(value, uc_script_byname(script)) }

  /// The character that this is a wide or narrow form of; itself where it is none (RFC 8264, section 5.2.1).
  var withoutWidth: Unicode.Scalar {
    var tag: CInt = -1
    let plain = unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Int(UC_DECOMPOSITION_MAX_LENGTH)) {
      let count = unsafe uc_decomposition(value, &tag, $0.baseAddress)
      return count == 1 ? unsafe $0[0] : value
    }
    guard [UC_DECOMP_WIDE, UC_DECOMP_NARROW].contains(Int(tag)) else { return self }
    return Unicode.Scalar(plain) ?? self
  }
}

/// Texts as characters, mapped by libunistring.
enum Characters {
  typealias Mapping = (UnsafePointer<UInt32>?, Int, UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<UInt32>?

  /// Unicode's toLowercase, which looks at what is around a sigma; in no language in particular.
  static func lowercase(_ text: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    unsafe map(text) { unsafe confab_lowercase($0, $1, $2) }
  }

  /// Normalisation form C, or KC.
  static func normalize(_ text: [Unicode.Scalar], compatibly: Bool) -> [Unicode.Scalar]? {
    unsafe map(text) { unsafe confab_normalize($0, $1, compatibly, $2) }
  }

  /// Nil if there is no memory.
  private static func map(_ text: [Unicode.Scalar], _ mapping: Mapping) -> [Unicode.Scalar]? {
    var count = 0
    let result = unsafe text.map(\.value).withUnsafeBufferPointer { unsafe mapping($0.baseAddress, $0.count, &count) }
    guard let result = unsafe result else { return nil }
    defer { unsafe confab_unistring_free(result) }
    return unsafe UnsafeBufferPointer(start: result, count: count).compactMap(Unicode.Scalar.init)
  }
}
