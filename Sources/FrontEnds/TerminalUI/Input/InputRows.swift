/// The rows of an input around its cursor, as ranges of its letters: at most `Surface.inputRows` above the cursor's row, and so many
/// below. A row has as many words as there is room for, of a longer word as many letters, one at least; one space may hang over its
/// end. The end of a line belongs to no row.
struct InputRows {
  private(set) var rows: [Range<Int>] = []
  /// Index of the row with the cursor.
  private(set) var cursorRow = 0

  private let cursor: Int
  private var isCursorFound = false

  /// - Parameters:
  ///   - columns: those of each letter.
  ///   - width: columns of a row.
  init(_ columns: [UInt8], cursor: Int, width: Int) {
    self.cursor = cursor
    var row = InputRow(start: 0)
    for (index, column) in columns.enumerated() {
      guard !isDone else { return }
      if column == LetterColumns.lineEnd {
        add(row.start..<index, endsLine: true)
        row = InputRow(start: index + 1)
      } else if column == LetterColumns.space, row.used == width {
        add(row.start..<index + 1, endsLine: false)
        row = InputRow(start: index + 1)
      } else {
        while let end = row.end(before: column, at: index, width: width) {
          add(row.start..<end, endsLine: false)
          row.begin(at: end, before: index)
        }
        row.append(column, at: index)
      }
    }
    add(row.start..<columns.count, endsLine: true)
  }

  private var isDone: Bool { isCursorFound && rows.count - cursorRow > Surface.inputRows }

  /// Between two rows of a line the cursor is on the lower one.
  private mutating func add(_ row: Range<Int>, endsLine: Bool) {
    rows.append(row)
    guard !isCursorFound else { return }
    isCursorFound = row.contains(cursor) || (endsLine && row.upperBound == cursor)
    if rows.count > Surface.inputRows + 1 { rows.removeFirst() }
    cursorRow = rows.count - 1
  }

  /// The rows in groups, those of one line together.
  var lines: [ArraySlice<Range<Int>>] {
    var lines: [ArraySlice<Range<Int>>] = []
    var start = 0
    for index in rows.indices.dropFirst() where rows[index].lowerBound > rows[index - 1].upperBound {
      lines.append(rows[start..<index])
      start = index
    }
    return lines + [rows[start...]]
  }
}

/// A row while it is filled.
private struct InputRow {
  private(set) var start: Int
  /// Columns of its letters so far.
  private(set) var used = 0
  /// The last position where the row may end, and its columns until there: behind a space, or beside letters of scripts
  /// without spaces.
  private var lastBreak: (index: Int, used: Int)?
  /// True if the row has anything but spaces: a row does not end behind its indentation.
  private var hasInk = false

  init(start: Int) {
    self.start = start
  }

  /// Letters of two columns: those of Chinese, Japanese and Korean, and emoji.
  private static let wide: UInt8 = 2

  /// Returns the end of the row if one more letter has no room; nil if it has.
  func end(before column: UInt8, at index: Int, width: Int) -> Int? {
    guard start < index, used + Self.columns(column) > width else { return nil }
    return column == Self.wide ? index : lastBreak?.index ?? index
  }

  /// The next row, with the letters up to one that follows.
  mutating func begin(at end: Int, before index: Int) {
    used = end == index ? 0 : used - (lastBreak?.used ?? 0)
    (start, lastBreak, hasInk) = (end, nil, end < index)
  }

  mutating func append(_ column: UInt8, at index: Int) {
    if column == Self.wide, hasInk { lastBreak = (index, used) }
    used += Self.columns(column)
    hasInk = hasInk || column != LetterColumns.space
    if column == LetterColumns.space || column == Self.wide, hasInk { lastBreak = (index + 1, used) }
  }

  private static func columns(_ column: UInt8) -> Int { column == LetterColumns.space ? 1 : Int(column) }
}
