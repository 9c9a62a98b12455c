import ConfabClient
package import Screen

/// The screen's size and parts: where the list, the conversations, the inputs and the status line are.
package struct Surface: Equatable, Sendable {
  package var columns: Int
  package var lines: Int
  package var capabilities: Capabilities
  /// Messages as plain lines, without bars, list, input and mouse.
  package var copyView: CopyView?

  /// From so many columns on, two panes are beside each other, and from so many on, three.
  static let wideColumns = 100
  private static let widestColumns = 160
  private static let longestListWidth = 40
  private static let longestMembersWidth = 24
  /// Below so many columns of the terminal messages are compact lines.
  static let bubbleColumns = 60
  /// Below so many lines pop-ups fill the screen, and hints give way to notices.
  static let smallLines = 16
  /// The input grows to so many rows, then it scrolls.
  static let inputRows = 4

  package init(columns: Int, lines: Int, capabilities: Capabilities) {
    self.columns = columns
    self.lines = lines
    self.capabilities = capabilities
  }

  var isCopyView: Bool { copyView != nil }

  /// Below everything there is the status line, where there is room.
  var paneLines: Int { lines > 2 ? lines - 1 : lines }

  /// Lines of the conversation's body, between its header and its input.
  func bodyLines(inputRows: Int) -> Int { max(0, paneLines - headerLines - inputRows) }
  var headerLines: Int { lines >= 4 && !isCopyView ? 1 : 0 }

  // MARK: Panes

  /// The panes that are on the screen.
  ///
  /// - Parameter room: the room whose occupants are wanted.
  func panes(_ open: OpenConversations, isInList: Bool, members room: ConversationKey? = nil) -> PaneLayout {
    let focused = open.focused.map { [$0.view.key] } ?? []
    if isCopyView { return PaneLayout(listWidth: 0, areas: focused, columns: columns) }
    guard columns >= Self.wideColumns else {
      return isInList || focused.isEmpty
        ? PaneLayout(listWidth: columns, areas: [], columns: columns)
        : PaneLayout(listWidth: 0, areas: focused, columns: columns)
    }
    let listWidth = min(Self.longestListWidth, columns / 3)
    let membersWidth = room == nil ? 0 : min(Self.longestMembersWidth, columns / 6)
    guard open.hasTwo, columns < Self.widestColumns else {
      return PaneLayout(listWidth: listWidth, areas: open.keys, columns: columns, membersWidth: membersWidth)
    }
    return PaneLayout(
      listWidth: isInList ? listWidth : 0, areas: isInList ? focused : open.keys, columns: columns,
      membersWidth: membersWidth)
  }
}

/// The panes that are on the screen, from left to right, with a column between two of them.
package struct PaneLayout: Equatable, Sendable {
  /// A conversation's pane.
  struct Area: Equatable, Sendable {
    let key: ConversationKey
    let column: Int
    let width: Int
  }

  /// Columns of the list; 0: it is not shown.
  let listWidth: Int
  private(set) var areas: [Area] = []
  /// Columns of the occupants of a room, at the right; empty: they are not shown.
  let members: Range<Int>
  /// Columns that no pane has; a conversation could be opened there.
  let free: Range<Int>

  init(listWidth: Int, areas keys: [ConversationKey], columns all: Int, membersWidth: Int = 0) {
    self.listWidth = listWidth
    let columns = membersWidth > 0 && !keys.isEmpty ? all - membersWidth - 1 : all
    members = columns < all ? columns + 1..<all : all..<all
    let start = min(columns, listWidth > 0 ? listWidth + 1 : 0)
    free = keys.isEmpty ? start..<columns : columns..<columns
    guard let last = keys.last else { return }
    let width = max(0, (columns - start - (keys.count - 1)) / keys.count)
    for (index, key) in keys.enumerated() {
      let column = start + index * (width + 1)
      areas.append(Area(key: key, column: column, width: key == last ? columns - column : width))
    }
  }

  subscript(key: ConversationKey) -> Area? { areas.first { $0.key == key } }

  /// The conversation at a column of the screen.
  func area(at column: Int) -> Area? { areas.first { ($0.column..<$0.column + $0.width).contains(column) } }

  /// The columns of the rules between the panes.
  var rules: [Int] {
    areas.map { $0.column - 1 }.filter { $0 >= 0 } + (free.isEmpty || listWidth == 0 ? [] : [listWidth])
      + (members.isEmpty ? [] : [members.lowerBound - 1])
  }
}
