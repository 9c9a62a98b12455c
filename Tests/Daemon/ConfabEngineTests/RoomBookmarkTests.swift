import Clocks
import ConfabAccounts
import JSON
import Testing

/// Bookmarks of rooms at their node (XEP-0402), and in one element where the account has only that (XEP-0048, XEP-0049).
@Suite("Bookmarks of rooms")
struct RoomBookmarkTests {
  private static let room = "team@rooms.example.org"
  private static let other = "other@rooms.example.org"

  private func harness(
    features: [String] = [], hasNodes: Bool = false, resumption: String? = nil
  ) throws -> Harness {
    var server = ScriptedStream()
    (server.resumption, server.acknowledges) = (resumption, resumption != nil)
    (server.features, server.hasNodes, server.room) = (features, hasNodes, ScriptedRoom())
    (server.refusesStorage, server.serverFeatures) = (false, ["jabber:iq:private"])
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    return harness
  }

  /// The requests to the account with a part in them, as they came.
  private func asked(_ part: String, _ harness: Harness) -> [String] {
    harness.toServer.components("<iq").dropFirst().map { "<iq" + ($0.components("</iq>").first ?? "") }
      .filter { $0.contains(part) }
  }

  /// Answers the last such request.
  private func answer(_ part: String, _ payload: String, _ harness: Harness, type: String = "result") throws {
    let id = try #require(asked(part, harness).last.flatMap { ScriptedStream.value(of: "id", in: $0) })
    harness.say("<iq type='\(type)' id='\(id)'>\(payload)</iq>")
    harness.pass(.seconds(1))
  }

  private func rooms(_ harness: Harness) -> [String: String] {
    let rooms = harness.ask(harness.connect(90), "rooms").compactMap { $0["room"] }
    return Dictionary(uniqueKeysWithValues: rooms.map { ($0["jid"]?.string ?? "", $0["state"]?.string ?? "") })
  }

  private func join(_ harness: Harness, _ options: String = "") {
    #expect(harness.ask(harness.connect(91), "join \(options)\(Self.room)").last?["ok"]?.bool == true)
  }

  // MARK: - One element

  private static let read = "<query xmlns='jabber:iq:private'><storage xmlns='storage:bookmarks'/></query>"
  private static let write = "type='set'"
  private static let url = "<url name='a page' url='https://example.org/'/>"
  private static let theirs =
    "<conference jid='\(other)' autojoin='1' name='Other'><nick>al</nick><x xmlns='urn:example:x'>1</x></conference>"

  private static func element(_ entries: String) -> String {
    "<query xmlns='jabber:iq:private'><storage xmlns='storage:bookmarks'>\(entries)</storage></query>"
  }

  private func writes(_ harness: Harness) -> [String] {
    asked("jabber:iq:private", harness).filter { $0.contains(Self.write) }
  }

  @Test("Without nodes the rooms of the element are joined, and mine stands in it beside all that was there")
  func element() throws {
    let harness = try harness()
    try answer(Self.read, Self.element(Self.url + Self.theirs), harness)
    #expect(rooms(harness)[Self.other] == "joining")
    #expect(writes(harness).isEmpty)
    join(harness, "nick=ally password=sesame ")
    try answer(Self.read, Self.element(Self.url + Self.theirs), harness)
    let written = try #require(writes(harness).last)
    #expect(written.contains("<url") && written.contains("https://example.org/") && written.contains("urn:example:x"))
    #expect(written.contains("jid='\(Self.room)'") && written.contains("<password>sesame</password>"))
    #expect(written.contains("<nick>ally</nick>") && written.contains("autojoin='true'"))
    let mine =
      "<conference jid='\(Self.room)' autojoin='true'><nick>ally</nick><password>sesame</password></conference>"
    try answer(Self.write, "", harness)
    try answer(Self.read, Self.element(Self.url + Self.theirs + mine), harness)
    #expect(writes(harness).count == 1)
    #expect(harness.ask(harness.connect(92), "leave \(Self.room)").last?["ok"]?.bool == true)
    try answer(Self.read, Self.element(Self.url + Self.theirs + mine), harness)
    let left = try #require(writes(harness).last)
    #expect(left.contains("jid='\(Self.other)' autojoin='1'") && left.contains("autojoin='false'"))
  }

