import Clocks

/// What somebody said in a room to all, as the room has it.
struct RoomLine {
  /// Who said it.
  enum Speaker: Hashable {
    /// The user's client here, or another device of the user's.
    case client, device
    case other(String)

    var isMe: Bool { self == .client || self == .device }

    /// The person, whichever the nick is.
    var person: String { if case .other(let name) = self { name } else { "alice" } }
  }

  /// The room's bare JID.
  let room: String
  /// Its place in the room's order, from 1 on.
  let place: Int
  let speaker: Speaker
  /// The speaker's presence under the nick, by the room's count: another one has another number.
  let presence: Int
  let nick: String
  /// The speaker's id in the room (XEP-0421).
  let occupantID: String
  let time: Timestamp
  let stanzaID: String?
  let text: String
  var change: Parcel.Change?
  var target = ""
  /// What the speaker wrote beside the text, as far as the room leaves it there.
  var extra = ""
  /// Its id in the room's archive.
  var archiveID: String?
  /// The element by which the room says who its speaker is, as far as it does.
  let shownID: String
  /// It is for the user alone.
  var isPrivate = false
  /// The room says its speaker's id.
  let isVouchedFor: Bool
  /// The nick that the user's client had then.
  let clientNick: String?

  /// It brings what only an archive may: it may be refused as a whole.
  var isRefused: Bool { extra.hasPrefix("<result ") }

  /// Somebody says it as if a moderator took back what somebody else said.
  var isForgedModeration: Bool { extra.contains("<moderated ") && !target.isEmpty }

  var isChange: Bool { change == .correction || change == .retraction }

  /// The message, without what is said of its delivery.
  ///
  /// - Parameter more: further children.
  func xml(namespace: String = "", to recipient: String? = nil, more: String = "") -> String {
    let to = recipient.map { " to='\($0)'" } ?? ""
    let id = stanzaID.map { " id='\($0)'" } ?? ""
    return "<message\(namespace) from='\(room)/\(nick)'\(to) type='groupchat'\(id)>\(content)\(extra)\(shownID)\(more)"
      + "</message>"
  }

  private var content: String {
    let body = "<body>\(text)</body>"
    if isForgedModeration { return "" }
    return switch change {
    case .correction: body + "<replace xmlns='urn:xmpp:message-correct:0' id='\(target)'/>"
    case .retraction: "<retract xmlns='urn:xmpp:message-retract:1' id='\(target)'/>"
    default: body
    }
  }

  /// As it comes to the user alone (XEP-0045, section 7.5).
  func privately(to recipient: String) -> String {
    let id = stanzaID.map { " id='\($0)'" } ?? ""
    return "<message from='\(room)/\(nick)' to='\(recipient)' type='chat'\(id)><body>\(text)</body>"
      + "<x xmlns='http://jabber.org/protocol/muc#user'/>\(shownID)</message>"
  }

  /// As the room shows it to who is there.
  func live(to recipient: String) -> String { xml(to: recipient, more: named) }

  /// As the room says it to who has just entered.
  func past(to recipient: String) -> String {
    xml(to: recipient, more: named + "<delay xmlns='urn:xmpp:delay' from='\(room)' stamp='\(time.wholeSeconds)'/>")
  }

  private var named: String {
    archiveID.map { "<stanza-id xmlns='urn:xmpp:sid:0' by='\(room)' id='\($0)'/>" } ?? ""
  }
}
