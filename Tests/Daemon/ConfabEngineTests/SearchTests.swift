import Clocks
import ConfabAccounts
import JSON
import MessageLog
import Search
import TestSupport
import Testing

@Suite("search over the socket")
struct SearchTests {
  private func harness(_ texts: [String], accounts: [String] = []) throws -> (Harness, ClientID) {
    let harness = try Harness(accounts: accounts.isEmpty ? [Harness.alice] : [Harness.alice, Harness.work])
    let client = harness.connect()
    for (number, text) in texts.enumerated() {
      harness.pass(.minutes(1))
      let from = number % 3 == 2 ? "carol@example.org/x" : "bob@example.org/x"
      harness.receive("<message from='\(from)' id='m\(number)'><body>\(text)</body></message>")
      harness.pass(.milliseconds(50))
    }
    return (harness, client)
  }

  private func texts(_ lines: [JSONValue]) -> [String] { lines.compactMap { $0["message"]?["text"]?.string } }

  @Test("newest first, with where it was found, and what stands in the final line")
  func found() throws {
    let (harness, client) = try harness(["Grüße", "none", "GRÜSSE an alle", "gru\u{308}sse"])
    let lines = harness.ask(client, "search tag=q grüsse")
    #expect(texts(lines) == ["gru\u{308}sse", "GRÜSSE an alle", "Grüße"])
    #expect(lines.allSatisfy { $0["tag"]?.string == "q" })
    let hits = lines.compactMap { $0["message"]?["hits"]?.array?.map { $0.array?.compactMap(\.integer) } }
    #expect(hits == [[[0, 7]], [[0, 6]], [[0, 5]]])
    let message = try #require(lines.first?["message"])
    #expect(message["conversation"]?.string == "bob@example.org")
    #expect(message["section"]?.integer != nil && message["opens_section"]?.bool != nil)
    #expect(lines.last?["ok"]?.bool == true)
    #expect(lines.last?["more_before"]?.bool == false)
    #expect(lines.last?["seq"]?.integer ?? 0 > 0)
  }

  @Test("pages, filters, and requests that are wrong")
  func filters() throws {
    let (harness, client) = try harness((0..<7).map { "word \($0)" })
    let first = harness.ask(client, "search limit=3 word")
    #expect(texts(first) == ["word 6", "word 5", "word 4"])
    #expect(first.last?["more_before"]?.bool == true)
    let last = try #require(first[2]["message"]?["id"]?.integer)
    #expect(texts(harness.ask(client, "search limit=3 before=\(last) word")) == ["word 3", "word 2", "word 1"])
    #expect(texts(harness.ask(client, "search in=carol@example.org word")) == ["word 5", "word 2"])
    #expect(texts(harness.ask(client, "search from=carol@example.org/y word")) == ["word 5", "word 2"])
    let time = try #require(first[2]["message"]?["time"]?.string)
    #expect(texts(harness.ask(client, "search since=\(time) word")) == ["word 6", "word 5", "word 4"])
    #expect(texts(harness.ask(client, "search until_time=\(time) limit=1 word")) == ["word 3"])
    #expect(harness.ask(client, "search limit=0 word").count == 1)
    _ = harness.ask(client, "send carol@example.org a word of mine")
    #expect(texts(harness.ask(client, "search from=alice@example.org word")) == ["a word of mine"])
    #expect(texts(harness.ask(client, "search from=carol@example.org word")) == ["word 5", "word 2"])
    for (request, code) in [
      ("search", "bad-argument"), ("search limit=1001 x", "bad-argument"), ("search before=99999 x", "not-found"),
      ("search in=@ x", "bad-argument"), ("search since=now x", "bad-argument"), ("search account=none x", "not-found"),
    ] {
      #expect(harness.ask(client, request).last?["error"]?.string == code, "\(request)")
    }
  }

  @Test("of one who reads nothing any more nothing is searched; what it asked to be done is done")
  func deaf() throws {
    let (harness, client) = try harness(["word"])
    harness.searchesAtOnce = false
    harness.send(client, "search word\nsearch word\n")
    #expect(harness.searches.count == 1)
    harness.handle(.client(client, .writeFailed))
    #expect(harness.cancelled == 1 && harness.searches.count == 0)
    harness.send(client, "search word\nhistory bob@example.org\nsend bob@example.org last words\n")
    #expect(harness.searches.count == 0)
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(client).count == 1, "the answer to `send`")
    harness.handle(.client(client, .endOfInput))
    let other = harness.connect(2)
    #expect(texts(harness.ask(other, "history bob@example.org")) == ["word", "last words"])
    #expect(harness.closedClients.contains(client))
  }

  @Test("others overtake it; each front end has one under way, and what its client leaves behind is cancelled")
  func cancelled() throws {
    let (harness, client) = try harness(["word"])
    harness.searchesAtOnce = false
    harness.send(client, "search tag=1 word\nsearch tag=2 word\nping tag=3\n")
    #expect(harness.takeLines(client).compactMap { $0["tag"]?.string } == ["3"])
    let other = harness.connect(2)
    harness.send(other, "search tag=4 word\n")
    #expect(harness.searches.count == 2, "one of each client")
    harness.handle(.client(client, .closed))
    #expect(harness.cancelled == 1, "what waited was never begun")
    #expect(harness.searches.count == 1)
    harness.search()
    #expect(harness.takeLines(client).isEmpty)
    #expect(texts(harness.takeLines(other)) == ["word"])
  }

  @Test("a client that only closed its writing side has its answer, then the end")
  func halfClosed() throws {
    let (harness, client) = try harness(["word"])
    harness.searchesAtOnce = false
    harness.send(client, "search word\n")
    harness.handle(.client(client, .endOfInput))
    #expect(!harness.closedClients.contains(client))
    harness.search()
    #expect(harness.takeLines(client).count == 2)
    #expect(harness.closedClients.contains(client))
  }

  @Test("no client has more than eight asked for, and what it asked is answered in the end")
  func bounded() throws {
    let (harness, client) = try harness(["word"])
    harness.searchesAtOnce = false
    harness.send(client, (0..<20).map { "search tag=\($0) word\n" }.joined())
    #expect(harness.paused.contains(client))
    harness.searchesAtOnce = true
    harness.search()
    let tags = harness.takeLines(client).filter { $0["ok"] != nil }.compactMap { $0["tag"]?.string }
    #expect(tags == (0..<20).map { "\($0)" })
    #expect(!harness.paused.contains(client))
  }

  @Test("a restart from a checkpoint finds the same")
  func restarted() throws {
    let (harness, client) = try harness((0..<30).map { "word \($0)" })
    let before = harness.ask(client, "search limit=20 word")
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(10))
    #expect(harness.exitStatus == 0)
    let again = try Harness(on: harness.storage, now: harness.now)
    #expect(again.opened.checkpoint != nil)
    let other = again.connect()
    #expect(texts(again.ask(other, "search limit=20 word")) == texts(before))
  }

  @Test("a disk that fails is an answer")
  func storage() throws {
    let (harness, client) = try harness(["word"])
    harness.storage.change { $0.readFailure = StorageError(.failed, "made to fail") }
    #expect(harness.ask(client, "search word").last?["error"]?.string == "storage")
  }
}
