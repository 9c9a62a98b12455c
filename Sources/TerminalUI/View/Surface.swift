package import Screen

/// The screen's size and parts: where the list, the conversation, the input and the status line stand.
package struct Surface: Equatable, Sendable {
  package var columns: Int
  package var lines: Int
  package var capabilities: Capabilities
  /// Messages as plain lines, without bars, list, input and mouse.
  package var isCopyView = false

  /// From so many columns on, the list stands beside the conversation.
  static let wideColumns = 100
  /// Below so many columns of the terminal messages are compact lines.
  static let bubbleColumns = 60
  /// The input grows to so many rows, then it scrolls.
  static let inputRows = 4

  package init(columns: Int, lines: Int, capabilities: Capabilities) {
    self.columns = columns
    self.lines = lines
    self.capabilities = capabilities
  }

  var isWide: Bool { !isCopyView && columns >= Self.wideColumns }
  var listWidth: Int { isWide ? min(40, columns / 3) : columns }
  /// A column separates the list from the conversation.
  var talkColumn: Int { isWide ? listWidth + 1 : 0 }
  var talkWidth: Int { columns - talkColumn }
  /// Below everything there is the status line, where there is room.
  var paneLines: Int { lines > 2 ? lines - 1 : lines }

  /// Lines of the conversation's body, between its header and its input.
  func bodyLines(inputRows: Int) -> Int { max(0, paneLines - headerLines - inputRows) }
  var headerLines: Int { lines >= 4 && !isCopyView ? 1 : 0 }
}