  @Test("A bookmark that another client has overwritten is written again, a few times, and the room is not left")
  func race() throws {
    let harness = try harness()
    try answer(Self.read, Self.element(""), harness)
    join(harness)
    for round in 1...3 {
      try answer(Self.read, Self.element(Self.theirs), harness)
      #expect(writes(harness).count == round)
      try answer(Self.write, "", harness)
    }
    try answer(Self.read, Self.element(Self.theirs), harness)
    #expect(writes(harness).count == 3)
    #expect(rooms(harness)[Self.room] != "left")
  }

  @Test(
    "What cannot be read is not written",
    arguments: [
      ("error", "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"),
      ("result", ""), ("result", "<query xmlns='jabber:iq:private'><storage xmlns='storage:other'/></query>"),
    ])
  func unreadable(_ type: String, _ payload: String) throws {
    let harness = try harness()
    join(harness)
    try answer(Self.read, payload, harness, type: type)
    #expect(writes(harness).isEmpty)
    #expect(rooms(harness)[Self.room] == "joined")
  }

  @Test(
    "The place is that of the account's other clients",
    arguments: [
      (["urn:xmpp:bookmarks:1#compat"], true),
      (["urn:xmpp:bookmarks:1#compat-pep", "urn:xmpp:bookmarks-conversion:0"], true),
      (["http://jabber.org/protocol/pubsub#publish-options"], true), ([], false),
      (["http://jabber.org/protocol/pubsub#publish-options", "urn:xmpp:bookmarks-conversion:0"], false),
    ])
  func place(_ features: [String], _ isNode: Bool) throws {
    let harness = try harness(features: features, hasNodes: true)
    #expect(asked("<items node='urn:xmpp:bookmarks:1'", harness).isEmpty != isNode)
    #expect(asked("jabber:iq:private", harness).isEmpty == isNode)
  }

  // MARK: - A node

  private static func item(_ inner: String, autojoin: Bool = true) -> String {
    "<item id='\(room)'><conference xmlns='urn:xmpp:bookmarks:1' autojoin='\(autojoin)'>\(inner)</conference></item>"
  }

  private static func event(_ items: String, from: String = "alice@example.org") -> String {
    "<message from='\(from)' type='headline'><event xmlns='http://jabber.org/protocol/pubsub#event'>"
      + "<items node='urn:xmpp:bookmarks:1'>\(items)</items></event></message>"
  }

  private static let secret =
    "<password>sesame</password><extensions><pin xmlns='urn:example:pin'/></extensions>"

  private func node(resumption: String? = nil) throws -> Harness {
    let harness = try harness(features: ["urn:xmpp:bookmarks:1#compat"], hasNodes: true, resumption: resumption)
    try answer(
      "<items node='urn:xmpp:bookmarks:1'",
      "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='urn:xmpp:bookmarks:1'>\(Self.item(Self.secret))"
        + "</items></pubsub>", harness)
    #expect(rooms(harness) == [Self.room: "joined"])
    return harness
  }

  private func published(_ harness: Harness) -> [String] { asked("<publish node='urn:xmpp:bookmarks:1'", harness) }

  @Test("What an older client drops of a bookmark is brought back, once: two clients that disagree end so")
  func broughtBack() throws {
    let harness = try node()
    #expect(published(harness).isEmpty)
    harness.say(Self.event(Self.item("")))
    harness.pass(.seconds(1))
    let first = try #require(published(harness).last)
    #expect(first.contains("<password>sesame</password>") && first.contains("urn:example:pin"))
    try answer("<publish node='urn:xmpp:bookmarks:1'", "", harness)
    for _ in 0..<3 { harness.say(Self.event(Self.item(""))) }
    harness.pass(.seconds(1))
    #expect(published(harness).count == 1)
    #expect(rooms(harness) == [Self.room: "joined"])
  }

  @Test("Bookmarks of others change nothing")
  func others() throws {
    let harness = try node()
    for from in ["bob@example.org", Self.room, "\(Self.room)/bob", "alice@example.org/x", "example.org"] {
      harness.say(Self.event(Self.item("", autojoin: false), from: from))
      harness.say(Self.event("<retract id='\(Self.room)'/>", from: from))
    }
    harness.pass(.seconds(1))
    #expect(rooms(harness) == [Self.room: "joined"] && published(harness).isEmpty)
    harness.say(Self.event(Self.item("", autojoin: false)))
    harness.pass(.seconds(1))
    #expect(rooms(harness) == [Self.room: "left"])
  }

