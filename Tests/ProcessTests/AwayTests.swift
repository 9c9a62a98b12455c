import Glibc
import JSON
import TestSupport
import Testing

/// What comes while nobody is here, out of real servers' archives: nothing is lost, nothing is double, and all stands in
/// its order. `CONFAB_MESSAGES` says how many messages make more than a page.
@Suite("Away from a real server with an archive")
struct AwayTests {
  private static let count = unsafe getenv("CONFAB_MESSAGES").flatMap { unsafe Int(String(cString: $0)) } ?? 130

  @Test("more than a page while away, live ones meanwhile, another device's among them")
  func away() throws {
    let folder = try TemporaryFolder("away")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let world = try World(prosody, in: folder)
      let bob = try Peer("bob", password: "secret-b", at: prosody, in: folder)
      let tablet = try Peer("alice", password: "secret-a", at: prosody, in: folder, priority: -1)
      let watcher = try world.daemon.client()
      #expect(try watcher.request("watch kinds=message").isOK)
      try bob.send("before", to: "alice@example.test")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "before" }
      #expect(try world.client.request("disconnect").isOK)
      _ = try world.daemon.waitForState(["stopped"])
      // What the server still gives to the stream that ends comes out of the archive alone, in its second at the end.
      try tablet.event("presence") {
        $0["type"]?.string == "unavailable" && $0.text("from").hasPrefix("alice@example.test/confab")
      }
      let away = (1...Self.count).map { "away \($0)" }
      for text in away { try bob.send(text, to: "alice@example.test") }
      try bob.settle()
      try tablet.send("from the tablet", to: "bob@example.test")
      try tablet.settle()
      #expect(try world.client.request("connect").isOK)
      try world.client.waitUntilOnline()
      let live = (1...20).map { "live \($0)" }
      for text in live { try bob.send(text, to: "alice@example.test") }
      try tablet.send("the last", to: "bob@example.test")
      let wanted = ["before"] + away + ["from the tablet"]
      var came: Set<String> = ["before"]
      while came.count < wanted.count + live.count + 1 {
        came.insert(try watcher.event("message")["message"]?.text("text") ?? "")
      }
      try Self.waitForArchive(world.client)
      let found = try Self.history(world.client, count: wanted.count + live.count + 1)
      #expect(Array(found.prefix(wanted.count)) == wanted)
      #expect(found.dropFirst(wanted.count).filter { $0.hasPrefix("live") } == live)
      #expect(try world.client.account()["carbons"]?.bool == true)
    }
  }

  @Test("an archive that has forgotten how far we were")
  func expired() throws {
    let folder = try TemporaryFolder("expired")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let world = try World(prosody, in: folder)
      let bob = try Peer("bob", password: "secret-b", at: prosody, in: folder)
      let watcher = try world.daemon.client()
      #expect(try watcher.request("watch kinds=message").isOK)
      // The anchor is where the last fetching ended.
      try bob.send("one", to: "alice@example.test")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "one" }
      try Self.reconnect(world)
      try bob.send("two", to: "alice@example.test")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "two" }
      #expect(try world.client.request("disconnect").isOK)
      _ = try world.daemon.waitForState(["stopped"])
      try bob.quit()
      try prosody.stop()
      _ = try Program.run(["/bin/sh", "-c", "rm -rf \"$1\"/prosody/data/*/archive", "sh", folder.path])
      try prosody.start()
      let again = try Peer("bob", password: "secret-b", at: prosody, in: folder)
      for number in 3...5 { try again.send("\(number)", to: "alice@example.test") }
      try again.settle()
      #expect(try world.client.request("connect").isOK)
      _ = try watcher.event("message") { $0["message"]?.text("text") == "5" }
      // What the archive has lost cannot say that it stands before what came within its second.
      let found = try Self.history(world.client, count: 5)
      #expect(Set(found) == ["one", "two", "3", "4", "5"])
      #expect(found.filter { $0.count == 1 } == ["3", "4", "5"])
      try Self.waitForArchive(world.client)
      #expect(world.daemon.log.contains("going by time"))
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
      try tablet.waitUntilOnline()
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

  /// Back when it has come to its end. Asks again and again: nothing tells of that.
  private static func waitForArchive(_ client: SocketClient) throws {
    for _ in 0..<100_000 where try client.account()["archive"]?.text("state") != "complete" {}
    #expect(try client.account()["archive"]?.text("state") == "complete")
  }

  private static func reconnect<Server>(_ world: World<Server>) throws {
    #expect(try world.client.request("disconnect").isOK)
    _ = try world.daemon.waitForState(["stopped"])
    #expect(try world.client.request("connect").isOK)
    try world.client.waitUntilOnline()
  }

  /// The whole conversation with bob, page by page, which must have so many messages.
  private static func history(_ client: SocketClient, count: Int) throws -> [String] {
    var texts: [String] = []
    while true {
      let answer = try client.request("history row=\(texts.count) limit=1000 bob@example.test")
      texts += answer.data.compactMap { $0["message"]?.text("text") }
      #expect(answer.final["count"]?.integer == Int64(count))
      if answer.final["more_after"]?.bool != true || answer.data.isEmpty { return texts }
    }
  }
}
