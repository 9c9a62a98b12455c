import Clocks
import Glibc
import JSON
import TestSupport
import Testing

/// What comes while nobody is here, out of real servers' archives: nothing is lost, nothing is double, and all stands in
/// its order. `CONFAB_MESSAGES` says how many messages make more than a page.
@Suite("Away from a real server with an archive")
struct AwayTests {
  private static let count = unsafe getenv("CONFAB_MESSAGES").flatMap { unsafe Int(String(cString: $0)) } ?? 300

  @Test("more than a page while away, past an archive that has forgotten how far we were; live ones, another device's")
  func away() throws {
    let folder = try TemporaryFolder("away")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let world = try World(prosody, in: folder)
      try Self.leaveAnchor(world)
      try prosody.stop()
      try prosody.forget()
      try prosody.start()
      let bob = try Peer("bob", password: "secret-b", at: prosody, in: folder)
      let tablet = try Peer("alice", password: "secret-a", at: prosody, in: folder, priority: -1)
      let watcher = try world.daemon.client()
      try watcher.ask("watch kinds=message")
      let away = try Self.talk(bob, tablet)
      try world.client.ask("connect")
      try world.client.waitUntilOnline()
      let live = (1...20).map { "live \($0)" }
      for text in live { try bob.send(text, to: "alice@example.test") }
      try tablet.send("the last", to: "bob@example.test")
      let count = 1 + away.count + live.count + 1
      var came: Set<String> = ["before"]
      while came.count < count { came.insert(try watcher.event("message")["message"]?.text("text") ?? "") }
      try world.client.waitForArchive()
      let messages = try Self.history(world.client, count: count)
      let found = messages.map { $0.text("text") }
      // What the archive has lost cannot say that it stands before what came within its second.
      #expect(found.contains("before"))
      #expect(found.filter { $0.hasPrefix("away") } == away)
      #expect(found.filter { $0.hasPrefix("live") } == live)
      #expect(Set(found.suffix(live.count + 1)) == Set(live + ["the last"]))
      #expect(messages.filter { $0["mine"]?.bool == true }.count == away.count { $0.hasSuffix("tablet") } + 1)
      try Self.expectSections(of: messages, world.client)
      #expect(world.daemon.log.contains("fetching by time"))
      #expect(try world.client.account()["carbons"]?.bool == true)
    }
  }

  /// A message, and a fetching that ends at it; then the account is gone.
  private static func leaveAnchor(_ world: World<Prosody>) throws {
    let bob = try Peer("bob", password: "secret-b", at: world.server, in: world.folder)
    let watcher = try world.daemon.client()
    try watcher.ask("watch kinds=message")
    try bob.send("before", to: "alice@example.test")
    _ = try watcher.event("message")
    try reconnect(world)
    try world.client.waitForArchive()
    try world.client.ask("disconnect")
    _ = try world.daemon.waitForState(["stopped"])
    try bob.quit()
  }

  /// What bob says to alice, and what she says by another device now and then, in the server's order.
  private static func talk(_ bob: Peer, _ tablet: Peer) throws -> [String] {
    try (1...count).map { number in
      guard number.isMultiple(of: 100) else {
        try bob.send("away \(number)", to: "alice@example.test")
        return "away \(number)"
      }
      try bob.settle()
      try tablet.send("away \(number), by the tablet", to: "bob@example.test")
      try tablet.settle()
      return "away \(number), by the tablet"
    }
  }

  /// The sections are what the times of the messages say.
  private static func expectSections(of messages: [JSONValue], _ client: SocketClient) throws {
    let times = try messages.map { try #require(Timestamp(rfc3339: $0.text("time"))) }
    for gap in [Interval.zero, .milliseconds(500), .seconds(1), .hours(1)] {
      let openers = messages.indices.filter { $0 == 0 || times[$0] - times[$0 - 1] > gap }
      let sections = try client.ask("sections gap=\(gap.milliseconds)ms limit=1000 bob@example.test").data.compactMap {
        $0["section"]
      }
      let newest = openers.suffix(1000)
      #expect(sections.map { $0["first"] } == newest.map { messages[$0]["id"] })
      let ends = newest.dropFirst() + [messages.count]
      #expect(sections.map { $0["count"]?.integer } == zip(newest, ends).map { Int64($1 - $0) })
      #expect(sections.map { $0["last"] } == ends.map { messages[$0 - 1]["id"] })
      #expect(sections.map { $0["start"]?.string } == newest.map { messages[$0].text("time") })
      #expect(sections.map { $0["end"]?.string } == ends.map { messages[$0 - 1].text("time") })
    }
  }

  @Test("what left and was not acknowledged is found in the archive and goes once")
  func doubts() throws {
    let folder = try TemporaryFolder("doubts")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let world = try World(prosody, in: folder)
      let bob = try Peer("bob", password: "secret-b", at: prosody, in: folder)
      try bob.send("hello", to: "alice@example.test")
      let watcher = try world.daemon.client()
      #expect(try watcher.request("watch since=0 kinds=message").isOK)
      _ = try watcher.event("message")
      try Self.reconnect(world)
      let texts = (1...30).map { "out \($0)" }
      for text in texts { try world.client.send("send bob@example.test \(text)") }
      _ = try bob.message()
      try world.daemon.kill()
      try world.daemon.start()
      let client = try world.daemon.client()
      try client.waitUntilOnline()
      let last = try client.sendToBob("the end")
      #expect(try client.request("wait for=sent timeout=60s \(last.id ?? 0)", until: .seconds(90)).isOK)
      var got: [String] = []
      while got.last != "the end" { got.append(try bob.message().text("text")) }
      let stored = try client.historyWithBob().filter { $0["mine"]?.bool == true }
      #expect(got.dropLast() == stored.dropFirst().dropLast().map { $0.text("text") }[...])
      #expect(stored.allSatisfy { $0["in_doubt"] == nil })
    }
  }

  @Test("the same at ejabberd: away, and another device's")
  func ejabberd() throws {
    let folder = try TemporaryFolder("away")
    try folder.reportingLogs {
      let server = try Ejabberd(in: folder)
      let accounts = [("alice", "secret-a"), ("bob", "secret-b")].map {
        Daemon.Account($0.0, password: $0.1, port: server.directTLSPort, tls: "direct", authority: server.authority)
      }
      let daemon = try Daemon("both", in: folder, accounts: accounts)
      let client = try daemon.client()
      #expect(try client.request("status for=online timeout=60s", until: .seconds(90)).isOK)
      let second = try Daemon("tablet", in: folder, accounts: [accounts[0]])
      let tablet = try second.client()
      try tablet.waitForLogin()
      let watcher = try daemon.client()
      #expect(try watcher.request("watch kinds=message").isOK)
      #expect(try client.request("disconnect account=alice").isOK)
      _ = try tablet.request("watch kinds=message")
      for number in 1...60 { #expect(try client.request("send account=bob alice@example.test away \(number)").isOK) }
      for _ in 1...60 { _ = try tablet.event("message") }
      let sent = try tablet.sendToBob("from the tablet")
      #expect(try tablet.request("wait for=sent timeout=60s \(sent.id ?? 0)", until: .seconds(90)).isOK)
      #expect(try client.request("connect account=alice").isOK)
      let wanted = (1...60).map { "away \($0)" } + ["from the tablet"]
      var came: Set<String> = []
      while came.count < wanted.count {
        let message = try watcher.event("message") { $0["message"]?.text("account") == "alice" }
        came.insert(message["message"]?.text("text") ?? "")
      }
      let found = try client.request("history account=alice limit=1000 bob@example.test").data.compactMap {
        $0["message"]
      }
      #expect(found.map { $0.text("text") } == wanted)
      #expect(found.last?["mine"]?.bool == true)
    }
  }

  private static func reconnect<Server>(_ world: World<Server>) throws {
    #expect(try world.client.request("disconnect").isOK)
    _ = try world.daemon.waitForState(["stopped"])
    #expect(try world.client.request("connect").isOK)
    try world.client.waitUntilOnline()
  }

  /// The whole conversation with bob, page by page, which must have so many messages.
  private static func history(_ client: SocketClient, count: Int) throws -> [JSONValue] {
    var messages: [JSONValue] = []
    while true {
      let answer = try client.request("history row=\(messages.count) limit=1000 bob@example.test")
      messages += answer.data.compactMap { $0["message"] }
      #expect(answer.final["count"]?.integer == Int64(count))
      if answer.final["more_after"]?.bool != true || answer.data.isEmpty { return messages }
    }
  }
}
