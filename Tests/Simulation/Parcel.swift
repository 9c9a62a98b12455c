import Clocks

/// A message that is the user's to have, on its way through the server.
struct Parcel {
  /// How it concerns the user's client here.
  enum Way {
    /// Somebody wrote to the user.
    case toUser
    /// Somebody wrote to another device of the user's, and what is here gets a copy (XEP-0280).
    case toDevice
    /// The other device wrote to somebody: the same.
    case fromDevice
  }

  /// Who wrote it to whom, as bare JIDs, and the how-manieth of these it is.
  let from: String
  let to: String
  let number: Int
  /// When the server got it.
  let time: Timestamp
  var way = Way.toUser
  /// A receipt is asked for (XEP-0184), and a marker (XEP-0333).
  var asksForReceipt = false
  /// Its id in the user's archive, where there is one.
  var archiveID: String?

  var id: String { "\(Self.local(from))\(way == .fromDevice ? "+" : "")-\(Self.local(to))-\(number)" }
  var text: String { "\(id) says something" }

  /// The user's bare JID.
  var user: String { way == .fromDevice ? from : to }

  /// The message as its recipient gets it.
  ///
  /// - Parameter more: further children.
  func xml(namespace: String = "", more: String = "") -> String {
    let sender = way == .fromDevice ? "\(from)/phone" : "\(from)/desk"
    let recipient = way == .toDevice ? "\(to)/phone" : to
    let asks = "<request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/>"
    return "<message\(namespace) from='\(sender)' to='\(recipient)' type='chat' id='\(id)'>"
      + "<body>\(text)</body>\(asksForReceipt ? asks : "")\(more)</message>"
  }

  /// The stanza that the client here gets: itself, or a copy.
  func stanza(delayed: Bool) -> String {
    let id = archiveID.map { "<stanza-id xmlns='urn:xmpp:sid:0' by='\(user)' id='\($0)'/>" } ?? ""
    let stamp = "stamp='\(time.wholeSeconds)'"
    guard way != .toUser else {
      let domain = user.drop { $0 != "@" }.dropFirst()
      return xml(more: id + (delayed ? "<delay xmlns='urn:xmpp:delay' from='\(domain)' \(stamp)/>" : ""))
    }
    let direction = way == .fromDevice ? "sent" : "received"
    return "<message from='\(user)' to='\(user)/here' type='chat'><\(direction) xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>\(xml(namespace: " xmlns='jabber:client'", more: id))"
      + "</forwarded></\(direction)></message>"
  }

  private static func local(_ jid: String) -> Substring { jid.prefix { $0 != "@" } }
}
