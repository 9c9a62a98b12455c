import Clocks
import JSON
import TestSupport
import Testing

@testable import ConfabEngine

/// Files of messages that come (XEP-0447, XEP-0066).
@Suite("Files that come")
struct AttachmentTests {
  static func file(_ name: String, _ url: String) -> String {
    "<file-sharing xmlns='urn:xmpp:sfs:0'><file xmlns='urn:xmpp:file:metadata:0'><name>\(name)</name>"
      + "<media-type>image/jpeg</media-type><size>12</size><width>3</width><height>4</height></file>"
      + "<sources><url-data xmlns='http://jabber.org/protocol/url-data' target='\(url)'/></sources></file-sharing>"
  }

  static func outOfBand(_ url: String) -> String { "<x xmlns='jabber:x:oob'><url>\(url)</url></x>" }

  @Test("A message with files shows them, and its own text alone")
  func files() throws {
    let harness = try Harness()
    let (one, two) = ("https://example.org/1.jpg", "https://example.org/2.jpg")
    let message = ChangeTests.message(
      "look\n\(one)\n\(two)", id: "m1",
      more: Self.file("../1.jpg", one) + Self.file("2.jpg", two) + Self.outOfBand(one) + Self.outOfBand(two)
        + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:sfs:0'><body start='4' end='56'/></fallback>")
    ChangeTests.receive(harness, message)
    for harness in try ChangeTests.asWritten(harness) {
      let found = try #require(ChangeTests.history(harness).last)
      #expect(found["text"]?.string == "look" && found["plain"]?.string == "look\n\(one)\n\(two)")
      let files = try #require(found["attachments"]?.array)
      #expect(files.compactMap { $0["url"]?.string } == [one, two])
      #expect(files.compactMap { $0["name"]?.string } == [".._1.jpg", "2.jpg"])
      #expect(files.first?["type"]?.string == "image/jpeg" && files.first?["size"]?.integer == 12)
      #expect(files.first?["width"]?.integer == 3 && files.first?["height"]?.integer == 4)
      #expect(files.first?["animated"] == nil)
    }
  }

  @Test("The addresses of files stand in the quotation of an answer")
  func answered() throws {
    let harness = try Harness()
    let (client, url) = (harness.connect(), "https://example.org/1.jpg")
    ChangeTests.receive(
      harness,
      ChangeTests.message(
        url, id: "m1",
        more: Self.file("1.jpg", url) + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:sfs:0'/>"))
    let id = ChangeTests.history(harness).first?["id"]?.integer ?? 0
    harness.clearTrace()
    #expect(harness.ask(client, "send reply=\(id) \(ChangeTests.bob) nice").last?["ok"]?.bool == true)
    #expect(harness.toServer.contains("<body>&gt; \(url)\nnice</body>"))
  }

  /// The `<forwarded/>` of the last message sent.
  private func sentInside(_ harness: Harness) throws -> String {
    let sent = try #require(harness.toServer.components("<forwarded ").dropFirst().last)
    return "<forwarded " + (sent.components("</forwarded>").first ?? "") + "</forwarded>"
  }

  @Test(
    "A forwarded message brings its files with their hashes, and the recipient sees them inside, without the addresses",
    arguments: ["", "look"])
  func forwarded(text: String) throws {
    let harness = try Harness()
    let (client, url) = (harness.connect(), "https://example.org/1.jpg")
    let hash = "<hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>\(String(repeating: "A", count: 43))=</hash>"
    let file = Self.file("1.jpg", url).replacing("</file>", with: hash + "</file>")
    let fallback = "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:sfs:0'><body start='\(text.count)'/></fallback>"
    let body = text.isEmpty ? url : text + "\n" + url
    ChangeTests.receive(harness, ChangeTests.message(body, id: "m1", more: file + fallback))
    let id = ChangeTests.history(harness).first?["id"]?.integer ?? 0
    harness.clearTrace()
    #expect(harness.ask(client, "forward \(id) carol@example.org").last?["ok"]?.bool == true)
    let inside = try sentInside(harness)
    #expect(inside.contains("<body>\(body)</body>") && inside.contains("<name>1.jpg</name>") && inside.contains(hash))
    #expect(inside.contains("target='\(url)'") && inside.contains(Self.outOfBand(url)))
    let quoted = harness.toServer.components("<body>").dropFirst().first ?? ""
    #expect(quoted.contains("&gt; \(url)</body>") && quoted.components(url).count == 2)

    ChangeTests.receive(harness, ChangeTests.message("", id: "m2", more: inside))
    let all = try ChangeTests.asWritten(harness).flatMap {
      [ChangeTests.history($0).last, ChangeTests.history($0, "carol@example.org").last]
    }
    for found in all {
      let found = try #require(found?["forwarded"]?.array?.first)
      #expect(found["text"]?.string == text)
      let files = try #require(found["attachments"]?.array)
      #expect(files.map { $0["url"]?.string } == [url] && files.first?["name"]?.string == "1.jpg")
      #expect(files.first?["type"]?.string == "image/jpeg" && files.first?["size"]?.integer == 12)
    }
  }

  @Test("An address that is all of a message (XEP-0066) stands once in what is forwarded")
  func forwardedAddress() throws {
    let harness = try Harness()
    let (client, url) = (harness.connect(), "https://example.org/1.jpg")
    ChangeTests.receive(harness, ChangeTests.message(url, id: "m1", more: Self.outOfBand(url)))
    let id = ChangeTests.history(harness).first?["id"]?.integer ?? 0
    harness.clearTrace()
    #expect(harness.ask(client, "forward \(id) carol@example.org").last?["ok"]?.bool == true)
    #expect(try sentInside(harness).contains("<body>\(url)</body>"))
  }

  @Test("A forwarded file without a body is a message, and forwards of it have its address")
  func forwardedWithoutBody() throws {
    let harness = try Harness()
    let url = "https://example.org/1.jpg"
    let inside =
      "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='carol@example.org/x'>"
      + Self.file("1.jpg", url) + "</message></forwarded>"
    ChangeTests.receive(
      harness, ChangeTests.message("", id: "m1", more: inside).replacing("<body></body>", with: ""))
    let found = try #require(ChangeTests.history(harness).first)
    #expect(found["forwarded"]?.array?.first?["attachments"]?.array?.count == 1)
    #expect(found["plain"]?.string == "> carol@example.org/x:\n> \(url)")
    let id = found["id"]?.integer ?? 0
    #expect(harness.ask(harness.connect(), "forward \(id) carol@example.org").last?["ok"]?.bool == true)
    let text = ChangeTests.history(harness, "carol@example.org").last?["forwarded"]?.array?.first?["text"]?.string
    #expect(text?.contains(url) == true)
  }

  @Test("Forwarded again, a message has what it brought, whatever its body says of that", arguments: ["", "look"])
  func forwardedAgain(text: String) throws {
    let harness = try Harness()
    let url = "https://example.org/1.jpg"
    let inside =
      "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='carol@example.org/x'>"
      + "<body>within</body>" + Self.file("1.jpg", url) + "</message></forwarded>"
    ChangeTests.receive(harness, ChangeTests.message(text, id: "m1", more: inside))
    let id = try #require(ChangeTests.history(harness).first?["id"]?.integer)
    #expect(harness.ask(harness.connect(), "forward \(id) carol@example.org").last?["ok"]?.bool == true)
    let sent = ChangeTests.history(harness, "carol@example.org").last?["forwarded"]?.array?.first?["text"]?.string ?? ""
    #expect(sent.hasPrefix(text) && sent.contains("> within\n> \(url)"))
    #expect(sent.components("within").count == 2)
  }

  @Test("A file without an address is not forwarded, and not left out silently")
  func forwardedWithoutAddress() throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness, ChangeTests.message("look", id: "m1", more: Self.file("1.jpg", "https://x.example/a b")))
    let found = try #require(ChangeTests.history(harness).first)
    #expect(found["attachments"]?.array?.first?["url"] == nil)
    let answer = harness.ask(harness.connect(), "forward \(found["id"]?.integer ?? 0) carol@example.org").last
    #expect(answer?["error"]?.string == "bad-argument" && answer?["argument"]?.string == "id")
    #expect(answer?["reason"]?.string?.contains("without an address") == true)
  }

  @Test("A message with a file and no text is kept, and readable without it")
  func withoutText() throws {
    let harness = try Harness()
    let url = "https://example.org/1.jpg"
    let bodiless = ChangeTests.message("", id: "m1", more: Self.file("1.jpg", url))
      .replacing("<body></body>", with: "")
    let whole = ChangeTests.message(
      url, id: "m2",
      more: Self.file("1.jpg", url) + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:sfs:0'/>")
    ChangeTests.receive(harness, bodiless, whole)
    for found in ChangeTests.history(harness) {
      #expect(found["text"]?.string == "" && found["plain"]?.string == url)
      #expect(found["attachments"]?.array?.count == 1)
    }
    #expect(ChangeTests.history(harness).count == 2)
  }

  @Test("A sticker is the words of its body, else those of its file, and that file")
  func stickers() throws {
    let harness = try Harness()
    let url = "https://example.org/1.jpg"
    let sticker =
      Self.file("1.jpg", url).replacing("<name>", with: "<desc>😘</desc><name>")
      + "<sticker xmlns='urn:xmpp:stickers:0' pack='p'/>"
    let fallback = "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:sfs:0'/>"
    ChangeTests.receive(
      harness, ChangeTests.message("🐢", id: "m1", more: sticker),
      ChangeTests.message("", id: "m2", more: sticker).replacing("<body></body>", with: ""),
      ChangeTests.message(url, id: "m3", more: sticker + fallback))
    for harness in try ChangeTests.asWritten(harness) {
      let found = ChangeTests.history(harness)
      #expect(found.compactMap { $0["text"]?.string } == ["🐢", "😘", "😘"])
      #expect(found.map { $0["plain"]?.string } == [nil, "😘\n\(url)", url])
      #expect(found.allSatisfy { $0["attachments"]?.array?.first?["url"]?.string == url })
    }
  }

  @Test("An address that clients without XEP-0447 send is a file, and no text", arguments: ["", " ", "\n"])
  func outOfBandAlone(around space: String) throws {
    let harness = try Harness()
    let url = "https://example.org/1.jpg"
    ChangeTests.receive(harness, ChangeTests.message(space + url + space, id: "m1", more: Self.outOfBand(url)))
    let found = try #require(ChangeTests.history(harness).last)
    #expect(found["text"]?.string == "" && found["plain"]?.string == space + url + space)
    #expect(found["attachments"]?.array?.compactMap { $0["url"]?.string } == [url])
  }

  @Test("A file without an address that can be understood is shown without one")
  func withoutAddress() throws {
    let harness = try Harness()
    ChangeTests.receive(harness, ChangeTests.message("look", id: "m1", more: Self.file("1.jpg", "java script:x")))
    let file = try #require(ChangeTests.history(harness).last?["attachments"]?.array?.first)
    #expect(file["url"] == nil && file["name"]?.string == "1.jpg")
  }

  @Test("An element that brings no file makes no message")
  func nothing() throws {
    let harness = try Harness()
    let empty = ChangeTests.message("", id: "m1", more: "<file-sharing xmlns='urn:xmpp:sfs:0'/>")
    ChangeTests.receive(harness, empty.replacing("<body></body>", with: ""))
    #expect(ChangeTests.history(harness).isEmpty)
  }

  @Test("A correction that brings files replaces those of the message, and a retraction leaves none")
  func changed() throws {
    let harness = try Harness()
    let (one, two) = ("https://example.org/1.jpg", "https://example.org/2.jpg")
    ChangeTests.receive(harness, ChangeTests.message("look", id: "m1", more: Self.file("1.jpg", one)))
    ChangeTests.receive(harness, ChangeTests.correct("m1", "look here", more: Self.file("2.jpg", two)))
    let files = ChangeTests.history(harness).last?["attachments"]?.array
    #expect(files?.map { $0["url"]?.string } == [two])
    ChangeTests.receive(harness, ChangeTests.retract("m1"))
    #expect(ChangeTests.history(harness).last?["attachments"] == nil)
  }

  @Test(
    "A correction of the text keeps files and messages inside, also one that came before its message",
    arguments: [false, true])
  func kept(isEarly: Bool) throws {
    let harness = try Harness()
    let url = "https://example.org/1.jpg"
    let inside =
      "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='carol@example.org/x'>"
      + "<body>within</body></message></forwarded>"
    let stanzas = [
      ChangeTests.message("helo", id: "m1", more: Self.file("1.jpg", url) + inside), ChangeTests.correct("m1", "hello"),
    ]
    for stanza in isEarly ? stanzas.reversed() : stanzas { ChangeTests.receive(harness, stanza) }
    for harness in try ChangeTests.asWritten(harness) {
      #expect(ChangeTests.history(harness).count == 1)
      let found = try #require(ChangeTests.history(harness).first)
      #expect(found["text"]?.string == "hello" && found["edited"] != nil)
      #expect(found["attachments"]?.array?.first?["url"]?.string == url)
      #expect(found["forwarded"]?.array?.first?["text"]?.string == "within")
      #expect(found["plain"]?.string == "hello\n> carol@example.org/x:\n> within\n\(url)")
    }
  }

  @Test("A correction that brings another message inside replaces the one that was there")
  func otherInside() throws {
    let harness = try Harness()
    func inside(_ text: String) -> String {
      "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='carol@example.org/x'>"
        + "<body>\(text)</body></message></forwarded>"
    }
    ChangeTests.receive(
      harness, ChangeTests.message("look", id: "m1", more: inside("one")),
      ChangeTests.correct("m1", "look", more: inside("two")))
    let found = ChangeTests.history(harness).last?["forwarded"]?.array
    #expect(found?.map { $0["text"]?.string } == ["two"])
  }

  @Test("A file whose address stood in the text goes with it")
  func correctedAddress() throws {
    let harness = try Harness()
    let url = "https://example.org/1.jpg"
    ChangeTests.receive(
      harness, ChangeTests.message(url, id: "m1", more: Self.outOfBand(url)),
      ChangeTests.correct("m1", "see \(url)", stanza: "c1"))
    let corrected = try #require(ChangeTests.history(harness).last)
    #expect(corrected["attachments"]?.array?.count == 1 && corrected["plain"] == nil)
    ChangeTests.receive(harness, ChangeTests.correct("m1", "https://example.org/2.jpg", stanza: "c2"))
    #expect(ChangeTests.history(harness).last?["attachments"] == nil)
  }
}
