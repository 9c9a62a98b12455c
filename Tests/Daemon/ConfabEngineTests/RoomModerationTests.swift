import Clocks
import ConfabAccounts
import JSON
import Testing

/// Messages that a moderator takes back (XEP-0425), in both versions.
@Suite("Moderated messages")
struct RoomModerationTests {
  private static let room = "team@rooms.example.org"

  enum Version: String, CaseIterable {
    case zero = "urn:xmpp:message-moderate:0"
    case one = "urn:xmpp:message-moderate:1"

    private func moderated(_ inner: String = "") -> String {
      "<moderated xmlns='\(rawValue)' by='\(room)/mod'>\(inner)</moderated>"
    }

    /// The room's announcement that the message with its id was retracted.
    func announcement(of id: String, from: String = room) -> String {
      let content =
        switch self {
        case .zero:
          "<apply-to xmlns='urn:xmpp:fasten:0' id='\(id)'>"
            + moderated("<retract xmlns='urn:xmpp:message-retract:0'/><reason>rude</reason>") + "</apply-to>"
        case .one:
          "<retract xmlns='urn:xmpp:message-retract:1' id='\(id)'>\(moderated())<reason>rude</reason></retract>"
        }
      return "<message xmlns='jabber:client' type='groupchat' from='\(from)' id='mod-\(id)'>\(content)</message>"
    }

    /// The rest of a message in the archive.
    func tombstone(id: String) -> String {
      let stamp = "stamp='2025-10-09T09:00:00Z'"
      let content =
        switch self {
        case .zero: moderated("<retracted xmlns='urn:xmpp:message-retract:0' \(stamp)/><reason>rude</reason>")
        case .one:
          "<retracted xmlns='urn:xmpp:message-retract:1' \(stamp)>\(moderated())<reason>rude</reason></retracted>"
        }
      return "<message xmlns='jabber:client' type='groupchat' from='\(room)/bob' id='\(id)'>\(content)</message>"
    }

    /// The iq by which a moderator asks for it.
    func isRequest(_ iq: String, of id: String) -> Bool {
      switch self {
      case .zero:
        iq.contains("<apply-to xmlns='urn:xmpp:fasten:0' id='\(id)'><moderate xmlns='\(rawValue)'>")
          && iq.contains("<retract xmlns='urn:xmpp:message-retract:0'/>")
      case .one:
        iq.contains("<moderate xmlns='\(rawValue)' id='\(id)'><retract xmlns='urn:xmpp:message-retract:1'/>")
      }
    }
  }

  private func harness(
    _ version: Version? = .one, change: (inout ScriptedRoom) -> Void = { _ in }
  ) throws -> Harness {
    var room = ScriptedRoom()
    if let version { room.features.append(version.rawValue) }
    change(&room)
    var server = ScriptedStream()
    server.room = room
    server.acknowledges = true
    let harness = try Harness(server: server)
    let answer = harness.ask(harness.connect(90), "join wait=joined \(Self.room)")
    #expect(answer.last?["ok"]?.bool == true, "\(answer)")
    return harness
  }

