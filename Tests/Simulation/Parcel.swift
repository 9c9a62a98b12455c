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
    /// A note to self from the other device: it comes as a message and as a carbon.
    case note
  }

  /// What it says of an earlier message.
  enum Change {
    case correction, retraction, reaction, reply
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
  /// When the server got it as its sender says, in the server's name (XEP-0203).
  var claimedTime: Timestamp?
  /// The stanza id that its sender chose.
  var stanzaID: String?
  /// What it says of the message with this stanza id.
  var change: Change?
  var target = ""
  /// What it says of messages of the user's, and whether it says nothing else.
  var signals: [Signal] = []
  var isSignal = false
  /// It is sent to the client here, and not to the account.
  var namesResource = false
  /// Another id that its sender gave to it (XEP-0359).
  var originID: String?
  /// True if archives keep it, where they keep messages.
  var isKept = true
  /// Its id in the user's archive, if the archive has it; of a note, the id of the sent copy.
  var archiveID: String?
  /// Of a note, the id of the received copy.
  var receivedID: String?

  /// Its content, encrypted, and what its writer has outside of that; nil: it goes in plain text.
  var sealed: String?
  /// False: it is encrypted for other devices alone.
  var isForUs = true

  /// Distinguishes it from all others; part of the text as well.
  var id: String { "\(isSignal ? "signal-" : "")\(Self.local(from))\(isMine ? "+" : "")-\(Self.local(to))-\(number)" }
  /// True if the user wrote it.
  var isMine: Bool { way == .fromDevice || way == .note }
  var text: String { "\(id) says something" }

  /// The user's bare JID.
  var user: String { way == .fromDevice ? from : to }
  /// Its conversation in the log.
  var key: ReadingWitness.Key { .init(account: Mailbox.account(of: user), jid: otherSide) }
  var otherSide: String { way == .fromDevice ? to : from }
  /// True if its ids show that the user has it already. A note has several archive ids.
  var isTellable: Bool { stanzaID != nil || archiveID != nil && way != .note }

  /// The message as its recipient gets it.
  ///
  /// - Parameter more: further children.
  func xml(namespace: String = "", more: String = "") -> String {
    let sender = isMine ? "\(from)/phone" : "\(from)/desk"
    let recipient = way == .toDevice ? "\(to)/phone" : namesResource ? "\(to)/here" : to
    let id = (isError ? signals.first?.name : stanzaID).map { " id='\($0)'" } ?? ""
    return "<message\(namespace) from='\(sender)' to='\(recipient)' type='\(isError ? "error" : "chat")'\(id)>"
      + "\(sealed.map { $0 + origin } ?? plain)\(claimedTime.map(delay) ?? "")\(more)</message>"
  }

  /// What people say in it: all of that is encrypted where it can be.
  var inside: String { (bodyText.map { "<body xmlns='jabber:client'>\($0)</body>" } ?? "") + outside }

  /// All of it but the text.
  var outside: String { "\(marks)\(words)\(asks)" }

  private var plain: String { "\(body)\(marks)\(words)\(origin)\(asks)" }

  private var asks: String {
    asksForReceipt ? "<request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/>" : ""
  }

  private var body: String { bodyText.map { "<body>\($0)</body>" } ?? "" }

  /// The text of the body; nil: it has none.
  var bodyText: String? { isSignal || change == .retraction || change == .reaction ? nil : text }

  private var words: String {
    signals.map(\.xml).joined() + (isSignal && isKept ? "<store xmlns='urn:xmpp:hints'/>" : "")
  }

  private var origin: String { originID.map { "<origin-id xmlns='urn:xmpp:sid:0' id='\($0)'/>" } ?? "" }

  /// Makes a change of the body.
  private var marks: String {
    guard !isSignal else { return "" }
    return switch change {
    case nil: ""
    case .correction: "<replace xmlns='urn:xmpp:message-correct:0' id='\(target)'/>"
    case .retraction: "<retract xmlns='urn:xmpp:message-retract:1' id='\(target)'/>"
    case .reaction:
      "<reactions xmlns='urn:xmpp:reactions:0' id='\(target)'><reaction>\(Self.emoji)</reaction></reactions>"
    case .reply: "<reply xmlns='urn:xmpp:reply:0' to='\(otherSide)' id='\(target)'/>"
    }
  }

  static let emoji = "🐢"

  /// The stanzas that the client gets: the message, a carbon, or both.
  func stanzas(delayed: Bool, asCopy: Bool) -> [String] {
    switch way {
    case .toUser: [itself(archiveID, delayed: delayed)]
    case .toDevice: [copy("received")]
    case .fromDevice: [copy("sent")]
    case .note: (asCopy ? [copy("sent")] : []) + [itself(receivedID, delayed: delayed)]
    }
  }

  private func itself(_ archiveID: String?, delayed: Bool) -> String {
    xml(more: named(archiveID) + (delayed ? delay(since: time) : ""))
  }

  private func delay(since time: Timestamp) -> String {
    Self.delay(since: time, by: user.drop { $0 != "@" }.dropFirst())
  }

  private static func delay(since time: Timestamp, by name: some StringProtocol) -> String {
    "<delay xmlns='urn:xmpp:delay' from='\(name)' stamp='\(time.wholeSeconds)'/>"
  }

  /// True if its only stanza is a copy of what another device got or sent.
  var isCarbon: Bool { way == .toDevice || way == .fromDevice }

  /// A stanza of it that was sent first at a time, as it is sent again: with a stamp in the account's name, unless it has
  /// one.
  func stamped(_ stanza: String, _ time: Timestamp) -> String {
    isCarbon ? Self.withStamp(stanza, time, by: user) : Self.stamped(stanza, time, by: user)
  }

  /// A stanza to a user, with a stamp in the user's name, unless it has one.
  static func stamped(_ stanza: String, _ time: Timestamp, by user: String) -> String {
    stanza.contains("<delay ") ? stanza : withStamp(stanza, time, by: user)
  }

  private static func withStamp(_ stanza: String, _ time: Timestamp, by user: String) -> String {
    let end = "</message>"
    guard stanza.hasSuffix(end) else { return stanza }
    return stanza.dropLast(end.utf8.count) + delay(since: time, by: user) + end
  }

  private func copy(_ direction: String) -> String {
    "<message from='\(user)' to='\(user)/here' type='chat'><\(direction) xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>\(xml(namespace: " xmlns='jabber:client'", more: named(archiveID)))"
      + "</forwarded></\(direction)></message>"
  }

  /// The marker (XEP-0333) that the user's other device sends for it.
  var marker: String {
    let signal = Signal(form: number % 4 == 0 ? .oldMarker : .marker, message: id, name: stanzaID ?? "")
    return "<message xmlns='jabber:client' from='\(user)/phone' to='\(otherSide)' type='chat' id='m-\(id)'>"
      + "\(signal.xml)</message>"
  }

  /// The copy of that.
  var copiedMarker: String {
    "<message from='\(user)' to='\(user)/here' type='chat'><sent xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>\(marker)</forwarded></sent></message>"
  }

  private func named(_ archiveID: String?) -> String {
    archiveID.map { "<stanza-id xmlns='urn:xmpp:sid:0' by='\(user)' id='\($0)'/>" } ?? ""
  }

  private static func local(_ jid: String) -> Substring { jid.prefix { $0 != "@" } }
}
