/// Names of files that others choose, or that go to others.
package enum FileName {
  /// The most bytes of a name, as file systems have it.
  package static let longest = 255

  /// A name that leads to no other folder and writes in no other direction: a slash becomes a line below, control and
  /// bidi characters are left out, and what is too long is cut off. Nil if nothing is left that could be a name.
  package static func cleaned(_ name: String) -> String? {
    var cleaned = String.UnicodeScalarView()
    var bytes = 0
    for scalar in name.unicodeScalars where !isHidden(scalar) {
      let scalar: Unicode.Scalar = scalar == "/" ? "_" : scalar
      bytes += UTF8.width(scalar)
      guard bytes <= longest else { break }
      cleaned.append(scalar)
    }
    let text = String(cleaned)
    return text.isEmpty || text == "." || text == ".." ? nil : text
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    // Noncharacters, which XML cannot carry.
    case 0xFFFE, 0xFFFF: true
    default:
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }
}
