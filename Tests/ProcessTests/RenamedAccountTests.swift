import JSON
import TestSupport
import Testing

/// An account's section gets another name in the configuration while messages wait.
@Suite("An account whose section was renamed")
struct RenamedAccountTests {
  @Test("what was accepted before is sent, and the history is there, after a start and after a reload")
  func renamed() throws {
    try withProsody { world throws in
      let bob = try world.bob()
      var account = Daemon.Account(
        "alice", password: "secret-a", port: world.server.directTLSPort, tls: "direct",
        authority: world.server.authority)
      try world.client.ask("send wait=sent bob@example.test first")
      try world.client.ask("disconnect")
      try world.client.ask("send bob@example.test second")
      account.name = "office"
      try world.daemon.configure(accounts: [account])
      try world.daemon.terminate()
      try world.daemon.start()
      let client = try world.daemon.client()
      #expect(try client.account().text("name") == "office")
      try client.ask("connect")
      try client.waitUntilOnline()
      account.name = "home"
      try world.daemon.configure(accounts: [account])
      try client.ask("reload")
      try client.waitUntilOnline()
      try client.ask("send wait=sent bob@example.test third")
      #expect(try client.historyWithBob().map { $0.text("text") } == ["first", "second", "third"])
      var received: [String] = []
      while received.last != "third" { received.append(try bob.message().text("text")) }
      #expect(received == ["first", "second", "third"])
      for (name, old) in [("office", "alice"), ("home", "office")] {
        #expect(world.daemon.log.contains("account \(name) continues account \(old)"))
      }
    }
  }
}
