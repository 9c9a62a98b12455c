import Glibc
import JSON
import TestSupport
import Testing

/// Streams that go on at real servers: after `kill -9`, and over a stop; after cuts: CutLinkTests.
@Suite("Streams that go on")
struct ResumptionTests {
  private func reason(_ client: SocketClient) throws -> String { try client.account().text("reason") }

  /// The texts of the conversation with bob that he wrote.
  private func received(_ client: SocketClient) throws -> [String] {
    try client.historyWithBob().filter { $0["mine"]?.bool != true }.map { $0.text("text") }
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
