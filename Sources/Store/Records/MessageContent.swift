public import JSON

/// The content of a message, decoded or still in the bytes of a record.
public protocol MessageContent: ~Copyable {
  var isMine: Bool { get }
  /// It names me, in a room.
  var isMention: Bool { get }
  /// Its sender was ignored, in a room.
  var isIgnored: Bool { get }
  /// Mine, and sent by this device.
  var isFromHere: Bool { get }
  var delayed: Bool { get }
  /// Milliseconds since 1970, as `claimedTime`.
  var time: Int64 { get }
  var claimedTime: Int64? { get }

  /// True if it has a type, a subject, a thread or a language, as few have.
  var hasRareTexts: Bool { get }

  var text: String { get }
  /// True if it has `details`, as few have.
  var hasDetails: Bool { get }
  /// True if its text says what its author does (XEP-0245).
  var isAction: Bool { get }
  /// True if its sender wants no part of its text styled (XEP-0393).
  var isUnstyled: Bool { get }

  /// It was said in a room to all.
  var isOfRoom: Bool { get }

  /// It was said to one occupant of a room, or by one to me.
  var isInPrivate: Bool { get }

  /// True if the occupant of a room with this nick said it.
  func isSaid(by nick: String) -> Bool

  /// Writes the nick, and the id, of the occupant of a room who said it, to all or to me alone.
  func writeOccupant(into writer: inout JSONWriter)

  /// Writes one of its texts as a member of an object; false where it has none of that kind.
  @discardableResult
  func write(_ text: MessageText, as name: StaticString, into writer: inout JSONWriter) -> Bool
}

/// The texts of a message that front ends see, by their field numbers (docs/LOG-FORMAT.md, "Payloads").
public enum MessageText: Int, Sendable {
  case peer = 4
  case conversation = 5
  case body = 6
  /// Missing for type `chat`.
  case type = 7
  case subject = 8
  case thread = 9
  case language = 10
  case stanzaID = 11
  case originID = 12
  case key = 14
}

/// XEP-0245: a text that says what its author does.
public enum MessageAction {
  static let prefix = Array("/me ".utf8)
}

extension MessageRecord: MessageContent {
  public var isMine: Bool { box[0].flags.isMine }
  public var isFromHere: Bool { box[0].flags.isFromHere }
  public var hasDetails: Bool { details != nil }
  public var isAction: Bool { text.utf8.starts(with: MessageAction.prefix) }

  public func isSaid(by nick: String) -> Bool { Self.resource(of: peer) == nick }

  public func writeOccupant(into writer: inout JSONWriter) {
    let nick = Self.resource(of: peer)
    if !nick.isEmpty { writer.member("nick", nick) }
    if let occupantID { writer.member("occupant", occupantID) }
  }

  public var hasRareTexts: Bool { type != "chat" || subject != nil || thread != nil || language != nil }

  @discardableResult
  public func write(_ text: MessageText, as name: StaticString, into writer: inout JSONWriter) -> Bool {
    guard let value = value(of: text) else { return false }
    writer.member(name, value)
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
