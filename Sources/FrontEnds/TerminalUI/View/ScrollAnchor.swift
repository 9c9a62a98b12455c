/// A position in a conversation: a message and a line in it, never a distance from an end. So rows that come, change their height
/// or go, above or below, move nothing that is being read.
package struct ScrollAnchor: Equatable, Sendable {
  /// The message at the top of the pane.
  package var item: UInt64
  /// Its line that is the first one shown.
  package var line: Int
  /// True if the end of the conversation stays in sight when messages come.
  package var follows: Bool

  package init(item: UInt64 = 0, line: Int = 0, follows: Bool = true) {
    self.item = item
    self.line = line
    self.follows = follows
  }

  package static let end = ScrollAnchor()
}

/// The items that a pane shows, from `top` on.
package struct VisibleRows: Equatable, Sendable {
  /// The first item shown, by its index.
  package var top = 0
  /// Its first line that is shown.
  package var line = 0
  /// Items of which at least a line is shown.
  package var range = 0..<0
  /// Blank lines above the first item, where all of them do not fill the pane.
  package var padding = 0

  package static let none = VisibleRows()
}

/// The arithmetic of a pane over items of different heights.
package struct RowGeometry {
  /// Items in all; the last one may be a tail that is no message (who is typing, what is being stored).
  let count: Int
  /// Lines of the pane.
  let height: Int
  /// Lines of an item.
  let heightOf: (Int) -> Int

  package init(count: Int, height: Int, heightOf: @escaping (Int) -> Int) {
    self.count = count
    self.height = height
    self.heightOf = heightOf
  }

  /// Returns the visible rows if the pane ends with the last item.
  package func fromEnd() -> VisibleRows {
    var left = height
    var index = count
    while index > 0, left > 0 {
      index -= 1
      left -= heightOf(index)
    }
    return VisibleRows(top: index, line: max(0, -left), range: index..<count, padding: max(0, left))
  }

  /// Returns the visible rows if the pane begins with a line of an item; nil if the items end before the pane does.
  package func from(_ top: Int, line: Int) -> VisibleRows? {
    let line = max(0, min(line, heightOf(top) - 1))
    var filled = -line
    var index = top
    while index < count, filled < height {
      filled += heightOf(index)
      index += 1
    }
    return filled < height ? nil : VisibleRows(top: top, line: line, range: top..<index)
  }

  /// So many lines further down; negative: up. Stops at the first line and at the end.
  package func moved(_ rows: VisibleRows, by lines: Int) -> VisibleRows {
    var (index, line) = (rows.top, rows.line + lines)
    while line < 0, index > 0 {
      index -= 1
      line += heightOf(index)
    }
    while index < count, line >= heightOf(index) {
      line -= heightOf(index)
      index += 1
    }
    guard index < count else { return fromEnd() }
    return from(index, line: max(0, line)) ?? fromEnd()
  }
}
