import Screen

/// Columns of the letters of an input, as they were measured last. Measuring a letter is dear, comparing is not: only letters that
/// changed are measured.
struct LetterColumns {
  /// Stands for the end of a line.
  static let lineEnd = UInt8.max
  /// Stands for a space, of one column.
  static let space = UInt8.max - 1

  private let rules: GlyphRules
  private var letters: [Character] = []
  /// One for each letter; letters that are wider than any row have the most that fits.
  private(set) var columns: [UInt8] = []
  /// Letters measured so far; for tests.
  private(set) var measuredCount = 0

  init(_ rules: GlyphRules) {
    self.rules = rules
  }

  /// - Returns: the columns of the letters.
  mutating func measure(_ new: [Character], _ rules: GlyphRules) -> [UInt8] {
    if rules != self.rules { self = LetterColumns(rules) }
    let shorter = min(letters.count, new.count)
    let head = (0..<shorter).first { letters[$0] != new[$0] } ?? shorter
    let tail =
      (0..<shorter - head).first { letters[letters.count - 1 - $0] != new[new.count - 1 - $0] } ?? shorter - head
    let changed = new[head..<new.count - tail].map(columns(of:))
    columns.replaceSubrange(head..<columns.count - tail, with: changed)
    measuredCount += changed.count
    letters = new
    return columns
  }

  private func columns(of letter: Character) -> UInt8 {
    if letter == "\n" || letter == "\r\n" { return Self.lineEnd }
    if letter == " " { return Self.space }
    if let ascii = letter.asciiValue, (0x20..<0x7F).contains(ascii) { return 1 }
    let width = Clusters.split(String(letter), rules).reduce(0) { $0 + $1.width }
    return UInt8(min(width, Int(Self.space) - 1))
  }
}
