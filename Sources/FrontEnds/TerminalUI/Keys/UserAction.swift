/// Everything that a key can do.
package enum UserAction: String, CaseIterable, Sendable {
  case help, quit, redraw, suspend
  case switcher = "switch"
  case search
  case contacts, accounts, devices
  case lastNotice = "last-notice"
  case nextUnread = "next-unread"
  case nextMention = "next-mention"
  case room, members
  case occupantPane = "member-pane"
  case showIgnored = "show-ignored"
  case back
  case otherPane = "other-pane"
  case beside, split
  case closePane = "close-pane"
  case up, down
  case pageUp = "page-up"
  case pageDown = "page-down"
  case top, bottom
  case open
  case markRead = "mark-read"
  case markUnread = "mark-unread"
  case readAll = "read-all"
  case mute, pin, archive
  case showArchive = "show-archive"
  case showStrangers = "show-strangers"
  case firstMessage = "first-message"
  case lastMessage = "last-message"
  case previousSection = "previous-section"
  case nextSection = "next-section"
  case sections
  case jumpToDate = "jump-to-date"
  case jumpBack = "jump-back"
  case lineUp = "line-up"
  case lineDown = "line-down"
  case selectUp = "select-up"
  case selectDown = "select-down"
  case previousLink = "previous-link"
  case nextLink = "next-link"
  case unfold
  case copy
  case copyView = "copy-view"
  case nextHit = "next-hit"
  case previousHit = "previous-hit"
  case cancelMessage = "cancel-message"
  case reply, react, forward, versions, answered, links, files, view, attach
  case send, newline, correct, emoticon, complete, editor, spelling
  case left, right
  case wordLeft = "word-left"
  case wordRight = "word-right"
  case lineStart = "line-start"
  case lineEnd = "line-end"
  case deleteBack = "delete-back"
  case deleteForward = "delete-forward"
  case killWordBack = "kill-word-back"
  case killWordForward = "kill-word-forward"
  case killToEnd = "kill-to-end"
  case killToStart = "kill-to-start"
  case yank, undo
  case previousInput = "previous-input"
  case nextInput = "next-input"
  case findInput = "find-input"
  case row1 = "row-1"
  case row2 = "row-2"
  case row3 = "row-3"
  case row4 = "row-4"
  case row5 = "row-5"
  case row6 = "row-6"
  case row7 = "row-7"
  case row8 = "row-8"
  case row9 = "row-9"

  /// Open a row of the list by its number.
  static let listRows: [UserAction] = [.row1, .row2, .row3, .row4, .row5, .row6, .row7, .row8, .row9]
}

/// A context in which keys have their own actions.
package enum KeyContext: Hashable, Sendable, CaseIterable {
  /// The cursor is in the list of conversations.
  case list
  /// The cursor is in the input of a conversation.
  case conversation
  /// A pop-up is open.
  case popup
}

/// One row of the table of actions; keys, help, `docs/KEYS.md` and `tui.conf` come from it.
package struct ActionRow: Sendable {
  package let action: UserAction
  package let keys: [KeySequence]
  package let contexts: Set<KeyContext>
  /// A sentence: what it does.
  package let sentence: String

  init(_ action: UserAction, _ keys: [String], in contexts: Set<KeyContext>, _ sentence: String) {
    self.action = action
    self.keys = keys.compactMap { KeySequence($0) }
    self.contexts = contexts
    self.sentence = sentence
  }
}
