import TestSupport
import Testing

/// `confab --plain` and lines of any length.
@Suite("The plain mode over a daemon")
struct PlainModeTests {
  private func command(_ daemon: Daemon) -> [String] {
    [Products.program("confab"), "--socket", daemon.socketPath, "--plain"]
  }

  private func letters(_ count: Int) -> String { String(repeating: "q", count: count) }

  @Test(
    "a line that is too long is refused whole, and the next one goes on",
    arguments: [60_001, 65_500, 100_000, 196_585])
  func script(count: Int) throws {
    try withDaemon { daemon, client in
      let script =
        "bob@example.test\n\(letters(count))/forget-history bob@example.test\n/yes\nafter\n"
      let done = try Program.run(command(daemon), input: Array(script.utf8))
      #expect(done.status == .exited(0))
      #expect(
        done.text.split(separator: "\n").count {
          $0.hasPrefix("Not sent: ") && $0.contains("at most 60000")
        } == 1)
      #expect(try client.history("bob@example.test").map { $0.text("text") } == ["after"])
    }
  }

  @Test("a text whose escapes are longer than a request goes out, and the next line too")
  func escapes() throws {
    try withDaemon { daemon, client in
      let text = String(repeating: "\"", count: 40_000)
      let done = try Program.run(
        command(daemon), input: Array("bob@example.test\n\(text)\nafter\n".utf8))
      #expect(done.status == .exited(0))
      #expect(try client.history("bob@example.test").map { $0.text("text") } == [text, "after"])
    }
  }

  /// Opens a conversation with one message on a terminal.
  private func withConversation(_ body: (TmuxTerminal, SocketClient) throws -> Void) throws {
    let folder = try TemporaryFolder("plain")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      let client = try daemon.client()
      try client.ask("send bob@example.test before")
      let screen = try TmuxTerminal(command(daemon), in: folder, environment: ["HOME": folder.path])
      try screen.wait(for: "1. bob@example.test")
      try screen.paste("bob@example.test\n")
      try screen.wait(for: "Conversation with bob@example.test")
      try body(screen, client)
    }
  }

  @Test("a long paste is one message, behind a question, and its lines are no commands")
  func paste() throws {
    try withConversation { screen, client in
      // More than a terminal keeps for a program that reads.
      let lines = (1...150).map { "/quit \($0) \(letters(50))" }
      try screen.paste(lines.map { $0 + "\n" }.joined())
      try screen.wait(for: "Send the 150 lines that came at once")
      try screen.paste("/yes\n")
      try screen.wait(for: "#2")
      #expect(
        try client.history("bob@example.test").map { $0.text("text") }
          == ["before", lines.joined(separator: "\n")])
    }
  }

  @Test("a line that the terminal cut is refused, and the next one goes on")
  func terminal() throws {
    try withConversation { screen, client in
      try screen.paste(letters(5000))
      try screen.press("Enter")
      try screen.wait(for: "Not sent: the terminal cuts a line at 4095 bytes.")
      try screen.paste("after\n")
      try screen.wait(for: "me: after")
      #expect(try client.history("bob@example.test").map { $0.text("text") } == ["before", "after"])
    }
  }
}
