/// The parts of the UI that have colours, by their names in `tui.conf`.
package enum ColourPart: String, CaseIterable, Sendable {
  /// Text that belongs to no other part.
  case text
  /// Rules, gaps, what matters least.
  case faint
  /// The bubble of a message of mine, and of others' messages.
  case mine
  case theirs
  case name
  case time
  case subject
  case heading
  case unreadLine = "unread-line"
  case newBelow = "new-below"
  case typing
  case link
  case mention, topic, emoticon, code, quote
  case reaction
  case myReaction = "my-reaction"
  case hit
  case folded

  case queued
  case sent
  case delivered
  case displayed
  case failed
  case doubt
  case held

  /// The row that the keys concern, in lists and among messages.
  case selected
  case unread
  case muted
  case draft

  case available
  case away
  case busy
  case offline

  case input
  case prompt
  case status
  case statusAlert = "status-alert"
  case popUp = "pop-up"
  case popUpTitle = "pop-up-title"
  case popUpKey = "pop-up-key"
  case error

  /// A description of the part, for `docs/KEYS.md`, the manual page and the example of `tui.conf`.
  package var summary: String {
    switch self {
    case .text: "text that belongs to no other part"
    case .faint: "rules and whatever matters least"
    case .mine: "bubbles of my messages"
    case .theirs: "bubbles of others' messages"
    case .name: "the sender's name, where it has no colour of its own"
    case .time: "times of messages"
    case .subject: "subjects of messages"
    case .heading: "date and time above a section"
    case .unreadLine: "the line above the first unread message"
    case .newBelow: "the count of new messages further down"
    case .typing: "who is typing"
    case .link: "links"
    case .mention: "names of people in messages"
    case .topic: "topics such as `#words`"
    case .emoticon: "codes of emoticons that are pictures"
    case .code: "code in messages"
    case .quote: "quotations, the message that is answered, headings of forwarded messages"
    case .reaction: "reactions to a message"
    case .myReaction: "my own reactions"
    case .hit: "what a search found"
    case .folded: "the line below a long message that is shown in part"
    case .queued: "my message waits to be sent"
    case .sent: "my message is at the server"
    case .delivered: "my message is at its receiver"
    case .displayed: "my message was seen"
    case .failed: "my message failed"
    case .doubt: "my message may have arrived, or twice"
    case .held: "my message is kept back"
    case .selected: "the selected row"
    case .unread: "conversations with unread messages, and their counts"
    case .muted: "muted conversations"
    case .draft: "drafts in the list of conversations"
    case .available: "presence: available"
    case .away: "presence: away"
    case .busy: "presence: do not disturb"
    case .offline: "presence: offline, or blocked"
    case .input: "the text being written"
    case .prompt: "the mark in front of the input"
    case .status: "the status line"
    case .statusAlert: "what the status line warns of"
    case .popUp: "pop-ups"
    case .popUpTitle: "titles of pop-ups"
    case .popUpKey: "keys named in pop-ups"
    case .error: "errors"
    }
  }
}
