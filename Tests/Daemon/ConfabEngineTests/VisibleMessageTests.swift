import Clocks
import JSON
import TestSupport
import Testing

@testable import ConfabEngine

/// Messages without a body of their own that people have to see all the same.
@Suite("No received message is invisible")
struct VisibleMessageTests {
  static let bob = ChangeTests.bob

  static func message(_ inside: String, id: String = "m1", type: String = "chat", from: String = "\(bob)/phone")
    -> String
  {
    "<message from='\(from)' to='alice@example.org/confab' type='\(type)' id='\(id)'>\(inside)</message>"
  }

  static func carbon(_ direction: String, _ message: String) -> String {
    "<message from='alice@example.org' to='alice@example.org/confab'><\(direction) xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>\(message.replacing("<message ", with: "<message xmlns='jabber:client' "))"
      + "</forwarded></\(direction)></message>"
  }

  private func unread(_ harness: Harness) -> Int64? {
    harness.ask(harness.connect(77), "unread").last?["unread"]?.integer
  }

  // MARK: - Subjects

  @Test(
    "A subject without a body is a message with an empty text, whose words stand in `plain`",
    arguments: ["chat", "normal", "headline"])
  func subject(type: String) throws {
    let harness = try Harness()
    let watcher = harness.connect()
    _ = harness.ask(watcher, "watch kinds=message")
    ChangeTests.receive(harness, Self.message("<subject>disk of web1 is full</subject>", type: type))
    #expect(harness.takeLines(watcher).last?["message"]?["subject"]?.string == "disk of web1 is full")
    for harness in try ChangeTests.asWritten(harness) {
      let found = try #require(ChangeTests.history(harness).last)
      #expect(found["subject"]?.string == "disk of web1 is full" && found["text"]?.string == "")
      #expect(found["plain"]?.string == "disk of web1 is full" && unread(harness) == 1)
    }
  }

