import ConfabAccounts
import JSON
import MarkedText
import Testing

/// `spans` of messages.
@Suite("Spans of messages")
struct SpanTests {
  private static func harness() throws -> Harness {
    let harness = try Harness()
    var emoticons = Emoticons()
    let pack = #"{"title":"One","emoticons":[{"code":":rocket:","text":"🚀"}]}"#
    _ = try emoticons.append(PackContent(Array(pack.utf8), name: "one", pictures: [:]))
    emoticons.finish()
    harness.emoticons = emoticons
    return harness
  }

  /// `kind start-end target` of each span.
  private static func spans(_ message: JSONValue?) -> [String] {
    (message?["spans"]?.array ?? []).map {
      let place = "\($0["start"]?.integer ?? -1)-\($0["end"]?.integer ?? -1)"
      return "\($0["kind"]?.string ?? "") \(place) \($0["target"]?.string ?? "")"
    }
  }

  @Test("Pages, hits, lists and events have the same spans, of what came and of mine")
  func everywhere() throws {
    let harness = try Self.harness()
    let (client, watcher) = (harness.connect(), harness.connect(2))
    _ = harness.ask(watcher, "watch")
    _ = harness.ask(client, "send bob@example.org 😀 *see* https://example.org/a, :rocket: #go")
    let expected = [
      "strong 2-7 ", "link 8-29 https://example.org/a", "emoticon 31-39 🚀", "topic 40-43 go",
    ]
    #expect(Self.spans(harness.takeLines(watcher).first?["message"]) == expected)
    #expect(Self.spans(harness.ask(client, "history bob@example.org").first?["message"]) == expected)
    #expect(Self.spans(harness.ask(client, "search see").first?["message"]) == expected)
    #expect(Self.spans(harness.ask(client, "conversations").first?["conversation"]?["last"]) == expected)
    harness.receive("<message type='chat' from='bob@example.org/phone' id='i'><body>:rocket: :none:</body></message>")
    #expect(Self.spans(harness.takeLines(watcher).last?["message"]) == ["emoticon 0-8 🚀"])
  }

  @Test("A contact is mentioned by the name that it has in the roster")
  func names() throws {
    let harness = try Self.harness()
    harness.receive(
      """
      <iq type='set' id='p'><query xmlns='jabber:iq:roster'>\
      <item jid='bob@example.org' name='Bob B' subscription='both'/></query></iq>
      """)
    let client = harness.connect()
    _ = harness.ask(client, "send bob@example.org so bob b, or bobb?")
    let message = harness.ask(client, "history bob@example.org").first?["message"]
    #expect(Self.spans(message) == ["mention 3-8 bob@example.org"])
  }

  private static let unstyled = "<unstyled xmlns='urn:xmpp:styling:0'/>"

  @Test(
    "An unstyled message has no styling in pages, hits, lists and events, by itself, by carbons and from the archive")
  func unstyled() throws {
    var archive = ScriptedArchive()
    archive.add("> *a* #b", at: "2026-11-20T08:00:00Z", more: Self.unstyled)
    let harness = try Harness(server: ArchiveTests.server(archive))
    let (client, watcher) = (harness.connect(), harness.connect(2))
    _ = harness.ask(watcher, "watch")
    let copy =
      "<message xmlns='jabber:client' type='chat' from='alice@example.org/tablet' to='bob@example.org' id='c'>"
      + "<body>&gt; *a* #b</body>\(Self.unstyled)</message>"
    harness.receive(
      ChangeTests.message("&gt; *a* #b", id: "m1", more: Self.unstyled)
        + "<message from='alice@example.org'><sent xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
        + copy + "</forwarded></sent></message>")
    _ = harness.ask(client, "send unstyled=yes bob@example.org > *a* #b")
    #expect(harness.toServer.contains("<body>&gt; *a* #b</body>") && harness.toServer.contains(Self.unstyled))
    let events = harness.takeLines(watcher).compactMap { $0["message"] }
    #expect(events.count >= 3 && events.allSatisfy { Self.spans($0) == ["topic 6-8 b"] })
    for harness in try ChangeTests.asWritten(harness) {
      let client = harness.connect(9)
      let page = ChangeTests.history(harness)
      #expect(page.count == 4 && page.allSatisfy { Self.spans($0) == ["topic 6-8 b"] && $0["unstyled"]?.bool == true })
      let hits = harness.ask(client, "search a").compactMap { $0["message"] }
      #expect(hits.count == 4 && hits.allSatisfy { Self.spans($0) == ["topic 6-8 b"] })
      let last = harness.ask(client, "conversations").first?["conversation"]?["last"]
      #expect(Self.spans(last) == ["topic 6-8 b"])
    }
  }

  @Test("Each text of a message says for itself whether it is styled")
  func unstyledCorrection() throws {
    let harness = try Self.harness()
    let client = harness.connect()
    ChangeTests.receive(
      harness, ChangeTests.message("*a*", id: "m1"), ChangeTests.message("*b*", id: "m2", more: Self.unstyled),
      ChangeTests.correct("m1", "*c*", stanza: "c1", more: Self.unstyled),
      ChangeTests.correct("m2", "*d*", stanza: "c2"),
      ChangeTests.react("m1", ["👍"]))
    #expect(ChangeTests.history(harness).map { $0["spans"] == nil } == [true, false])
    let id = harness.ask(client, "send bob@example.org *e*").last?["id"]?.integer ?? 0
    harness.clearTrace()
    _ = harness.ask(client, "send replace=\(id) unstyled=yes bob@example.org *f*")
    #expect(harness.toServer.contains(Self.unstyled) && ChangeTests.history(harness).last?["spans"] == nil)
    _ = harness.ask(client, "send replace=\(id) unstyled=no bob@example.org *g*")
    #expect(ChangeTests.history(harness).last?["spans"] != nil)
  }

  @Test("A text without marks has no member, and none is written before the packs are read")
  func plain() throws {
    let harness = try Self.harness()
    let client = harness.connect()
    _ = harness.ask(client, "send bob@example.org good morning")
    let message = harness.ask(client, "history bob@example.org").first?["message"]
    #expect(message != nil && message?["spans"] == nil)
    let other = try Harness()
    other.emoticons = nil
    let waiting = other.connect()
    other.send(waiting, "watch\nhistory bob@example.org\n")
    #expect(other.takeLines(waiting).isEmpty && other.emoticonReads == 1)
    other.handle(.emoticons(Emoticons(), problems: []))
    #expect(other.takeLines(waiting).count == 3)
  }
}
