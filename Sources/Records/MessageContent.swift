/// What a message says, wherever it stands: in a record, or still in the bytes of one.
package protocol MessageContent: ~Copyable {
  var mine: Bool { get }
  var elsewhere: Bool { get }
  var delayed: Bool { get }
  /// Milliseconds since 1970, as `claimedTime`.
  var time: Int64 { get }
  var claimedTime: Int64? { get }

  /// Calls `body` with one of its texts; false where it has none of that kind.
  func withText(_ text: MessageText, _ body: (UTF8Span) -> Void) -> Bool
}

/// The texts of a message that front ends see, by their field numbers (docs/LOG-FORMAT.md, "Payloads").
package enum MessageText: Int {
  case peer = 4
  case conversation = 5
  case body = 6
  /// `chat` is none.
  case type = 7
  case subject = 8
  case thread = 9
  case language = 10
  case stanzaID = 11
  case originID = 12
  case key = 14
}

extension MessageRecord: MessageContent {
  package func withText(_ text: MessageText, _ body: (UTF8Span) -> Void) -> Bool {
    guard let value = value(of: text) else { return false }
    body(value.utf8Span)
    return true
  }

  private func value(of text: MessageText) -> String? {
    switch text {
    case .peer: peer
    case .conversation: jid
    case .body: self.text
    case .type: type == "chat" ? nil : type
    case .subject: subject
    case .thread: thread
    case .language: language
    case .stanzaID: stanzaID
    case .originID: originID
    case .key: key
    }
  }
}
