/// Lines as wide as the terminal, so that it begins none by itself: spaces in a text would fill a line up, and what follows
/// them would look like a line of ours.
package enum WrappedLines {
  /// Lines behind a break are indented.
  ///
  /// - Parameter indent: in columns; no more than half of the line.
  package static func wrap(_ text: String, columns: Int, indent: Int) -> String {
    guard text.utf8.count > columns, columns > 8 else { return text }
    let indent = min(indent, columns / 2)
    var (result, column, isInSequence) = (String.UnicodeScalarView(), 0, false)
    for scalar in text.unicodeScalars {
      if scalar == "\u{1B}" { isInSequence = true }
      let width = isInSequence || scalar == "\n" ? 0 : Self.width(scalar)
      if column + width > columns {
        result.append("\n")
        result.append(contentsOf: String(repeating: " ", count: indent).unicodeScalars)
        column = indent
      }
      result.append(scalar)
      column = scalar == "\n" ? 0 : column + width
      if isInSequence, scalar == "m" { isInSequence = false }
    }
    return String(result)
  }

  /// The most columns that a terminal may take for it.
  private static func width(_ scalar: Unicode.Scalar) -> Int { scalar.value < 0x1100 ? 1 : 2 }
}
