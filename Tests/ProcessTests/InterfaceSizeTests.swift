import JSON
import TestSupport
import Testing

/// The terminal UI over a real daemon and a real Prosody, with slixmpp on the other side, on three sizes of terminals.
@Suite("The terminal UI on three sizes, with slixmpp")
struct InterfaceSizeTests {
  static let sizes = [(80, 24), (200, 60), (40, 12)]

  /// A world in which Bob is online and on the roster, and what was said in it before.
  private struct Scene {
    let folder: TemporaryFolder
    let world: World<Prosody>
    let bob: Peer

    init(_ folder: TemporaryFolder, _ texts: String...) throws {
      self.folder = folder
      world = try World(try Prosody(in: folder), in: folder)
      bob = try Peer("bob", password: "secret-b", at: world.server, in: folder, receipts: true)
      try world.client.ask("add bob@example.test")
      _ = try world.client.request("watch")
      for text in texts { try say(text) }
    }

    /// Bob sends a text, and the daemon has it.
    func say(_ text: String) throws {
      try bob.send(text, to: "alice@example.test")
      _ = try world.client.event("message")
    }

    func terminal(_ size: (columns: Int, lines: Int), _ options: String...) throws -> TmuxTerminal {
      try TmuxTerminal(
        [Products.program("confab"), "--socket", world.daemon.socketPath], in: folder, columns: size.columns,
        lines: size.lines, environment: ["HOME": folder.path], options: options)
    }

    func unread() throws -> Int64? { try world.client.request("unread").final["unread"]?.integer }
  }

  private func inScene(_ texts: String..., body: (Scene) throws -> Void) throws {
    let folder = try TemporaryFolder("ui")
    try folder.reportingLogs {
      let scene = try Scene(folder)
      for text in texts { try scene.say(text) }
      try body(scene)
    }
  }

  /// A terminal of another size, to look at the same conversation.
  private static func other(_ size: (Int, Int)) -> (Int, Int) { size.0 == 80 ? (200, 60) : (80, 24) }

  @Test("a conversation goes both ways, and two of them and a script agree", arguments: sizes)
  func conversation(size: (Int, Int)) throws {
    try inScene("good morning 👩‍🚀") { scene in
      let first = try scene.terminal(size)
      let second = try scene.terminal(Self.other(size))
      try first.wait(for: "bob@example.test", "good morning")
      #expect(try scene.unread() == 1)
      try first.press("Enter")
      try first.wait(for: "good morning", "Today")
      try second.wait(for: "bob@example.test")
      try second.press("Enter")
      try second.wait(for: "good morning", "Today")
      try waitUntil("the script sees it read") { try scene.unread() == 0 }
      try first.type("how are you?")
      try second.wait(for: "› how are you?")
      let draft = try scene.world.client.request("draft bob@example.test")
      #expect(draft.final.text("text") == "how are you?")
      try first.press("Enter")
      #expect(try scene.bob.message().text("text") == "how are you?")
      for screen in [first, second] {
        try screen.wait(for: "the message as delivered") { Self.line("how are you?", in: $0).contains("✓✓") }
      }
      try scene.say("fine, thanks")
      for screen in [first, second] { try screen.wait(for: "fine, thanks") }
      let rows = try scene.world.client.request("history limit=3 bob@example.test").data
      #expect(rows.compactMap { $0["message"]?.text("text") } == ["good morning 👩‍🚀", "how are you?", "fine, thanks"])
    }
  }

  @Test("a killed daemon is said, what is typed stays and is sent once, and a resized screen goes on", arguments: sizes)
  func killed(size: (Int, Int)) throws {
    try inScene("before") { scene in
      let screen = try scene.terminal(size)
      try screen.wait(for: "before")
      try screen.press("Enter")
      try screen.wait(for: "Today", "before")
      try scene.world.daemon.kill()
      try screen.wait(for: "No daemon", "before")
      try screen.type("kept")
      try screen.press("Enter")
      try screen.wait(for: "kept", "not stored")
      try scene.world.daemon.start()
      #expect(try scene.bob.message().text("text") == "kept")
      try screen.wait(for: "the message as stored") { !$0.contains("not stored") && $0.contains("kept") }
      try scene.bob.send("after", to: "alice@example.test")
      try screen.wait(for: "after")
      for (columns, lines) in [(40, 10), (200, 60), size] {
        try screen.resize(columns: columns, lines: lines)
        try screen.wait(for: "kept", "after")
      }
      let again = try scene.world.daemon.client()
      let rows = try again.request("history bob@example.test").data.compactMap { $0["message"]?.text("text") }
      #expect(rows == ["before", "kept", "after"], "nothing is sent twice")
    }
  }

