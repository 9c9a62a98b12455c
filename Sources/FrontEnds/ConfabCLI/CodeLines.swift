/// A QR code as lines of a terminal, with two rows of modules in each.
enum CodeLines {
  /// Modules around the code. The standard has four; readers take two, and with these the code of a common address fits on
  /// 24 lines.
  private static let margin = 2

  /// Columns of a code.
  static func columns(_ code: QRCode) -> Int { code.width + 2 * margin }

  /// Dark on a light ground, whatever the colours of the terminal are; without colours its text is taken for light.
  static func lines(_ code: QRCode, hasColour: Bool) -> [String] {
    stride(from: -margin, to: code.width + margin, by: 2).map { row in
      let cells = (-margin..<code.width + margin).map { column in
        cell(code[column, row] == hasColour, code[column, row + 1] == hasColour)
      }
      let line = cells.joined()
      return hasColour ? "\u{1B}[30;47m\(line)\u{1B}[0m" : line
    }
  }

  /// A cell of which the halves are in the colour of the text, or of the ground.
  private static func cell(_ isUpper: Bool, _ isLower: Bool) -> String {
    switch (isUpper, isLower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
