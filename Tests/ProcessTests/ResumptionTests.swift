import Glibc
import JSON
import TestSupport
import Testing

/// Streams that go on at real servers: after cuts, after `kill -9`, and over a stop.
@Suite("Streams that go on")
struct ResumptionTests {
  private func reason(_ client: SocketClient) throws -> String { try client.account().text("reason") }

  /// The texts of the conversation with bob that he wrote.
  private func received(_ client: SocketClient) throws -> [String] {
    try client.historyWithBob().filter { $0["mine"]?.bool != true }.map { $0.text("text") }
  }

  @Test(
    "a link that is cut while both talk: the stream goes on, each message comes once, and nothing is announced anew")
  func cuts() throws {
    let folder = try TemporaryFolder("cuts")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let proxy = try CountingProxy(to: prosody.directTLSPort, in: folder)
      var account = prosody.account("alice", tls: "direct")
      account.port = proxy.port
      let daemon = try Daemon(in: folder, accounts: [account])
      let client = try daemon.client()
      try client.waitUntilOnline()
      _ = try prosody.initialPresence(of: "alice")
      let bob = try Peer("bob", password: "secret-b", at: prosody, in: folder)
      let watcher = try daemon.client()
      try watcher.ask("watch kinds=connection")
      for round in 0..<4 {
        for number in 0..<10 { try bob.send("in \(round) \(number)", to: "alice@example.test") }
        let sends = (0..<10).map { "send bob@example.test out \(round) \($0)\n" }.joined()
        try client.send(bytes: Array(sends.utf8))
        try proxy.cut()
        for _ in 0..<10 { #expect(try client.answer().isOK) }
        _ = try watcher.event("connection") { $0.text("reason").hasPrefix("resumed") }
      }
      try client.ask("send wait=sent bob@example.test the end")
      var texts: [String] = []
      while texts.last != "the end" { texts.append(try bob.message().text("text")) }
      #expect(texts.dropLast() == (0..<40).map { "out \($0 / 10) \($0 % 10)" }[...])
      try bob.send("the other end", to: "alice@example.test")
      let messages = try daemon.client()
      try messages.ask("watch since=0 kinds=message")
      _ = try messages.event("message") { $0["message"]?.text("text") == "the other end" }
      let kept = try received(client)
      #expect(kept == (0..<40).map { "in \($0 / 10) \($0 % 10)" } + ["the other end"])
      // The next presence that the server hears is that of another stream.
      try daemon.signal(SIGINT)
      try daemon.waitForEnd()
      let connections = try proxy.count().connections
      try daemon.start()
      _ = try prosody.initialPresence(of: "alice")
      #expect(try proxy.count().connections == connections + 1)
    }
  }

  /// Prosody 0.12 takes what comes on the resumed stream for the rest of the stanza, and hears nothing of it.
  @Test(
    "a link that is cut inside a stanza: where the resumed stream is not heard, another one is, and nothing is twice")
  func cutInsideStanza() throws {
    let folder = try TemporaryFolder("cuts")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let proxy = try CountingProxy(to: prosody.directTLSPort, in: folder)
      var account = prosody.account("alice", tls: "direct")
      account.port = proxy.port
      let daemon = try Daemon(in: folder, accounts: [account])
      let client = try daemon.client()
      try client.waitUntilOnline()
      let bob = try Peer("bob", password: "secret-b", at: prosody, in: folder)
      let watcher = try daemon.client()
      try watcher.ask("watch kinds=connection")
      try proxy.cut()
      _ = try watcher.event("connection") { $0.text("reason").hasPrefix("resumed") }
      let traffic = try proxy.count().traffic
      // TLS has records of 16 KiB at the most: two of four arrive.
      let long = String(repeating: "long ", count: 12_000)
      try proxy.limit([traffic.sent + traffic.received + 40_000])
      try proxy.freeze()
      try client.ask("send bob@example.test \(long)")
      try proxy.cut()
      try client.ask("send bob@example.test behind")
      _ = try watcher.event("connection", until: .seconds(90)) {
        $0.text("reason").contains("answered nothing on it again")
      }
      _ = try watcher.event("connection") { $0.text("reason").hasPrefix("signed in") }
      try client.ask("send wait=sent bob@example.test end")
      let texts = try (0..<3).map { _ in try bob.message().text("text") }
      #expect(texts.map { $0.prefix(6) } == ["long l", "behind", "end"])
      let messages = try client.historyWithBob()
      #expect(messages.allSatisfy { $0.text("state") == "sent" && $0["in_doubt"] == nil })
    }
  }

  @Test(
    "a daemon that was killed, and one that was stopped: what came meanwhile is there, once",
    arguments: [SIGKILL, SIGTERM])
  func ended(by signal: Int32) throws {
    try withProsody { world throws in
      let bob = try world.bob()
      try bob.send("before", to: "alice@example.test")
      let watcher = try world.daemon.client()
      try watcher.ask("watch since=0 kinds=message")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "before" }
      try world.client.ask("send wait=sent bob@example.test one")
      if signal == SIGKILL { try world.daemon.kill() } else { #expect(try world.daemon.terminate() == .exited(0)) }
      try bob.send("meanwhile", to: "alice@example.test")
      try bob.settle()
      try world.daemon.start()
      let client = try world.daemon.client()
      try client.waitUntilOnline()
      #expect(try reason(client).hasPrefix("resumed"))
      try client.ask("send wait=sent bob@example.test two")
      try bob.send("behind", to: "alice@example.test")
      let next = try world.daemon.client()
      try next.ask("watch since=0 kinds=message")
      _ = try next.event("message") { $0["message"]?.text("text") == "behind" }
      let kept = try received(client)
      #expect(kept == ["before", "meanwhile", "behind"])
      #expect(try [bob.message().text("text"), bob.message().text("text")] == ["one", "two"])
    }
  }

  @Test("ejabberd: killed, and resumed with what came meanwhile")
  func ejabberd() throws {
    let folder = try TemporaryFolder("resuming")
    try folder.reportingLogs {
      let server = try Ejabberd(in: folder)
      let (daemon, bob) = (try daemon("alice", server, folder), try daemon("bob", server, folder))
      try daemon.client().waitUntilOnline()
      let other = try bob.client()
      try other.waitUntilOnline()
      try other.ask("send wait=sent alice@example.test before")
      try daemon.client().ask("send wait=sent bob@example.test one")
      try daemon.kill()
      try other.ask("send wait=sent alice@example.test meanwhile")
      try daemon.start()
      let client = try daemon.client()
      try client.waitUntilOnline()
      #expect(try reason(client).hasPrefix("resumed"))
      let watcher = try daemon.client()
      try watcher.ask("watch since=0 kinds=message")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "meanwhile" }
      let kept = try received(client)
      #expect(kept == ["before", "meanwhile"])
      try client.ask("send wait=sent bob@example.test two")
      let theirs = try bob.client()
      try theirs.ask("watch since=0 kinds=message")
      _ = try theirs.event("message") { $0["message"]?.text("text") == "two" }
      let texts = try other.ask("history alice@example.test").data.compactMap { $0["message"] }
        .filter { $0["mine"]?.bool != true }.map { $0.text("text") }
      #expect(texts == ["one", "two"])
    }
  }

  private func daemon(_ user: String, _ server: Ejabberd, _ folder: TemporaryFolder) throws -> Daemon {
    let account = Daemon.Account(
      user, password: "secret-\(user.prefix(1))", port: server.directTLSPort, tls: "direct",
      authority: server.authority)
    return try Daemon(user, in: folder, accounts: [account])
  }
}
