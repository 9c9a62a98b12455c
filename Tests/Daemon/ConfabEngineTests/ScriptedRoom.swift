/// A room on a scripted server (XEP-0045): it takes whoever joins, reflects what is said, and has an archive. What it does
/// beyond that, the test says for it.
struct ScriptedRoom {
  let jid: String
  /// What disco#info says of it. A room with `urn:xmpp:mam:2` needs an `archive`.
  var features = ["muc_persistent", "muc_open", "urn:xmpp:mam:2", "urn:xmpp:sid:0", "http://jabber.org/protocol/muc"]
  /// Its archive.
  var archive = ScriptedArchive()
  /// The others in it, by nick; each an `<item/>`'s attributes.
  var others = ["bob": "affiliation='member' role='participant'"]
  /// The ids of the others (XEP-0421), by nick.
  var ids: [String: String] = [:]
  /// Status codes of the own presence beside 110.
  var statuses: [Int] = []
  var topic = ""
  /// False: it never says that its history is over.
  var hasSubject = true
  /// What it says of before, with `<delay/>`, between the presences and the topic.
  var history: [String] = []
  /// Refuses joins: type and condition of the error.
  var refusal: (type: String, condition: String)?
  /// Nicks that somebody has who is not shown.
  var taken: Set<String> = []
  /// The account's id in it (XEP-0421).
  var ownID: String?
  /// True if it tells who is not in it nothing.
  var isHidden = false
  /// True if messages are neither shown nor kept.
  var swallows = false
  /// Its answers to iqs and messages with these parts in them, before all others; `$id` is the stanza's id.
  var answers: [(part: String, answer: String)] = []
  /// Stanzas for it that have such a part, as they came.
  private(set) var asked: [String] = []
  /// True if self-pings are not answered.
  var ignoresPings = false
  /// The nick under which the account is in it; nil: it is not.
  private(set) var nick: String?
  /// How often it was joined, and the nicks.
  private(set) var joins: [String] = []
  /// The texts that it was told.
  private(set) var heard: [String] = []
  private var count = 0

  init(_ jid: String = "team@rooms.example.org") { self.jid = jid }

  /// A room without an archive.
  static func withoutArchive() -> ScriptedRoom {
    var room = ScriptedRoom()
    room.features = ["muc_persistent", "muc_open", "http://jabber.org/protocol/muc"]
    return room
  }

  var isKept: Bool { features.contains("urn:xmpp:mam:2") }

  /// It has forgotten who is in it, as after a restart.
  mutating func forgetOccupants() { nick = nil }

  /// True if a stanza, without its `<`, is for the room.
  func isMeant(_ stanza: String) -> Bool {
    let to = ScriptedStream.value(of: "to", in: " " + stanza.prefix { $0 != ">" }) ?? ""
    return to == jid || to.hasPrefix(jid + "/")
  }

  /// What it says to stanzas of the client, each without its `<`.
  mutating func answers(to stanza: String, of client: String) -> [String] {
    let to = ScriptedStream.value(of: "to", in: " " + stanza) ?? ""
    let id = ScriptedStream.value(of: "id", in: " " + stanza) ?? ""
    if let found = answers.first(where: { stanza.contains($0.part) }) {
      asked.append("<" + stanza)
      return [found.answer.replacing("$id", with: id)]
    }
    if stanza.hasPrefix("presence") {
      return presence(stanza, nick: String(to.dropFirst(jid.count + 1)), id, client)
    }
    if stanza.hasPrefix("message"), stanza.contains("type='groupchat'") || stanza.contains("type=\"groupchat\"") {
      return message(stanza, id)
    }
    return stanza.hasPrefix("iq") ? request(stanza, to: to, id, client) : []
  }

