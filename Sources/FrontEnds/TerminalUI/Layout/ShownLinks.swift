/// Links in a text: `http://` and `https://` up to white space, without the punctuation behind.
enum ShownLinks {
  /// In Unicode scalars, in order.
  static func links(in text: String) -> [Range<Int>] {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return [] }
    let scalars = Array(text.unicodeScalars)
    var links: [Range<Int>] = []
    var index = 0
    while index < scalars.count {
      guard let scheme = scheme(scalars, at: index) else {
        index += 1
        continue
      }
      let end = end(scalars, from: index + scheme)
      if end > index + scheme { links.append(index..<end) }
      index = end
    }
    return links
  }

  /// How long the scheme is that begins here; nil if none does.
  private static func scheme(_ scalars: [Unicode.Scalar], at index: Int) -> Int? {
    guard scalars[index] == "h" || scalars[index] == "H" else { return nil }
    let rest = String(String.UnicodeScalarView(scalars[index...].prefix(8))).lowercased()
    let scheme = rest.hasPrefix("https://") ? 8 : rest.hasPrefix("http://") ? 7 : nil
    let isWithinWord = index > 0 && scalars[index - 1].properties.isAlphabetic
    return isWithinWord ? nil : scheme
  }

  private static func end(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
    let end = scalars[start...].firstIndex { !mayStand($0) } ?? scalars.count
    var trimmed = end
    while trimmed > start, isTrailing(scalars[trimmed - 1], in: scalars[start..<trimmed]) { trimmed -= 1 }
    return trimmed
  }

  private static func mayStand(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value > 0x20 && scalar.value != 0x7F && !"<>\"".unicodeScalars.contains(scalar) }
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation:
      return false
    default: return true
    }
  }

  private static func isTrailing(_ scalar: Unicode.Scalar, in link: ArraySlice<Unicode.Scalar>) -> Bool {
    let openings: [Unicode.Scalar: Unicode.Scalar] = [")": "(", "]": "[", "}": "{"]
    if let opening = openings[scalar] { return !link.contains(opening) }
    return ".,:;!?'".unicodeScalars.contains(scalar)
  }
}
