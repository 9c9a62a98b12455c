import Clocks
import ConfabAccounts
import JSON
import MarkedText
import MessageLog
import Testing

/// `emoticons`, `emoticon-used` and `send emoticons=expand`.
@Suite("Emoticons over the socket")
struct EmoticonTests {
  private static func packs() throws -> Emoticons {
    var emoticons = Emoticons()
    for (name, json) in [
      ("one", #"{"title":"One","emoticons":[{"code":":rocket:","text":"🚀"},{"code":":cat:","text":"🐱"}]}"#),
      ("two", #"{"title":"二","emoticons":[{"code":"[火箭]","text":"🚀"},{"code":"(p)","picture":"p.png"}]}"#),
    ] {
      _ = try emoticons.append(PackContent(Array(json.utf8), name: name, pictures: ["p.png": "/packs/p.png"]))
    }
    emoticons.finish()
    return emoticons
  }

  private static func harness() throws -> (harness: Harness, client: ClientID) {
    let harness = try Harness()
    harness.emoticons = try packs()
    return (harness, harness.connect())
  }

  private static func codes(_ lines: [JSONValue]) -> [String] { lines.compactMap { $0["emoticon"]?["code"]?.string } }

  @Test("Packs are read once, by the first request that needs them, and answers keep their order")
  func loading() throws {
    let harness = try Harness()
    harness.emoticons = nil
    let client = harness.connect()
    harness.send(client, "ping\nemoticons\nping\nemoticons recent\n")
    #expect(harness.takeLines(client).count == 1)
    #expect(harness.emoticonReads == 1)
    harness.handle(.emoticons(try Self.packs(), problems: ["the pack x is not taken"]))
    let lines = harness.takeLines(client)
    #expect(lines.map { $0["pack"]?["name"]?.string } == ["one", "two", nil, nil, nil])
    #expect(lines.suffix(3).allSatisfy { $0["ok"]?.bool == true })
    #expect(harness.emoticonReads == 1)
    #expect(harness.journal.contains("the pack x is not taken"))
  }

  @Test("Lists have what was asked for")
  func lists() throws {
    let (harness, client) = try Self.harness()
    let packs = harness.ask(client, "emoticons")
    #expect(packs.first?["pack"]?["title"]?.string == "One")
    #expect(packs.first?["pack"]?["count"]?.integer == 2)
    let two = harness.ask(client, "emoticons pack=two")
    #expect(Self.codes(two) == ["[火箭]", "(p)"])
    #expect(two.first?["emoticon"]?["text"]?.string == "🚀")
    #expect(two.first?["emoticon"]?["name"]?.string == "火箭")
    #expect(two.dropFirst().first?["emoticon"]?["picture"]?.string == "/packs/p.png")
    #expect(Self.codes(harness.ask(client, "emoticons match=roc")) == [":rocket:"])
    #expect(Self.codes(harness.ask(client, #"{"verb":"emoticons","match":"火","limit":1}"#)) == ["[火箭]"])
    #expect(harness.ask(client, "emoticons limit=0 match=a").count == 1)
    #expect(harness.ask(client, "emoticons pack=none").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "emoticons match=x recent").last?["error"]?.string == "bad-argument")
    #expect(harness.ask(client, "emoticons match=x pack=one").last?["error"]?.string == "bad-argument")
  }

  @Test("The recent list is durable before its ok, and shared")
  func recent() throws {
    let (harness, client) = try Self.harness()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch")
    for code in [":rocket:", "[火箭]", ":cat:", ":rocket:"] {
      #expect(harness.ask(client, "emoticon-used \(code)").last?["ok"]?.bool == true)
    }
    #expect(harness.ask(client, "emoticon-used :none:").last?["error"]?.string == "not-found")
    let events = harness.takeLines(watcher)
    #expect(events.map { $0["event"]?.string } == Array(repeating: "emoticon-used", count: 4))
    #expect(events.last?["code"]?.string == ":rocket:")
    #expect(events.last?["seq"]?.integer != nil)
    let expected = [":rocket:", ":cat:", "[火箭]"]
    #expect(Self.codes(harness.ask(client, #"{"verb":"emoticons","list":"recent"}"#)) == expected)
    harness.syncsAtOnce = false
    #expect(harness.ask(client, "emoticon-used :cat:").isEmpty)
    harness.sync()
    #expect(harness.takeLines(client).last?["ok"]?.bool == true)
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.emoticons = try Self.packs()
    next.pass(.seconds(1))
    #expect(Self.codes(next.ask(next.connect(), "emoticons recent")) == [":cat:", ":rocket:", "[火箭]"])
  }

  @Test("`emoticons=expand` stores and sends characters")
  func expanding() throws {
    let (harness, client) = try Self.harness()
    let answer = harness.ask(client, "send emoticons=expand key=k bob@example.org go :rocket: (p) `:cat:`").last
    #expect(answer?["ok"]?.bool == true)
    let history = harness.ask(client, "history bob@example.org")
    #expect(history.first?["message"]?["text"]?.string == "go 🚀 (p) `:cat:`")
    let again = harness.ask(client, "send emoticons=expand key=k bob@example.org go :rocket: (p) `:cat:`").last
    #expect(again?["repeated"]?.bool == true)
    _ = harness.ask(client, "send bob@example.org :cat:")
    #expect(harness.ask(client, "history limit=1 bob@example.org").first?["message"]?["text"]?.string == ":cat:")
  }
}
