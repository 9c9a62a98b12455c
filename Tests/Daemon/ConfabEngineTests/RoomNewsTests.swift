import Clocks
import JSON
import Testing

@testable import ConfabAccounts

/// What is news in a room: words that are mentions, and occupants who are ignored.
@Suite("news of rooms")
struct RoomNewsTests {
  private static let jid = RoomFixture.jid

  private func fixture(_ features: [String] = ["urn:xmpp:occupant-id:0"], jid: String? = nil) throws -> RoomFixture {
    var room = ScriptedRoom()
    room.features += features
    if let jid { room.others["bob"] = "affiliation='member' role='participant' jid='\(jid)'" }
    return try RoomFixture(room)
  }

  private func occupant(_ id: String) -> String { "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\(id)'/>" }

  /// The room shows bob with an id.
  private func show(_ fixture: RoomFixture, _ nick: String = "bob", id: String) {
    let presence = fixture.room.occupant(nick, "affiliation='member' role='participant'")
    fixture.say(presence.replacing("</presence>", with: occupant(id) + "</presence>"))
  }

  private func mentions(_ fixture: RoomFixture) -> [String] {
    fixture.messages.filter { $0["mention"]?.bool == true }.compactMap { $0["text"]?.string }
  }

  private func unread(_ fixture: RoomFixture) -> [Int64?] {
    let answer = fixture.ask("unread in=\(Self.jid)").last
    return [answer?["unread"]?.integer, answer?["mentions"]?.integer]
  }

  // MARK: - Mentions

  @Test("mention-words are mentions from then on, outside of quotes, and outlive a kill")
  func words() throws {
    let fixture = try fixture()
    fixture.hear("deploy early", id: "b0")
    #expect(fixture.ask("mention-words deploy 小明").last?["ok"]?.bool == true)
    for (number, text) in ["Deploy now", "&gt; deploy", "deployed", "你好小明你"].enumerated() {
      fixture.hear(text, id: "b\(number + 1)")
    }
    #expect(mentions(fixture) == ["Deploy now", "你好小明你"])
    let next = try fixture.killed()
    #expect(next.ask("mention-words").last?["words"]?.array?.compactMap(\.string) == ["deploy", "小明"])
    next.hear("a deploy", id: "c1")
    #expect(mentions(next).last == "a deploy")
    #expect(next.ask("mention-words clear=yes").last?["ok"]?.bool == true)
    #expect(next.ask("mention-words").last?["words"]?.array?.isEmpty == true)
    next.hear("a deploy again", id: "c2")
    #expect(mentions(next).last == "a deploy")
  }

  @Test("JSON sets words with spaces, and an empty array clears them; what is no word changes nothing")
  func badWords() throws {
    let fixture = try fixture()
    #expect(fixture.ask(#"{"verb":"mention-words","words":["big red"]}"#).last?["ok"]?.bool == true)
    let long = String(repeating: "x", count: 257)
    for words in [[" "], [long], Array(repeating: "w", count: 101)] {
      let list = words.map { "\"\($0)\"" }.joined(separator: ",")
      #expect(fixture.ask("{\"verb\":\"mention-words\",\"words\":[\(list)]}").last?["error"]?.string == "bad-argument")
    }
    #expect(fixture.ask("mention-words clear=yes word").last?["error"]?.string == "bad-argument")
    #expect(fixture.ask(#"{"verb":"mention-words","words":[1]}"#).last?["error"]?.string == "bad-argument")
    #expect(fixture.ask("mention-words").last?["words"]?.array?.compactMap(\.string) == ["big red"])
    #expect(fixture.ask(#"{"verb":"mention-words","words":[]}"#).last?["ok"]?.bool == true)
    #expect(fixture.ask("mention-words").last?["words"]?.array?.isEmpty == true)
  }

  private func mark(_ uri: String) -> String {
    "<reference xmlns='urn:xmpp:reference:0' type='mention' uri='\(uri)'/>"
  }

