import Glibc
import JSON
import TestSupport
import Testing

/// The terminal UI over a real daemon and a real Prosody, with slixmpp on the other side.
@Suite("The terminal UI, with slixmpp")
struct InterfaceTests {
  private func terminal(_ world: World<Prosody>, columns: Int, lines: Int) throws -> TmuxTerminal {
    try TmuxTerminal(
      [Products.program("confab"), "--socket", world.daemon.socketPath], in: world.folder, columns: columns,
      lines: lines,
      environment: ["HOME": world.folder.path])
  }

  @Test("a conversation goes both ways, also over a killed daemon, and two of them agree")
  func conversation() throws {
    let folder = try TemporaryFolder("ui")
    try folder.reportingLogs {
      let world = try World(try Prosody(in: folder), in: folder)
      let bob = try Peer("bob", password: "secret-b", at: world.server, in: folder, receipts: true)
      try bob.send("good morning 👩‍🚀", to: "alice@example.test")
      _ = try world.client.request("read bob@example.test")
      let narrow = try terminal(world, columns: 80, lines: 24)
      let wide = try terminal(world, columns: 200, lines: 60)
      try narrow.wait(for: "bob@example.test", "good morning")
      try narrow.press("Enter")
      try narrow.wait(for: "good morning", "Today")
      try narrow.type("how are you?")
      try wide.press("Enter")
      try wide.wait(for: "› how are you?")
      try narrow.press("Enter")
      #expect(try bob.message().text("text") == "how are you?")
      for screen in [narrow, wide] {
        try screen.wait(for: "the message as delivered") {
          Self.line("how are you?", in: $0).contains("✓✓")
        }
      }
      try world.daemon.kill()
      try narrow.wait(for: "No daemon", "how are you?")
      try narrow.type("kept")
      try world.daemon.start()
      try narrow.press("Enter")
      #expect(try bob.message().text("text") == "kept")
      try bob.send("fine\u{202E}!\u{85}", to: "alice@example.test")
      try wide.wait(for: "fine")
      try narrow.resize(columns: 40, lines: 12)
      try narrow.wait(for: "fine", "kept")
    }
  }

  @Test("what was typed last is the draft, though a signal ends the terminal UI at once", arguments: [SIGHUP, SIGTERM])
  func endings(signal: Int32) throws {
    let folder = try TemporaryFolder("ui")
    try folder.reportingLogs {
      let world = try World(try Prosody(in: folder), in: folder)
      _ = try world.client.request("send bob@example.test hello")
      let screen = try terminal(world, columns: 80, lines: 24)
      try screen.wait(for: "bob@example.test", "hello")
      try screen.press("Enter")
      try screen.wait(for: "Write to bob@example.test")
      try screen.type("precious")
      try screen.wait(for: "› precious")
      kill(pid_t(try screen.variable("pane_pid")) ?? 0, signal)
      try screen.wait(for: "the draft, though it is the daemon's,") { _ in
        try world.client.request("draft bob@example.test").final.text("text") == "precious"
      }
    }
  }

  private static func line(_ text: String, in screen: String) -> Substring {
    screen.split(separator: "\n").last { $0.contains(text) } ?? ""
  }
}