  @Test("The subject of a room, and an empty one, are no messages")
  func noSubject() throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness, Self.message("<subject>topic</subject>", type: "groupchat", from: "room@chat.example.org"),
      Self.message("<subject/>"), Self.message("<thread>1</thread>"))
    #expect(harness.ask(harness.connect(), "conversations").count == 1)
  }

  @Test("Of several bodies the first one with a text is shown")
  func bodies() throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness, Self.message("<body xml:lang='en'/><body>one</body>"),
      Self.message("<body/><body xml:lang='en'>two</body>"))
    let texts = harness.ask(harness.connect(), "history bob@example.org").compactMap { $0["message"]?["text"]?.string }
    #expect(texts == ["one", "two"])
  }

  // MARK: - Encrypted messages

  static let omemo =
    "<encrypted xmlns='eu.siacs.conversations.axolotl'><header sid='1'/><payload>AA==</payload></encrypted>"
  static let omemo2 = "<encrypted xmlns='urn:xmpp:omemo:2'><header sid='1'/><payload>AA==</payload></encrypted>"
  static let request = "<request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/>"

  static func announced(_ namespace: String, name: String = "") -> String {
    "<encryption xmlns='urn:xmpp:eme:0' namespace='\(namespace)'\(name.isEmpty ? "" : " name='\(name)'")/>"
  }

  @Test(
    "An encrypted message is unread, has an empty text and says in words what it is; no receipt goes out",
    arguments: [
      (omemo, "omemo", "OMEMO"), (omemo2, "omemo", "OMEMO"), (announced("urn:xmpp:omemo:2") + omemo2, "omemo", "OMEMO"),
      ("<openpgp xmlns='urn:xmpp:openpgp:0'>AA==</openpgp>", "openpgp", "OpenPGP"),
      ("<x xmlns='jabber:x:encrypted'>AA==</x>", "pgp", "OpenPGP"),
      (announced("urn:x:new", name: "New") + "<sealed xmlns='urn:x:new'>AA==</sealed>", "urn:x:new", "New"),
    ])
  func encrypted(inside: String, scheme: String, name: String) throws {
    for body in ["", "for others"] {
      let harness = try Harness()
      let content = inside + Self.request + (body.isEmpty ? "" : "<body>\(body)</body>")
      ChangeTests.receive(harness, Self.message(content))
      harness.pass(.seconds(5))
      #expect(!harness.toServer.contains("<received xmlns='urn:xmpp:receipts'"))
      for harness in try ChangeTests.asWritten(harness) {
        let found = try #require(ChangeTests.history(harness).last)
        #expect(found["text"]?.string == "" && found["encrypted"]?["scheme"]?.string == scheme)
        #expect(found["encrypted"]?["error"]?.string == "unknown-scheme" && unread(harness) == 1)
        let words = "Encrypted with \(name); this message cannot be read here."
        #expect(found["plain"]?.string == words + (body.isEmpty ? "" : "\n" + body))
      }
    }
  }

  @Test("A body that is ciphertext by the word of its sender stands in `plain` alone")
  func ciphertext() throws {
    let harness = try Harness()
    ChangeTests.receive(harness, Self.message("<body>?OTR:AAMC.</body>" + Self.announced("urn:xmpp:otr:0")))
    let found = try #require(ChangeTests.history(harness).last)
    #expect(found["text"]?.string == "" && found["encrypted"]?["scheme"]?.string == "otr")
    #expect(found["plain"]?.string?.hasSuffix("\n?OTR:AAMC.") == true)
  }

  @Test(
    "Keys alone are no message",
    arguments: [
      "<encrypted xmlns='eu.siacs.conversations.axolotl'><header sid='1'/></encrypted>",
      "<encrypted xmlns='urn:xmpp:omemo:2'><header sid='1'/></encrypted><encryption xmlns='urn:xmpp:eme:0' namespace='urn:xmpp:omemo:2'/>",
      "<openpgp xmlns='urn:xmpp:openpgp:0'/>", "<encryption xmlns='urn:xmpp:eme:0' namespace='urn:xmpp:omemo:2'/>",
    ])
  func keys(inside: String) throws {
    let harness = try Harness()
    ChangeTests.receive(harness, Self.message(inside + "<store xmlns='urn:xmpp:hints'/>"))
    #expect(ChangeTests.history(harness).isEmpty && unread(harness) == 0)
    // A text beside them is one.
    ChangeTests.receive(
      harness, Self.message("<body>hello</body>" + inside.replacing("<encryption ", with: "<other "), id: "m2"))
    #expect(ChangeTests.texts(harness) == ["hello"])
  }

  @Test("An encrypted correction stands for itself, and one in clear text makes the message readable")
  func corrections() throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness, ChangeTests.message("one", id: "m1"),
      Self.message(Self.omemo + "<replace xmlns='urn:xmpp:message-correct:0' id='m1'/>", id: "m2"),
      ChangeTests.correct("m2", "two", stanza: "m3"))
    let found = ChangeTests.history(harness)
    #expect(found.compactMap { $0["text"]?.string } == ["one", "two"])
    #expect(found.allSatisfy { $0["encrypted"] == nil && $0["plain"] == nil })
  }

  @Test("My encrypted message from another device is mine, and one to my phone is unread")
  func copies() throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness,
      Self.carbon("received", Self.message(Self.omemo).replacing("/confab", with: "/phone")),
      Self.carbon(
        "sent", "<message from='alice@example.org/phone' to='\(Self.bob)' id='m2' type='chat'>\(Self.omemo)</message>"))
    #expect(ChangeTests.history(harness).compactMap { $0["mine"]?.bool } == [false, true])
  }

  // MARK: - Invitations

  private static let direct =
    "<x xmlns='jabber:x:conference' jid='club@rooms.example.org' password='secret' reason='chess'/>"
  private static let mediated =
    "<x xmlns='http://jabber.org/protocol/muc#user'><invite from='carol@example.org/desk'><reason>chess</reason></invite>"
    + "<password>secret</password></x>"

  @Test("An invitation says who invites to which room, and why, and not the password")
  func invitations() throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness, Self.message(Self.direct), Self.message("<body>come!</body>" + Self.direct, id: "m2"),
      Self.message("<body>to club@rooms.example.org</body>" + Self.direct, id: "m3"))
    let words = "bob@example.org invites to the room club@rooms.example.org: chess"
    for harness in try ChangeTests.asWritten(harness) {
      #expect(ChangeTests.texts(harness) == [words, "come!\n" + words, "to club@rooms.example.org"])
    }
    let room = "club@rooms.example.org"
    ChangeTests.receive(harness, Self.message(Self.mediated, id: "i1", type: "normal", from: room))
    #expect(ChangeTests.texts(harness, room) == [])
    let listed = harness.ask(harness.connect(99), "rooms").compactMap { $0["room"] }
    #expect(listed.map { $0["jid"]?.string } == [room] && listed.map { $0["state"]?.string } == ["invited"])
  }

  @Test("What an occupant of a room says is no invitation")
  func occupants() throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness, Self.message("<x xmlns='http://jabber.org/protocol/muc#user'/>"),
      Self.message("<x xmlns='jabber:x:conference'/>"),
      Self.message("<body>hello</body><x xmlns='http://jabber.org/protocol/muc#user'/>", id: "m2"))
    #expect(ChangeTests.texts(harness, "bob@example.org/phone") == ["hello"])
  }

  // MARK: - Files and spoilers

  @Test("The address of a file that is all of the body is no text")
  func address() throws {
    let harness = try Harness()
    let url = "https://upload.example.org/1/cat.jpg"
    ChangeTests.receive(
      harness, ChangeTests.message(url, id: "m1", more: AttachmentTests.outOfBand(url)),
      ChangeTests.message("see " + url, id: "m2", more: AttachmentTests.outOfBand(url)),
      ChangeTests.message(url, id: "m3"))
    for harness in try ChangeTests.asWritten(harness) {
      let found = ChangeTests.history(harness)
      #expect(found.compactMap { $0["text"]?.string } == ["", "see " + url, url])
      #expect(found.map { $0["plain"]?.string } == [url, nil, nil])
      #expect(found.map { $0["attachments"]?.array?.count ?? 0 } == [1, 1, 0])
    }
  }

  @Test("A spoiler has its hint beside the whole text, and a correction without one opens it")
  func spoiler() throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness, ChangeTests.message("he dies", id: "m1", more: "<spoiler xmlns='urn:xmpp:spoiler:0'>the\nend</spoiler>"),
      ChangeTests.message("she too", id: "m2", more: "<spoiler xmlns='urn:xmpp:spoiler:0'/>"))
    for harness in try ChangeTests.asWritten(harness) {
      #expect(ChangeTests.history(harness).map { $0["spoiler"]?.string } == ["the end", ""])
      #expect(ChangeTests.texts(harness) == ["he dies", "she too"])
    }
    ChangeTests.receive(harness, ChangeTests.correct("m1", "he lives"))
    #expect(ChangeTests.history(harness).map { $0["spoiler"]?.string } == [nil, ""])
  }
}