  private mutating func presence(_ stanza: String, nick: String, _ id: String, _ client: String) -> [String] {
    if stanza.contains("unavailable") {
      self.nick = nil
      return [own(nick, "unavailable", "none")]
    }
    guard stanza.contains("http://jabber.org/protocol/muc'") else { return [] }
    joins.append(nick)
    if let refusal { return [error("presence", from: "\(jid)/\(nick)", id, refusal.type, refusal.condition)] }
    if taken.contains(nick) { return [error("presence", from: "\(jid)/\(nick)", id, "cancel", "conflict")] }
    self.nick = nick
    let names = others.keys.sorted()
    return names.map { occupant($0, others[$0] ?? "") } + [own(nick, nil, "participant")] + history
      + (hasSubject ? [subject] : [])
  }

  private var subject: String {
    "<message type='groupchat' from='\(jid)'><subject>\(topic)</subject></message>"
  }

  /// Somebody's presence.
  func occupant(_ nick: String, _ item: String, type: String? = nil, more: String = "", beside: String = "") -> String {
    let id = ids[nick].map { "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\($0)'/>" } ?? ""
    return "<presence from='\(jid)/\(nick)'\(type.map { " type='\($0)'" } ?? "")>"
      + "<x xmlns='http://jabber.org/protocol/muc#user'><item \(item)/>\(more)</x>\(id)\(beside)</presence>"
  }

  /// The presence of the account.
  func own(_ nick: String, _ type: String?, _ role: String, more: String = "") -> String {
    let codes = (statuses + [110]).map { "<status code='\($0)'/>" }.joined()
    let id = ownID.map { "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\($0)'/>" } ?? ""
    return occupant(nick, "affiliation='member' role='\(role)'", type: type, more: codes + more, beside: id)
  }

  private mutating func message(_ stanza: String, _ id: String) -> [String] {
    guard let nick else { return [error("message", from: jid, id, "cancel", "not-acceptable")] }
    let inner = String(stanza.drop { $0 != ">" }.dropFirst()).components("</message>").first ?? ""
    heard.append(ScriptedArchive.content("body", inner) ?? "")
    return swallows ? [] : [reflection(inner, id: id, by: nick)]
  }

  /// What somebody says, kept in the archive and shown to all.
  mutating func says(_ text: String, id: String, by nick: String = "bob", more: String = "") -> String {
    reflection("<body>\(text)</body>\(more)", id: id, by: nick)
  }

  /// Keeps what somebody says; returns the stanza that shows it.
  mutating func reflection(_ inner: String, id: String, by nick: String) -> String {
    let start = "<message xmlns='jabber:client' type='groupchat' from='\(jid)/\(nick)' id='\(id)'>\(inner)"
    guard isKept else { return start + "</message>" }
    count += 1
    let stanzaID = "<stanza-id xmlns='urn:xmpp:sid:0' by='\(jid)' id='live\(count)'/>"
    archive.items.append(
      .init(id: "live\(count)", stamp: "2025-10-09T08:53:\(10 + count % 50)Z", xml: start + "</message>"))
    return start + stanzaID + "</message>"
  }

  private mutating func request(_ stanza: String, to: String, _ id: String, _ client: String) -> [String] {
    if stanza.contains("urn:xmpp:ping") {
      if ignoresPings { return [] }
      guard let nick else { return [error("iq", from: to, id, "cancel", "not-acceptable")] }
      return to == "\(jid)/\(nick)"
        ? ["<iq type='result' id='\(id)' from='\(to)'/>"] : [error("iq", from: to, id, "cancel", "item-not-found")]
    }
    if stanza.contains("disco#info") {
      if isHidden, nick == nil { return [error("iq", from: jid, id, "auth", "forbidden")] }
      let found = features.map { "<feature var='\($0)'/>" }.joined()
      return [
        "<iq type='result' id='\(id)' from='\(jid)'><query xmlns='http://jabber.org/protocol/disco#info'>"
          + "<identity category='conference' type='text' name='Team'/>\(found)</query></iq>"
      ]
    }
    return isKept
      ? archive.answers(to: "<" + stanza, jid: jid) : [error("iq", from: jid, id, "cancel", "service-unavailable")]
  }

  func error(_ name: String, from: String, _ id: String, _ type: String, _ condition: String) -> String {
    "<\(name) type='error' from='\(from)' id='\(id)'><error type='\(type)'>"
      + "<\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></\(name)>"
  }
}