  /// Texts that try to break the screen.
  private static let hostile = [
    "bidi \u{202E}live\u{2066}\u{200F}\u{061C} end", "c1 \u{9B}31m\u{85}\u{90}q\u{9C} end",
    "zero\u{200B}\u{200D}\u{FEFF}\u{2060}width",
    "marks a" + String(repeating: "\u{0301}", count: 2000) + " end", String(repeating: "endless", count: 2000),
    (1...300).map { "line \($0)" }.joined(separator: "\n"), "tab\ttab\ttab", "👩‍👩‍👧‍👦🏴‍☠️🇩🇪👍🏿 ﷽ क्षि ﷺ", "שלום 123 (abc) عليكم",
    "› fake prompt\nNo daemon, trying again",
  ]

  @Test("hostile texts stay within their place, and a repaint changes nothing", arguments: sizes)
  func hostileTexts(size: (columns: Int, lines: Int)) throws {
    try inScene("first") { scene in
      let screen = try scene.terminal(size)
      try screen.wait(for: "first")
      try screen.press("Enter")
      try screen.wait(for: "Today", "first")
      for (number, text) in Self.hostile.enumerated() {
        try scene.say(text)
        try scene.say("harmless \(number)")
        try screen.wait(for: "harmless \(number)")
        try Self.expectWhole(screen, size, text)
      }
      let end = try screen.screen()
      try screen.press("PPage")
      try screen.wait(for: "another page") { $0 != end }
      try Self.expectWhole(screen, size, "further up")
    }
  }

  /// Nothing that steers is on the screen, the input stands where it belongs, and painting anew gives the same.
  private static func expectWhole(_ screen: TmuxTerminal, _ size: (columns: Int, lines: Int), _ text: String) throws {
    let before = try settled(screen, after: text) {
      // The status line begins with the count of what is unread.
      let rows = $0.split(separator: "\n", omittingEmptySubsequences: false)
      return rows.count >= size.lines && rows[size.lines - 2].contains("› Write to")
        && rows[size.lines - 1].first { $0 != " " }?.isNumber != true
    }
    let steering = before.unicodeScalars.filter {
      $0 != "\n"
        && ($0.properties.generalCategory == .control || (0x202A...0x202E).contains($0.value)
          || (0x2060...0x2069).contains($0.value))
    }
    #expect(steering.isEmpty, "\(text.prefix(20).debugDescription): \(steering.map(\.value))")
    try screen.press("C-l")
    try screen.wait(for: "the same screen after a repaint:\n\(before)") { $0 == before }
  }

  /// The screen once it is as it should be, and stays so: what was read is told a second later.
  private static func settled(
    _ screen: TmuxTerminal, after text: String, _ isRight: (String) -> Bool
  ) throws -> String {
    var (last, count) = ("", 0)
    try screen.wait(for: "the input in its place, and all read, after \(text.prefix(20))") {
      count = isRight($0) && $0 == last ? count + 1 : 0
      last = $0
      return count == 5
    }
    return last
  }

  private func waitUntil(_ purpose: String, _ condition: () throws -> Bool) throws {
    let deadline = Deadline.seconds(60)
    while try !condition() {
      guard !deadline.hasPassed else { throw TestFailure("not so: \(purpose)") }
      _ = Readiness.wait(forReading: [], until: .milliseconds(30))
    }
  }

  private static func line(_ text: String, in screen: String) -> Substring {
    screen.split(separator: "\n").last { $0.contains(text) } ?? ""
  }
}
