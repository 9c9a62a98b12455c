/// Characters that are not seen, so that two texts look the same and are not.
package enum InvisibleCharacters {
  package static func has(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0xAD: false
    case 0x2800, 0xFFF9...0xFFFB: true
    case 0xFE00...0xFE0F: false
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// True if the scalar is shown as a mark. Joiners within scripts and emoji that need them are not, nor are the tags
  /// of regional flags.
  package static func isMarked(_ scalar: Unicode.Scalar, behind last: Unicode.Scalar?) -> Bool {
    guard has(scalar) else { return false }
    switch scalar.value {
    case 0x200C, 0x200D: return last.map { $0.value < 0x600 } ?? true
    case 0xE0020...0xE007F: return last.map { $0.value != 0x1F3F4 && !(0xE0020...0xE007F).contains($0.value) } ?? true
    default: return true
    }
  }
}
