import JSON
import TestSupport
import Testing

/// `notify`, `pin`, `archive`, `unread-from` and `focus` with the real programs, over kills of the daemon.
@Suite("What front ends share of a conversation")
struct ConversationSettingsTests {
  private static func words(_ conversation: JSONValue?) -> [String?] {
    [conversation?["notify"]?.string]
      + ["notify_until"].map { conversation?[$0]?.string.map { _ in "until" } }
      + ["pinned", "archived"].map { conversation?[$0]?.bool.map { "\($0)" } }
  }

  private func shown(_ daemon: Daemon) throws -> [String?] {
    Self.words(try daemon.client().request("conversations").data.first?["conversation"])
  }

  private func time(_ words: String) throws -> String {
    try Program.run(["date", "-u", "-d", words, "+%Y-%m-%dT%H:%M:%SZ"]).text.filter { $0 != "\n" }
  }

  @Test("What is set outlives a kill right behind its answer, and a level for a time ends with an event")
  func killed() throws {
    try withDaemon { daemon, client in
      let command = [Products.program("confab"), "--socket", daemon.socketPath]
      func confab(_ words: String...) throws -> Program.Finished { try Program.run(command + words) }
      try client.ask("send bob@example.test hello")
      #expect(try confab("notify", "bob@example.test", "mentions").status == .exited(0))
      try client.ask("notify until=\(time("+1 hour")) bob@example.test never")
      try daemon.kill()
      try daemon.start()
      #expect(try shown(daemon) == ["never", "until", "false", "false"])
      let watcher = try daemon.client()
      let again = try daemon.client()
      // The level before the next one holds again behind it.
      try again.ask("notify bob@example.test mentions")
      try watcher.ask("watch kinds=conversation")
      // On a busy machine the time may be over before it is asked for.
      let isSet = try (0..<20).contains { _ in
        try again.request("notify until=\(time("+2 seconds")) bob@example.test never").isOK
      }
      #expect(isSet)
      let ended = try watcher.event("conversation") { $0["conversation"]?.text("notify") == "mentions" }
      #expect(Self.words(ended["conversation"]) == ["mentions", nil, "false", "false"])
      #expect(try confab("pin", "bob@example.test", "yes").status == .exited(0))
      #expect(try confab("archive", "bob@example.test", "yes").status == .exited(0))
      try daemon.kill()
      try daemon.start()
      #expect(try shown(daemon) == ["mentions", nil, "true", "true"])
      #expect(try confab("conversations").text.contains("[pinned, mentions only, archived]"))
      #expect(try confab("send", "bob@example.test", "again").status == .exited(0))
      #expect(try shown(daemon) == ["mentions", nil, "true", "false"])
      #expect(try confab("notify", "--until=yesterday", "bob@example.test", "never").status == .exited(64))
      #expect(try confab("pin", "nobody@example.test", "yes").status == .exited(1))
      #expect(try confab("archive", "bob@example.test").status == .exited(64))
    }
  }

  @Test("What comes is a notice unless somebody looks at it; what is marked unread stays so over a kill")
  func unread() throws {
    try withProsody { world throws in
      let bob = try world.bob()
      let watcher = try world.daemon.client()
      try watcher.ask("watch kinds=message,read")
      func receive(_ text: String) throws -> JSONValue {
        try bob.send(text, to: "alice@example.test")
        return try watcher.event("message") { $0["message"]?.text("text") == text }
      }
      let first = try receive("one")
      #expect(first["notice"]?.bool == true)
      try world.client.ask("focus bob@example.test")
      #expect(try receive("two")["notice"] == nil)
      try world.client.ask("read bob@example.test")
      let id = try #require(first["message"]?["id"]?.integer)
      let command = [Products.program("confab"), "--socket", world.daemon.socketPath]
      let back = try Program.run(command + ["unread-from", "bob@example.test", "\(id)"])
      #expect(back.status == .exited(0) && back.text == "2 unread, 0 mentions\n", "\(back.errorText)")
      #expect(try watcher.event("read") { $0["id"]?.integer == 0 }["conversation"]?.string == "bob@example.test")
      try world.daemon.kill()
      try world.daemon.start()
      #expect(try world.daemon.client().request("unread").final["unread"]?.integer == 2)
      #expect(try Program.run(command + ["read", "--all"]).text == "0 unread, 0 mentions\n")
    }
  }
}
