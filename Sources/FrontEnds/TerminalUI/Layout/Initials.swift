/// The initials of a name or an address, for the mark that stands for a picture.
package enum Initials {
  /// The first clusters of the first and the last word, two columns at most; `?` for a name without letters.
  static func of(_ name: String, in context: LayoutContext) -> String {
    let words = Self.person(String(name.unicodeScalars.prefix(200))).split { $0.isWhitespace || "-_.".contains($0) }
    let letters = words.compactMap { word in word.first { $0.isLetter || $0.isNumber || $0.isSymbol } }
    guard let first = letters.first else { return "??" }
    let last = letters.count > 1 ? letters.last : words.first?.dropFirst().first
    let pair = first.uppercased() + (last?.uppercased() ?? "")
    let whole = OneLine(pair, width: 4, in: context)
    if whole.width == 2 { return pair }
    return whole.width == 1 ? pair + " " : first.uppercased()
  }

  /// Returns the part of an address in front of `@`, because a server is no person's name.
  private static func person(_ name: String) -> Substring {
    guard let at = name.firstIndex(of: "@"), at > name.startIndex, !name.contains(where: \.isWhitespace) else {
      return name[...]
    }
    return name[..<at]
  }
}
