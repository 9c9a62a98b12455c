/// Clusters for terminals that show ASCII only.
enum ASCIIForm {
  /// Returns a cell's text in ASCII, in as many columns as the cell has.
  static func of(_ cell: Cell) -> String {
    if cell.text.utf8.allSatisfy({ $0 < 0x80 }) { return cell.text }
    let first = form(of: cell.text.unicodeScalars.first ?? "?")
    return first + String(repeating: " ", count: Int(cell.width) - 1)
  }

  /// Frames of lines; letters of Latin without their marks would be guesses.
  private static func form(of scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0xA0, 0x2000...0x200A, 0x3000: " "
    case 0x2010...0x2015, 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2550: "-"
    case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551, 0x2588...0x2590: "|"
    case 0x250C...0x254B, 0x2552...0x2570: "+"
    case 0x2018, 0x2019: "'"
    case 0x201C, 0x201D: "\""
    case 0x2022, 0x25CF: "*"
    case 0xB7: "-"
    case 0x2039: "<"
    case 0x203A: ">"
    case 0x2026: "."
    default: "?"
    }
  }
}
