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
}
