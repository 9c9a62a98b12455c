import ConfabClient
package import Screen

/// The screen's size and parts: where the list, the conversations, the inputs and the status line are.
package struct Surface: Equatable, Sendable {
  package var columns: Int
  package var lines: Int
  package var capabilities: Capabilities
  /// Messages as plain lines, without bars, list, input and mouse.
  package var copyView: CopyView?

  /// From so many columns on, the list and a conversation are beside each other.
  static let wideColumns = 100
  /// From so many columns on, the list stays beside several conversations.
  private static let widestColumns = 160
  private static let longestListWidth = 40
  private static let longestOccupantsWidth = 24
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

  var headerLines: Int { lines >= 4 && !isCopyView ? 1 : 0 }

  // MARK: Panes

  /// The panes that are on the screen.
  ///
  /// - Parameter room: the room whose occupants are wanted.
  func panes(_ open: OpenConversations, isInList: Bool, occupantsOf room: ConversationKey? = nil) -> PaneLayout {
    let focused = open.focused.map { [$0.view.key] } ?? []
    if isCopyView { return PaneLayout(listWidth: 0, focused, columns: columns, lines: paneLines) }
    guard columns >= Self.wideColumns else {
      return isInList || focused.isEmpty
        ? PaneLayout(listWidth: columns, [], columns: columns, lines: paneLines)
        : PaneLayout(listWidth: 0, focused, columns: columns, lines: paneLines)
    }
    let listWidth = min(Self.longestListWidth, columns / 3)
    let occupantsWidth = room == nil ? 0 : min(Self.longestOccupantsWidth, columns / 6)
    let hasList = open.keys.count < 2 || columns >= Self.widestColumns || isInList
    return PaneLayout(
      listWidth: hasList ? listWidth : 0, open.keys, focused: open.focusIndex, columns: columns, lines: paneLines,
      occupantsWidth: occupantsWidth)
  }

  /// The most conversations that are open at once; a narrow screen shows one, and keeps another.
  var paneLimit: Int {
    columns < Self.wideColumns ? 2 : PaneLayout.limit(columns: columns, lines: paneLines)
  }
}