  @Test("a mark of me by another client counts where the room tells occupants apart, and marks of others do not")
  func marks() throws {
    let room = "xmpp:\(Self.jid)"
    let vouched = try fixture()
    vouched.hear("one", id: "b1", more: mark(room + "/alice"))
    vouched.hear("two", id: "b2", more: mark(room + "/bob") + mark("xmpp:other@rooms.example.org/alice"))
    vouched.hear("three", id: "b3", more: mark("xmpp:alice@example.org"))
    #expect(mentions(vouched) == ["one"])
    let shown = try fixture(["muc_nonanonymous"])
    shown.hear("four", id: "b4", more: mark("xmpp:alice@example.org"))
    #expect(mentions(shown) == ["four"])
    let neither = try fixture([])
    neither.hear("five", id: "b5", more: mark(room + "/alice") + mark("xmpp:alice@example.org"))
    #expect(mentions(neither) == [])
  }

  // MARK: - Ignoring

  @Test("what an ignored occupant says is kept, no news, and in history only with ignored=yes; no takes it back")
  func ignored() throws {
    let fixture = try fixture()
    show(fixture, id: "occ-bob")
    fixture.hear("before", id: "b0", more: occupant("occ-bob"))
    #expect(fixture.ask("ignore \(Self.jid) bob yes").last?["ok"]?.bool == true)
    #expect(fixture.ask("ignored \(Self.jid)").first?["ignored"]?["occupant"]?.string == "occ-bob")
    fixture.hear("alice, look", id: "b1", more: occupant("occ-bob"))
    fixture.hear("a", id: "c1", by: "carol", more: occupant("occ-carol"))
    // Another nick is the same person, and the same nick with another id is not.
    fixture.hear("robert", id: "b2", by: "robert", more: occupant("occ-bob"))
    fixture.hear("another", id: "d1", more: occupant("occ-other"))
    #expect(fixture.talk == ["bob: before", "carol: a", "bob: another"])
    #expect(unread(fixture) == [3, 0])
    fixture.hear("robert again", id: "b5", by: "robert", more: occupant("occ-bob"))
    let conversation = fixture.ask("conversations").compactMap { $0["conversation"] }.first
    #expect(conversation?["last"]?["text"]?.string == "another" && conversation?["count"]?.integer == 3)
    #expect(fixture.ask("search robert").compactMap { $0["message"] }.isEmpty)
    let all = fixture.ask("history ignored=yes \(Self.jid)").compactMap { $0["message"] }
    #expect(
      all.filter { $0["ignored"]?.bool == true }.compactMap { $0["text"]?.string } == [
        "alice, look", "robert", "robert again",
      ])
    #expect(all.count == 6 && mentions(fixture) == [])
    let next = try fixture.killed()
    next.hear("still", id: "b3", more: occupant("occ-bob"))
    #expect(next.talk.count == 3)
    #expect(next.ask("ignore \(Self.jid) bob no").last?["ok"]?.bool == true)
    #expect(next.ask("ignored").count == 1)
    next.hear("again", id: "b4", more: occupant("occ-bob"))
    #expect(next.talk.last == "bob: again" && next.talk.count == 4)
  }

  @Test("pages of history are filled up beside ignored messages")
  func pages() throws {
    let fixture = try fixture()
    show(fixture, id: "occ-bob")
    #expect(fixture.ask("ignore \(Self.jid) bob yes").last?["ok"]?.bool == true)
    for number in 0..<6 {
      fixture.hear("b\(number)", id: "b\(number)", more: occupant("occ-bob"))
      fixture.hear("c\(number)", id: "c\(number)", by: "carol", more: occupant("occ-carol"))
    }
    func page(_ options: String) -> (texts: [String?], more: [Bool?], ids: [Int64]) {
      let lines = fixture.ask("history \(options) \(Self.jid)")
      let messages = lines.compactMap { $0["message"] }
      return (
        messages.map { $0["text"]?.string }, [lines.last?["more_before"]?.bool, lines.last?["more_after"]?.bool],
        messages.compactMap { $0["id"]?.integer }
      )
    }
    let newest = page("limit=2")
    #expect(newest.texts == ["c4", "c5"] && newest.more == [true, false])
    let newestID = try #require(newest.ids.first)
    let before = page("limit=4 before=\(newestID)")
    #expect(before.texts == ["c0", "c1", "c2", "c3"] && before.more == [false, true])
    let oldestID = try #require(before.ids.first)
    #expect(page("limit=2 after=\(oldestID)").texts == ["c1", "c2"])
    #expect(page("limit=3 ignored=yes").texts == ["c4", "b5", "c5"])
  }

  @Test("an occupant whose JID is shown is known by it, under each nick; a private message of it is no news either")
  func byJID() throws {
    let fixture = try fixture(["muc_nonanonymous"], jid: "bob@example.org/phone")
    #expect(fixture.ask("ignore \(Self.jid) bob yes").last?["ok"]?.bool == true)
    #expect(fixture.ask("ignored").first?["ignored"]?["jid"]?.string == "bob@example.org")
    let item = "affiliation='member' role='participant' jid='bob@example.org/desk'"
    fixture.say(fixture.room.occupant("bobby", item))
    fixture.hear("hello", id: "b1", by: "bobby")
    fixture.say(
      "<message type='chat' from='\(Self.jid)/bob' id='p1'><body>psst</body>"
        + "<x xmlns='http://jabber.org/protocol/muc#user'/></message>")
    #expect(fixture.talk == [])
    #expect(fixture.ask("history \(Self.jid)/bob").compactMap { $0["message"] }.isEmpty)
    #expect(fixture.ask("history ignored=yes \(Self.jid)/bob").compactMap { $0["message"] }.count == 1)
    #expect(fixture.ask("unread").last?["unread"]?.integer == 0)
  }

  @Test("somebody known by a nick alone is ignored under its next nick, and until it leaves")
  func byNick() throws {
    let fixture = try fixture([])
    #expect(fixture.ask("ignore \(Self.jid) bob yes").last?["ok"]?.bool == true)
    let item = "affiliation='member' role='participant'"
    fixture.say(
      fixture.room.occupant(
        "bob", "affiliation='member' role='participant' nick='rob'", type: "unavailable",
        more: "<status code='303'/>"),
      fixture.room.occupant("rob", item))
    fixture.hear("hello", id: "b1", by: "rob")
    fixture.hear("somebody", id: "d1", by: "bob")
    #expect(fixture.talk == ["bob: somebody"])
    fixture.say(
      fixture.room.occupant("rob", "affiliation='member' role='none'", type: "unavailable"),
      fixture.room.occupant("rob", item))
    fixture.hear("another", id: "e1", by: "rob")
    #expect(fixture.talk == ["bob: somebody", "rob: another"])
    #expect(fixture.ask("ignored").count == 1)
  }

  @Test("nobody, myself, and a room that is not mine cannot be ignored")
  func refused() throws {
    let fixture = try fixture()
    #expect(fixture.ask("ignore \(Self.jid) nobody yes").last?["error"]?.string == "not-found")
    #expect(fixture.ask("ignore \(Self.jid) alice yes").last?["error"]?.string == "bad-argument")
    #expect(fixture.ask("ignore other@rooms.example.org bob yes").last?["error"]?.string == "not-found")
    #expect(fixture.ask("ignore \(Self.jid) bob maybe").last?["error"]?.string == "bad-argument")
    #expect(fixture.ask("ignore \(Self.jid) nobody no").last?["ok"]?.bool == true)
  }

  @Test("notify can be set of a room in which nobody has spoken")
  func notifyBeforeMessages() throws {
    #expect(try fixture().ask("notify \(Self.jid) always").last?["ok"]?.bool == true)
  }
}