  @Test("A stream that goes on keeps the bookmarks, and what changed while the link was lost is published")
  func resumed() throws {
    let harness = try node(resumption: "max='600'")
    harness.cut()
    harness.clearTrace()
    #expect(harness.ask(harness.connect(92), "join \(Self.other)").last?["ok"]?.bool == true)
    #expect(published(harness).isEmpty)
    harness.pass(.seconds(30))
    #expect(harness.toServer.contains("<resume "))
    #expect(asked("<items node='urn:xmpp:bookmarks:1'", harness).isEmpty)
    let item = try #require(published(harness).first)
    #expect(published(harness).count == 1 && item.contains(Self.other) && item.contains("autojoin='true'"))
    #expect(rooms(harness)[Self.room] == "joined")
  }

  @Test("Another nick of mine stands in the bookmark, beside what else is there")
  func otherNick() throws {
    let harness = try node()
    let room = try #require(harness.server.room)
    let gone = room.own("alice", "unavailable", "none", more: "<status code='303'/>")
      .replacing("<item ", with: "<item nick='ally' ")
    harness.server.room?.answers = [("/ally", gone + room.own("ally", nil, "participant"))]
    harness.send(harness.connect(92), "join nick=ally \(Self.room)\n")
    harness.pass(.milliseconds(100))
    let item = try #require(published(harness).last)
    #expect(item.contains("<nick>ally</nick>") && item.contains("sesame") && item.contains("urn:example:pin"))
    #expect(published(harness).count == 1 && rooms(harness) == [Self.room: "joined"])
  }

  // MARK: - Notifications (XEP-0492)

  private static func notify(_ setting: String) -> String {
    "<extensions><notify xmlns='urn:xmpp:notification-settings:1'>\(setting)</notify>"
      + "<pin xmlns='urn:example:pin'/></extensions>"
  }

  private func level(_ harness: Harness) -> String? {
    harness.ask(harness.connect(92), "room \(Self.room)").first?["room"]?["notify"]?.string
  }

  @Test("What notifies me of a room stands in its bookmark, beside what else is there, as often as it changes")
  func notifyHere() throws {
    let harness = try node()
    for (level, name) in [("never", "never"), ("mentions", "on-mention"), ("always", "always")] {
      #expect(harness.ask(harness.connect(91), "notify \(Self.room) \(level)").last?["ok"]?.bool == true)
      harness.pass(.seconds(1))
      let item = try #require(published(harness).last)
      #expect(item.contains("<\(name)/>") || item.contains("<\(name)></\(name)>"), "\(item)")
      #expect(item.contains("urn:example:pin") && item.contains("sesame"))
      try answer("<publish node='urn:xmpp:bookmarks:1'", "", harness)
    }
    #expect(published(harness).count == 3)
    // A level for a time is no matter of other devices.
    _ = harness.ask(harness.connect(91), "notify until=2099-01-01T00:00:00Z \(Self.room) never")
    harness.pass(.seconds(1))
    #expect(published(harness).count == 3)
  }

  @Test("A change of it elsewhere changes it here; what has not reached the server yet stays")
  func notifyElsewhere() throws {
    let harness = try node()
    harness.say(Self.event(Self.item("<password>sesame</password>" + Self.notify("<never/>"))))
    harness.pass(.seconds(1))
    #expect(level(harness) == "never")
    harness.say(Self.event(Self.item("<password>sesame</password>" + Self.notify(""))))
    harness.pass(.seconds(1))
    #expect(level(harness) == "mentions")
    #expect(published(harness).isEmpty)
    _ = harness.ask(harness.connect(91), "disconnect")
    _ = harness.ask(harness.connect(91), "notify \(Self.room) always")
    _ = harness.ask(harness.connect(91), "connect")
    harness.pass(.seconds(1))
    try answer(
      "<items node='urn:xmpp:bookmarks:1'",
      "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='urn:xmpp:bookmarks:1'>"
        + Self.item("<password>sesame</password>" + Self.notify("<never/>")) + "</items></pubsub>", harness)
    #expect(level(harness) == "always")
    #expect(published(harness).last?.contains("<always") == true)
  }
}
