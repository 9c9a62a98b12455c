import JSON
import TestSupport
import Testing

/// Watchers: nothing missed, nothing twice, whatever happens meanwhile.
@Suite("Watching")
struct WatchTests {
  /// The next durable events of a watcher, up to and with the one that has this text.
  private func events(_ watcher: SocketClient, upTo text: String) throws -> [JSONValue] {
    var all: [JSONValue] = []
    while let line = try watcher.line() {
      if line["event"] != nil, line["seq"] != nil, line.text("event") != "caught-up" { all.append(line) }
      if line["message"]?.text("text") == text { return all }
    }
    throw TestFailure("the daemon closed before '\(text)'")
  }

  private func numbers(_ events: [JSONValue]) -> [Int64] { events.compactMap { $0["seq"]?.integer } }

  @Test("an event costs each watcher one system call, and nothing else")
  func calls() throws {
    let folder = try TemporaryFolder("watchers")
    try folder.reportingLogs {
      let trace = folder.file("trace")
      let environment = ProcessEnvironment.current.merging(["CONFAB_SYSCALL_TRACE": trace]) { _, ours in ours }
      let daemon = try Daemon(in: folder, environment: environment)
      let client = try daemon.client()
      // It would try again and again, by calls of its own.
      try client.ask("disconnect")
      let watchers = try (1...20).map { _ in try daemon.client() }
      for watcher in watchers { try watcher.ask("watch kinds=draft") }
      for watcher in watchers { _ = try watcher.line() }
      #expect(try client.request("ping").isOK)
      let before = calls(in: trace).count
      try client.ask("draft bob@example.test hello")
      for watcher in watchers { #expect(try watcher.line()?["event"]?.string == "draft") }
      #expect(try client.request("ping").isOK)
      // What the answer to the first ping ended with may have been written behind it.
      let calls = calls(in: trace).dropFirst(before).drop { $0 != "read" }
      // The draft's answer and the ping's come on top.
      #expect((21...22).contains(calls.count { $0 == "send" }), "\(calls)")
      #expect(!calls.contains("epoll_ctl") && calls.count < 60, "\(calls)")
    }
  }

  private func calls(in trace: String) -> [Substring] {
    (TestFiles.text(trace) ?? "").split(separator: "\n").map { $0.prefix { $0 != "(" } }
  }

  @Test("two watchers see the same events in the same order, each with its tag")
  func two() throws {
    try withDaemon { daemon, client in
      let watchers = try (1...2).map { number in
        let watcher = try daemon.client()
        try watcher.ask("watch tag=w\(number) kinds=message")
        return watcher
      }
      for number in 1...100 { try client.send("send bob@example.test \(number)") }
      let seen = try watchers.map { try events($0, upTo: "100") }
      #expect(numbers(seen[0]) == numbers(seen[1]))
      #expect(seen[0].count == 100)
      #expect(seen[0].allSatisfy { $0.text("tag") == "w1" })
      #expect(seen[1].allSatisfy { $0.text("tag") == "w2" })
      #expect(try watchers[0].request("watch").error == "already-watching")
      try watchers[0].ask("unwatch")
      try watchers[0].ask("watch since=0 kinds=message")
      #expect(numbers(try events(watchers[0], upTo: "100")) == numbers(seen[1]))
    }
  }

  @Test("one that comes back after the daemon was killed misses nothing and gets nothing twice")
  func acrossRestart() throws {
    try withDaemon { daemon, client in
      let watcher = try daemon.client()
      let start = try #require(try watcher.ask("watch kinds=message,draft,read").final["seq"]?.integer)
      for number in 1...50 { try client.ask("send bob@example.test first \(number)") }
      let first = try events(watcher, upTo: "first 30")
      try client.ask("draft bob@example.test meanwhile")
      try client.ask("read bob@example.test")
      let answered = try client.ask("send bob@example.test last before the end")
      try daemon.kill()
      try daemon.start()
      let second = try daemon.client()
      for number in 1...10 { try second.ask("send bob@example.test second \(number)") }
      let back = try daemon.client()
      try back.ask("watch kinds=message,draft,read since=\(try #require(numbers(first).last))")
      try second.ask("send bob@example.test live")
      let rest = try events(back, upTo: "live")
      let all = numbers(first) + numbers(rest)
      #expect(all == Array(Set(all)).sorted())
      #expect(all.first ?? 0 > start)
      #expect(rest.count == 20 + 2 + 1 + 10 + 1)
      #expect(numbers(rest).contains(try #require(answered.id)))
    }
  }

  @Test("a long history is caught up with before live events, and caught-up says when")
  func catchingUp() throws {
    try withDaemon { daemon, client in
      let text = String(repeating: "x", count: 500)
      for number in 1...3000 { try client.send("send bob@example.test \(number) \(text)") }
      for _ in 1...3000 { _ = try client.answer() }
      let watcher = try daemon.client()
      try watcher.send("watch since=0 kinds=message")
      try client.ask("send bob@example.test live")
      _ = try watcher.answer()
      // Live events may come before it, where they were stored while the watcher read the log.
      var caughtUp = false
      var last: Int64 = 0
      var messages = 0
      while !caughtUp || messages < 3001, let line = try watcher.line() {
        let number = try #require(line["seq"]?.integer)
        if line.text("event") == "caught-up" {
          caughtUp = true
          #expect(number >= last)
        } else {
          #expect(number > last)
        }
        last = number
        if line.text("event") == "message" { messages += 1 }
      }
      #expect(messages == 3001)
    }
  }

  @Test("one that does not read delays nobody, costs little, and gets everything once it reads")
  func stalled() throws {
    try withDaemon { daemon, client in
      let stalled = try daemon.client()
      try stalled.send("watch since=0 kinds=message")
      let live = try daemon.client()
      try live.ask("watch kinds=message")
      let processID = try #require(daemon.processID)
      let text = String(repeating: "漢", count: 3000)
      let before = try ProcessUsage(of: processID).anonymousKiB
      for number in 1...600 {
        try client.ask("send bob@example.test \(number) \(text)")
        _ = try live.event("message")
      }
      let growth = try ProcessUsage(of: processID).anonymousKiB - before
      #expect(growth < 8 * 1024, "grew by \(growth) KiB")
      try client.ask("send bob@example.test the end")
      let all = try events(stalled, upTo: "the end")
      #expect(all.count == 601)
      #expect(numbers(all) == numbers(all).sorted())
    }
  }

  @Test("a watch goes on behind a half-closed connection, and is filtered by conversation and kind")
  func filters() throws {
    try withScriptedServer { world throws in
      let watcher = try world.daemon.client()
      try watcher.ask("watch in=bob@example.test kinds=message,state")
      watcher.closeWriting()
      let id = try #require(try world.client.ask("send wait=sent bob@example.test to bob").id)
      try world.client.ask("send wait=sent carol@example.test to carol")
      try world.deliver("from carol", id: "c", from: "carol@example.test/x")
      try world.deliver("from bob", id: "b")
      let seen = try events(watcher, upTo: "from bob")
      try #require(seen.map { $0.text("event") } == ["message", "state", "message"])
      #expect(seen[1]["id"]?.integer == id)
      #expect(seen[1].text("state") == "sent")
      #expect(seen[2]["message"]?["opens_section"]?.bool == false)
    }
  }

  @Test("a late message that splits sections is told to those who watch")
  func resection() throws {
    let folder = try TemporaryFolder("watch")
    try folder.reportingLogs {
      let world = try World(try ScriptedServer(in: folder), in: folder, settings: ["snap-interval = 1h"])
      let watcher = try world.daemon.client()
      try watcher.ask("watch kinds=resection,message")
      let stamped = { (text: String, stamp: String) in
        try world.server.send(
          "<message from='bob@example.test/x' type='chat' id='\(text)'><body>\(text)</body>"
            + "<delay xmlns='urn:xmpp:delay' from='example.test' stamp='\(stamp)'/></message>")
      }
      try stamped("one", "2020-01-01T10:00:00Z")
      try stamped("three", "2020-01-01T11:30:00Z")
      let first = try events(watcher, upTo: "three").compactMap { $0["message"] }
      #expect(first.map { $0["opens_section"]?.bool } == [true, true])
      try stamped("two", "2020-01-01T10:45:00Z")
      let joined = try watcher.event("resection")
      #expect(joined.text("conversation") == "bob@example.test")
      #expect(joined["seq"] == nil)
      let sections = try world.client.ask("sections bob@example.test").data.compactMap { $0["section"] }
      #expect(sections.map { $0["count"]?.integer } == [3])
      #expect(try world.client.ask("sections gap=30m bob@example.test").data.count == 3)
      let texts = try world.client.history("bob@example.test").map { $0.text("text") }
      #expect(texts == ["one", "two", "three"])
    }
  }
}