  /// Somebody says something; returns its number.
  @discardableResult
  private func say(_ text: String, id: String, _ harness: Harness, more: String = "") throws -> Int64 {
    let stanza = harness.server.room?.says(text, id: id, more: more)
    harness.say(try #require(stanza))
    harness.pass(.seconds(1))
    return try #require(messages(harness).last?["id"]?.integer)
  }

  private func messages(_ harness: Harness) -> [JSONValue] {
    harness.ask(harness.connect(91), "history \(Self.room)").compactMap { $0["message"] }
  }

  private func texts(_ harness: Harness) -> [String] { messages(harness).map { $0["text"]?.string ?? "" } }

  private func check(_ message: JSONValue?, at time: String? = nil) {
    #expect(message?["text"]?.string == "")
    #expect(message?["retracted"]?["by"]?.string == "\(Self.room)/mod")
    #expect(message?["retracted"]?["reason"]?.string == "rude")
    if let time { #expect(message?["retracted"]?["time"]?.string == time) }
  }

  // MARK: - Taken back by others

  @Test("The room takes a message back; its text is in no answer any more", arguments: Version.allCases)
  func live(_ version: Version) throws {
    let harness = try harness(version)
    let id = try say("secret", id: "m1", harness)
    try say("other", id: "m2", harness)
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=retract")
    harness.say(version.announcement(of: "live1"))
    harness.pass(.seconds(1))
    let event = harness.takeLines(watcher).first
    #expect(event?["event"]?.string == "retract" && event?["id"]?.integer == id)
    check(event?["message"])
    #expect(texts(harness) == ["", "other"])
    check(messages(harness).first)
    let client = harness.connect(3)
    #expect(harness.ask(client, "search in=\(Self.room) secret").compactMap { $0["message"] }.isEmpty)
    #expect(harness.ask(client, "versions \(id)").compactMap { $0["version"] }.isEmpty)
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    #expect(texts(next) == ["", "other"])
  }

  @Test("A retraction right behind its message, before that is on the disk, is done", arguments: Version.allCases)
  func atOnce(_ version: Version) throws {
    let harness = try harness(version)
    harness.syncsAtOnce = false
    let stanza = harness.server.room?.says("secret", id: "m1")
    harness.say(try #require(stanza), version.announcement(of: "live1"))
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(1))
    check(messages(harness).first)
  }

  @Test("A reaction right behind its message, before that is on the disk, is there")
  func reactionAtOnce() throws {
    let harness = try harness()
    harness.syncsAtOnce = false
    let stanza = harness.server.room?.says("hello", id: "m1")
    harness.say(
      try #require(stanza),
      "<message type='groupchat' from='\(Self.room)/bob' id='r1'><reactions xmlns='urn:xmpp:reactions:0' id='live1'>"
        + "<reaction>👍</reaction></reactions></message>")
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(1))
    #expect(messages(harness).first?["reactions"]?.array?.first?["emoji"]?.string == "👍")
  }

  @Test("What an occupant says in the room's name, or about an id that a sender chose, changes nothing")
  func forged() throws {
    let harness = try harness()
    try say("one", id: "m1", harness)
    try say("two", id: "live9", harness)
    for version in Version.allCases {
      harness.say(version.announcement(of: "live1", from: "\(Self.room)/bob"))
      harness.say(version.announcement(of: "live1", from: "\(Self.room)/eve"))
      harness.say(version.announcement(of: "live1", from: "other@rooms.example.org"))
      // The sender's own id, and one that nobody has.
      harness.say(version.announcement(of: "m1"))
      harness.say(version.announcement(of: "live9"))
      harness.say(version.announcement(of: "live1").replacing("groupchat", with: "error"))
      // What is left of a message, live.
      harness.say(version.tombstone(id: "m1"))
    }
    harness.pass(.seconds(1))
    #expect(texts(harness) == ["one", "two"])
    #expect(messages(harness).allSatisfy { $0["retracted"] == nil })
  }

  @Test("A message taken back while we were away is found by what its archive has left", arguments: Version.allCases)
  func away(_ version: Version) throws {
    let harness = try harness(version)
    try say("secret", id: "m1", harness)
    try say("other", id: "m2", harness)
    harness.cut()
    harness.server.room?.archive.items[0].xml = version.tombstone(id: "m1")
    harness.server.room?.archive.items.append(
      .init(id: "t1", stamp: "2025-10-09T09:00:00Z", xml: version.announcement(of: "live1")))
    harness.pass(.minutes(1))
    let all = messages(harness)
    #expect(all.map { $0["text"]?.string } == ["", "other"])
    check(all.first)
  }

  @Test("What an archive has left of a message that never came is no message", arguments: Version.allCases)
  func unknown(_ version: Version) throws {
    let harness = try harness(version) { room in
      room.archive.items = [
        .init(id: "a1", stamp: "2025-10-09T08:00:00Z", xml: version.tombstone(id: "m1")),
        .init(id: "a2", stamp: "2025-10-09T09:00:00Z", xml: version.announcement(of: "a1")),
      ]
    }
    #expect(messages(harness).isEmpty)
    try say("hello", id: "m2", harness)
    #expect(texts(harness) == ["hello"])
  }

  @Test("A retraction that the archive tells before its message waits for it")
  func before() throws {
    let stanza =
      "<message xmlns='jabber:client' type='groupchat' from='\(Self.room)/bob' id='m1'><body>secret</body></message>"
    let harness = try harness { room in
      room.archive.pageSize = 1
      room.archive.items = [
        .init(id: "a1", stamp: "2025-10-09T08:00:00Z", xml: stanza),
        .init(id: "a2", stamp: "2025-10-09T09:00:00Z", xml: Version.one.announcement(of: "a1")),
      ]
    }
    check(messages(harness).first)
  }

  @Test("A retraction or reaction that waits is done after a kill behind its message", arguments: [true, false])
  func killed(isModeration: Bool) throws {
    let reaction =
      "<message type='groupchat' from='\(Self.room)/bob' id='r1'><reactions xmlns='urn:xmpp:reactions:0' id='live1'>"
      + "<reaction>👍</reaction></reactions></message>"
    let harness = try harness { $0.features.append("urn:xmpp:occupant-id:0") }
    harness.say(isModeration ? Version.one.announcement(of: "live1") : reaction)
    harness.pass(.seconds(1))
    harness.syncsAtOnce = false
    let stanza = harness.server.room?.says("secret", id: "m1")
    harness.say(try #require(stanza))
    for parts in 1...8 {
      let next = try Harness(on: harness.image(parts: parts), server: harness.server, now: harness.now, seed: 2)
      next.pass(.seconds(5))
      let message = messages(next).first
      let isChanged = message?["retracted"] != nil || message?["reactions"] != nil
      #expect(isChanged, "\(parts) of 8: \(String(describing: message))")
    }
  }

  @Test("A correction's id takes back the message")
  func corrected() throws {
    let harness = try harness { $0.features.append("urn:xmpp:occupant-id:0") }
    let occupant = "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='bob'/>"
    try say("helo", id: "m1", harness, more: occupant)
    try say(
      "hello", id: "m2", harness, more: "<replace xmlns='urn:xmpp:message-correct:0' id='m1'/>" + occupant)
    #expect(texts(harness) == ["hello"])
    harness.say(Version.one.announcement(of: "live2"))
    harness.pass(.seconds(1))
    #expect(texts(harness) == [""])
    check(messages(harness).first)
  }

  // MARK: - Taken back by me

  @Test("A moderator asks the room in the version that it announces, and it is done once", arguments: Version.allCases)
  func mine(_ version: Version) throws {
    let answer = "<iq type='result' from='\(Self.room)' id='$id'/>"
    let harness = try harness(version) { $0.answers = [("message-moderate", answer)] }
    let id = try say("secret", id: "m1", harness)
    let client = harness.connect(1)
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=retract")
    let final = harness.ask(client, "retract \(id) too loud").last
    #expect(final?["ok"]?.bool == true && final?["id"]?.integer == id && final?["state"]?.string == "delivered")
    let asked = try #require(harness.server.room?.asked.last)
    #expect(version.isRequest(asked, of: "live1") && asked.contains("<reason>too loud</reason>"), "\(asked)")
    #expect(messages(harness).first?["retracted"]?["reason"]?.string == "too loud")
    // The announcement comes behind the answer; asking again changes nothing.
    harness.say(version.announcement(of: "live1"))
    harness.pass(.seconds(1))
    #expect(harness.ask(client, "retract \(id)").last?["ok"]?.bool == true)
    #expect(harness.server.room?.asked.count == 1)
    #expect(harness.takeLines(watcher).count { $0["event"]?.string == "retract" } == 1)
  }

  @Test("A room that refuses says why, and one without moderation or ids is not asked")
  func refused() throws {
    let refusal =
      "<iq type='error' from='\(Self.room)' id='$id'><error type='auth'>"
      + "<forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/><text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>"
      + "moderators only</text></error></iq>"
    let strict = try harness { $0.answers = [("message-moderate", refusal)] }
    let id = try say("hello", id: "m1", strict)
    let answer = strict.ask(strict.connect(1), "retract \(id)").last
    #expect(answer?["error"]?.string == "failed" && answer?["reason"]?.string?.contains("moderators only") == true)
    #expect(texts(strict) == ["hello"])
    for harness in [
      try harness(nil), try harness { $0.features.removeAll { ["urn:xmpp:sid:0", "urn:xmpp:mam:2"].contains($0) } },
    ] {
      let id = try say("hello", id: "m1", harness)
      #expect(harness.ask(harness.connect(1), "retract \(id)").last?["error"]?.string == "not-supported")
      #expect(harness.server.room?.asked.isEmpty == true)
    }
    strict.cut()
    #expect(strict.ask(strict.connect(2), "retract \(id)").last?["error"]?.string == "not-connected")
  }

  @Test("In a room of another network nothing is taken back, corrected or reacted to; a reply is the quotation alone")
  func gateway() throws {
    let identity =
      "<iq type='result' id='$id' from='\(Self.room)'><query xmlns='http://jabber.org/protocol/disco#info'>"
      + "<identity category='conference' type='irc'/><feature var='http://jabber.org/protocol/muc'/>"
      + "<feature var='urn:xmpp:sid:0'/><feature var='\(Version.one.rawValue)'/></query></iq>"
    let harness = try harness {
      $0.features.removeAll { $0 == "urn:xmpp:mam:2" }
      $0.answers = [("disco#info", identity)]
    }
    let theirs = try say("hello", id: "m1", harness)
    let client = harness.connect(1)
    #expect(harness.ask(client, "room \(Self.room)").first?["room"]?["gateway"]?.string == "irc")
    let mine = try #require(harness.ask(client, "send wait=delivered \(Self.room) hi").last?["id"]?.integer)
    for line in ["retract \(theirs)", "retract \(mine)", "react \(theirs) 👍", "send replace=\(mine) \(Self.room) ho"] {
      #expect(harness.ask(client, line).last?["error"]?.string == "not-supported", "\(line)")
    }
    harness.clearTrace()
    #expect(harness.ask(client, "send reply=\(theirs) \(Self.room) hi").last?["ok"]?.bool == true)
    harness.pass(.seconds(1))
    #expect(harness.toServer.contains("<body>&gt; hello\nhi</body>"), "\(harness.toServer)")
    #expect(!harness.toServer.contains("urn:xmpp:reply:0"))
  }

  @Test("A reason goes with messages of others alone")
  func reason() throws {
    let harness = try harness()
    let client = harness.connect(1)
    let mine = try #require(harness.ask(client, "send wait=delivered \(Self.room) hi").last?["id"]?.integer)
    let answer = harness.ask(client, "retract \(mine) sorry").last
    #expect(answer?["error"]?.string == "bad-argument" && answer?["argument"]?.string == "text")
    #expect(harness.ask(client, "retract \(mine)").last?["ok"]?.bool == true)
  }
}
