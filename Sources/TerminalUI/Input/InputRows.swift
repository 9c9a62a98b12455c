/// The rows of an input around its cursor, as ranges of its letters: at most `Surface.inputRows` above the cursor's row, and so many
/// below. A row has as many letters as there is room for, one at least; the end of a line belongs to no row.
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
    var (start, used) = (0, 0)
    for (index, column) in columns.enumerated() {
      guard !isDone else { return }
      if column == LetterColumns.lineEnd {
        add(start..<index, endsLine: true)
        (start, used) = (index + 1, 0)
        continue
      }
      if used + Int(column) > width, start < index {
        add(start..<index, endsLine: false)
        (start, used) = (index, 0)
      }
      used += Int(column)
    }
    add(start..<columns.count, endsLine: true)
  }

  private var isDone: Bool { isCursorFound && rows.count - cursorRow > Surface.inputRows }

  /// Between two rows of a line the cursor stands on the lower one.
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