/// The coming and going of occupants: in the history, and as events.
@Suite("coming and going in rooms")
struct RoomNoiseTests {
  private static let jid = RoomFixture.jid
  private let item = "affiliation='none' role='participant'"

  private func come(_ fixture: RoomFixture, _ nick: String) { fixture.say(fixture.room.occupant(nick, item)) }

  private func go(_ fixture: RoomFixture, _ nick: String, more: String = "") {
    fixture.say(
      fixture.room.occupant(nick, "affiliation='none' role='none'", type: "unavailable", more: more))
  }

  private func events(_ fixture: RoomFixture) -> [String] {
    fixture.messages.filter { $0["type"]?.string == "event" }.map {
      "\($0["change"]?.string ?? "?") \($0["member"]?["nick"]?.string ?? "?")"
    }
  }

  @Test("noise always keeps who comes and goes in the history, never as unread, and over a kill")
  func always() throws {
    let fixture = try RoomFixture()
    come(fixture, "quiet")
    #expect(fixture.ask("noise \(Self.jid) always").last?["ok"]?.bool == true)
    #expect(fixture.object?["noise"]?.string == "always")
    come(fixture, "carol")
    go(fixture, "carol", more: "<status code='307'/>")
    #expect(events(fixture) == ["joined carol", "kicked carol"])
    #expect(fixture.ask("unread").last?["unread"]?.integer == 0)
    #expect(fixture.messages.last?["plain"]?.string == "carol was kicked")
    let next = try fixture.killed()
    #expect(events(next) == ["joined carol", "kicked carol"])
    #expect(next.ask("noise \(Self.jid) never").last?["ok"]?.bool == true)
    come(next, "dave")
    #expect(events(next).count == 2)
    #expect(next.ask("noise other@rooms.example.org always").last?["error"]?.string == "not-found")
    #expect(next.ask("noise \(Self.jid) loud").last?["error"]?.string == "bad-argument")
  }

