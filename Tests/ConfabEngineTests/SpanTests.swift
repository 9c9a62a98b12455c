import ConfabEngine
import Emoticons
import JSON
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
