import ConfabClient
import Screen

/// The panes that are on the screen: as many beside each other as are wide enough, and as many rows of them as are needed.
package struct PaneLayout: Equatable, Sendable {
  /// A conversation's pane, with its header and its input.
  struct Area: Equatable, Sendable {
    let key: ConversationKey
    let column: Int
    let width: Int
    /// The first line.
    let line: Int
    let height: Int

    var end: Int { line + height }
  }

  /// Columns of the list; 0: it is not shown.
  let listWidth: Int
  private(set) var areas: [Area] = []
  /// Columns of the occupants of a room, at the right; empty: they are not shown.
  let occupants: Range<Int>
  /// Columns that no pane has; a conversation could be opened there.
  let free: Range<Int>

  /// A pane is not split into narrower or lower ones.
  private static let leastWidth = 49
  private static let leastHeight = 10

  /// More are on no screen.
  package static let most = 32

  /// The panes that there is room for without the list.
  static func limit(columns: Int, lines: Int) -> Int {
    min(most, most(columns, leastWidth + 1) * most(lines, leastHeight))
  }

  private static func most(_ room: Int, _ least: Int) -> Int { max(1, room / least) }

  /// - Parameters:
  ///   - focused: the index of the conversation that has the keys: if there is no room for all, it is shown.
  ///   - lines: those above the status line.
  init(
    listWidth: Int, _ keys: [ConversationKey], focused: Int = 0, columns all: Int, lines: Int, occupantsWidth: Int = 0
  ) {
    self.listWidth = listWidth
    let columns = occupantsWidth > 0 && !keys.isEmpty ? all - occupantsWidth - 1 : all
    occupants = columns < all ? columns + 1..<all : all..<all
    let start = min(columns, listWidth > 0 ? listWidth + 1 : 0)
    free = keys.isEmpty ? start..<columns : columns..<columns
    let (across, down) = (Self.most(columns - start + 1, Self.leastWidth + 1), Self.most(lines, Self.leastHeight))
    let shown = Self.shown(keys, focused, limit: across * down)
    let perRow = min(across, shown.count)
    let rows =
      perRow == 0
      ? []
      : stride(from: 0, to: shown.count, by: perRow).map {
        Array(shown[$0..<min(shown.count, $0 + perRow)])
      }
    for (index, row) in rows.enumerated() {
      let (top, bottom) = (index * lines / rows.count, (index + 1) * lines / rows.count)
      areas += Self.areas(row, start..<columns, top..<bottom)
    }
  }

  /// As many as there is room for, with the one that has the keys.
  private static func shown(_ keys: [ConversationKey], _ focused: Int, limit: Int) -> [ConversationKey] {
    let first = max(0, min(focused - limit + 1, keys.count - limit))
    return Array(keys.dropFirst(first).prefix(limit))
  }

  /// Side by side, with a column between two of them.
  private static func areas(_ keys: [ConversationKey], _ columns: Range<Int>, _ lines: Range<Int>) -> [Area] {
    let width = max(0, (columns.count - (keys.count - 1)) / keys.count)
    return keys.enumerated().map { index, key in
      let column = columns.lowerBound + index * (width + 1)
      let isLast = index == keys.count - 1
      return Area(
        key: key, column: column, width: isLast ? columns.upperBound - column : width, line: lines.lowerBound,
        height: lines.count)
    }
  }

  subscript(key: ConversationKey) -> Area? { areas.first { $0.key == key } }

  /// The conversation at a place of the screen.
  func area(at place: Frame.Position) -> Area? {
    areas.first {
      ($0.column..<$0.column + $0.width).contains(place.column) && ($0.line..<$0.end).contains(place.line)
    }
  }

  /// The rules between the panes: a column, and its lines.
  func rules(lines: Int) -> [(column: Int, lines: Range<Int>)] {
    let whole =
      (listWidth > 0 && occupants.lowerBound > listWidth ? [listWidth] : [])
      + (occupants.isEmpty ? [] : [occupants.lowerBound - 1])
    let inner = areas.map { ($0.column - 1, $0.line..<$0.end) }.filter { $0.0 >= 0 && $0.0 != listWidth }
    return whole.map { ($0, 0..<lines) } + inner
  }
}