  @Test("smart noise is of who spoke in the 5 minutes before, or speaks in the 30 after, in its place")
  func smart() throws {
    let fixture = try RoomFixture()
    #expect(fixture.ask("noise \(Self.jid) smart").last?["ok"]?.bool == true)
    for nick in ["carol", "dave", "erin"] { come(fixture, nick) }
    #expect(events(fixture) == [])
    fixture.hear("hello", id: "c1", by: "carol")
    #expect(events(fixture) == ["joined carol"])
    #expect(fixture.messages.map { $0["type"]?.string ?? "text" } == ["event", "text"])
    go(fixture, "carol")
    #expect(events(fixture) == ["joined carol", "left carol"])
    fixture.harness.pass(.minutes(31))
    fixture.hear("late", id: "d1", by: "dave")
    #expect(events(fixture) == ["joined carol", "left carol"])
    fixture.harness.pass(.minutes(6))
    go(fixture, "dave")
    #expect(events(fixture) == ["joined carol", "left carol"])
  }

  @Test("more than 20 presences in a second are summed up each second, and few are told one by one again")
  func flood() throws {
    let fixture = try RoomFixture()
    let watcher = fixture.harness.connect(7)
    _ = fixture.harness.ask(watcher, "watch kinds=member,members")
    for number in 0..<50 { fixture.harness.say(fixture.room.occupant("n\(number)", item)) }
    fixture.harness.pass(.seconds(1))
    var lines = fixture.harness.takeLines(watcher).filter { $0["event"]?.string != "caught-up" }
    #expect(lines.filter { $0["event"]?.string == "member" }.count == 20)
    let sum = lines.last
    #expect(sum?["event"]?.string == "members" && sum?["joined"]?.integer == 30 && sum?["left"]?.integer == 0)
    #expect(sum?["count"]?.integer == 52)
    let gone = "affiliation='none' role='none'"
    for number in 0..<30 {
      fixture.harness.say(fixture.room.occupant("n\(number)", gone, type: "unavailable"))
    }
    fixture.harness.pass(.seconds(1))
    lines = fixture.harness.takeLines(watcher)
    #expect(lines.map { $0["event"]?.string } == ["members"] && lines.last?["left"]?.integer == 30)
    fixture.harness.pass(.seconds(3))
    come(fixture, "carol")
    #expect(fixture.harness.takeLines(watcher).map { $0["event"]?.string } == ["member"])
  }
}
