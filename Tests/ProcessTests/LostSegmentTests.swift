import Glibc
import JSON
import LogTool
import Records
import TestSupport
import Testing

/// A segment in the middle of a log is gone, and the checkpoint knows what was in it.
@Suite("A log that lost a segment")
struct LostSegmentTests {
  private static let count = 2_000

  /// A data directory with a conversation of several segments.
  private func makeLog(in folder: TemporaryFolder, segmentSize: UInt64 = 50_000) throws -> String {
    let path = try folder.makeFolder("data")
    let log = try WritableLog(path, segmentSize: segmentSize)
    try log.append(.account(AccountRecord(number: 1, name: "alice", jid: "alice@example.test")))
    for number in 0..<Self.count {
      var message = MessageRecord(
        account: 1, jid: "bob@example.test", peer: "bob@example.test/phone",
        time: 1_760_000_000_000 + Int64(number) * 60_000)
      message.text = "word \(number) " + String(repeating: "x", count: 100)
      try log.append(.message(message))
    }
    try log.close()
    return path
  }

  private struct Page {
    let numbers: [Int]
    let ids: [Int64]
    let final: JSONValue

    init(_ client: SocketClient, _ options: String) throws {
      let answer = try client.request("history limit=50\(options) bob@example.test")
      numbers = answer.data.compactMap { line in
        line["message"]?.text("text").split(separator: " ").dropFirst().first.flatMap { Int($0) }
      }
      ids = answer.data.compactMap { $0["message"]?["id"]?.integer }
      final = answer.final
    }
  }

  @Test("is paged through, back and forth: every message that is left, once, in order, and it ends")
  func paging() throws {
    let folder = try TemporaryFolder("lost-segment")
    let path = try makeLog(in: folder)
    let segments = TestFiles.names(in: path + "/log").filter { $0.hasSuffix(".log") }.sorted()
    try #require(segments.count > 5)
    #expect(unsafe unlink(path + "/log/" + segments[2]) == 0)
    let daemon = try Daemon(in: folder, data: path)
    let client = try daemon.client()
    var page = try Page(client, "")
    var (back, pages) = (page.numbers, 1)
    while page.final["more_before"]?.bool == true, pages < 100 {
      page = try Page(client, " before=\(try #require(page.ids.first))")
      back = page.numbers + back
      pages += 1
    }
    #expect(Set(back).count == back.count && back == back.sorted())
    #expect(back.first == 0 && back.last == Self.count - 1 && back.count < Self.count)
    // One stretch is missing.
    #expect(zip(back, back.dropFirst()).count { $1 != $0 + 1 } == 1)
    #expect(pages == (back.count + 49) / 50)
    var forth = page.numbers
    while page.final["more_after"]?.bool == true, pages < 200 {
      page = try Page(client, " after=\(try #require(page.ids.last))")
      forth += page.numbers
      pages += 1
    }
    #expect(forth == back)
    let all = try client.request("history limit=1000 row=0 bob@example.test").data.count
    #expect(all + (try client.request("history limit=1000 row=1000 bob@example.test").data.count) == back.count)
    #expect(daemon.log.contains("the log is damaged"))
  }

  /// All that a search finds, by pages, newest first; and how many bytes it said that it passed over.
  private func search(_ client: SocketClient) throws -> (numbers: [Int], unreadable: Int64) {
    var (numbers, unreadable): ([Int], Int64) = ([], 0)
    var options = ""
    while numbers.count <= Self.count {
      let answer = try client.request("search limit=50\(options) word")
      try #require(answer.final["ok"]?.bool == true, "\(answer.final)")
      let messages = answer.data.compactMap { $0["message"] }
      numbers += messages.compactMap { Int($0.text("text").split(separator: " ")[1]) }
      unreadable = max(unreadable, answer.final["unreadable"]?.integer ?? 0)
      guard answer.final["more_before"]?.bool == true else { break }
      try #require(messages.count == 50)
      options = " before=\(try #require(messages.last?["id"]?.integer))"
    }
    return (numbers, unreadable)
  }

  @Test("segments that go while the daemon runs: a search finds all that is left, says so, and does after a restart")
  func searching() throws {
    let folder = try TemporaryFolder("lost-segments")
    let path = try makeLog(in: folder, segmentSize: 5_000)
    let segments = TestFiles.names(in: path + "/log").filter { $0.hasSuffix(".log") }.sorted()
    let daemon = try Daemon(in: folder, data: path)
    let all = try search(daemon.client())
    #expect(all.numbers == Array((0..<Self.count).reversed()) && all.unreadable == 0)
    // More than the daemon keeps open: those can be read as long as it does.
    let gone = segments[2...].dropLast(2)
    try #require(gone.count > 50)
    for name in gone { #expect(unsafe unlink(path + "/log/" + name) == 0) }
    let client = try daemon.client()
    let found = try search(client)
    #expect(found.numbers == found.numbers.sorted(by: >) && found.numbers.count < Self.count - 100)
    #expect(found.numbers.first == Self.count - 1 && found.numbers.last == 0 && found.unreadable >= 4096)
    #expect(daemon.log.contains("a search skipped"))
    // As do pages of the history.
    #expect(try client.request("history limit=1000 row=0 bob@example.test").data.count < 1000)
    _ = try daemon.terminate()
    try daemon.start()
    let later = try search(daemon.client())
    #expect(Set(later.numbers).isSubset(of: found.numbers) && later.numbers == later.numbers.sorted(by: >))
    #expect(later.numbers.first == Self.count - 1 && later.numbers.last == 0)
    #expect(later.unreadable >= gone.count * 4096)
  }
}
