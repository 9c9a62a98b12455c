import Clocks
import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

@Suite("Two conversations side by side")
struct PaneTests {
  /// Bob's conversation is open, and Zoe's beside it.
  private func two(columns: Int = 200) throws -> Harness {
    let ui = Harness(columns: columns, lines: 30)
    ui.connect(conversations: [
      Harness.conversation("bob@example.org", name: "Bob", count: 2),
      Harness.conversation("zoe@example.org", name: "Zoe", count: 2),
    ])
    ui.press("Enter")
    ui.answerHistory([Harness.message(1, "from bob", minutes: -9, opens: true), Harness.message(2, "bob too")])
    ui.press("Alt-T")
    ui.type("zoe")
    ui.press("Enter")
    ui.answerHistory([zoe(3, "from zoe", minutes: -8), zoe(4, "zoe too")])
    return ui
  }

  private func zoe(_ id: UInt64, _ text: String, minutes: Int = 0) -> String {
    Harness.message(id, text, minutes: minutes, from: "zoe@example.org", nick: "Zoe")
      .replacing("bob@example.org", with: "zoe@example.org")
  }

  private func line(_ ui: Harness, with text: String) throws -> String {
    try #require(ui.screen.first { $0.contains(text) })
  }

  @Test("both stand beside the list where there is room, else in its place", arguments: [(200, true), (120, false)])
  func places(columns: Int, hasList: Bool) throws {
    let ui = try two(columns: columns)
    #expect(ui.shows("Conversations") == hasList)
    let header = ui.screen[0]
    #expect(header.contains("bob@example.org") && header.contains("zoe@example.org"))
    #expect(ui.shows("bob too") && ui.shows("zoe too"))
    ui.press("Esc")
    #expect(ui.shows("Conversations"))
  }

  @Test("the header of the one that has the keys is marked, and no other one")
  func mark() throws {
    let ui = try two()
    #expect(ui.screen[0].contains("▸Zoe") && ui.screen[0].count { $0 == "▸" } == 1)
    ui.press("Alt-T")
    #expect(ui.screen[0].contains("▸Bob") && ui.screen[0].count { $0 == "▸" } == 1)
    ui.press("Esc")
    #expect(ui.screen[0].hasPrefix("▸Conversations") && ui.screen[0].count { $0 == "▸" } == 1)
    #expect(!Harness.opened().screen[0].contains("▸"), "one alone needs no mark")
  }

  @Test("letters go to the one that has the keys; one key moves them, and one closes it")
  func keys() throws {
    let ui = try two()
    ui.type("to zoe")
    ui.press("Enter")
    #expect(ui.take("send")?["to"]?.string == "zoe@example.org")
    ui.press("Alt-T")
    ui.type("to bob")
    ui.press("Enter")
    #expect(ui.take("send")?["to"]?.string == "bob@example.org")
    ui.press("Alt-Q")
    #expect(!ui.shows("bob too"))
    ui.type("zoe again")
    ui.press("Enter")
    #expect(ui.take("send")?["to"]?.string == "zoe@example.org")
    ui.press("Alt-Q")
    #expect(ui.shows("Enter opens the conversation"))
  }

  @Test("Shift-Tab goes from the list through both and back")
  func round() throws {
    let ui = try two()
    ui.press("Shift-Tab")
    #expect(ui.app.frame().cursor == nil)
    ui.press("Shift-Tab")
    let first = try #require(ui.app.frame().cursor)
    ui.press("Shift-Tab")
    let second = try #require(ui.app.frame().cursor)
    #expect(first.column < second.column)
  }

  @Test("each has its own place: scrolling one leaves the other")
  func scrolling() throws {
    let ui = try two()
    ui.forgetRequests()
    let rows = (10...99).map { zoe(UInt64($0), "zoe \($0)", minutes: $0) }
    for row in rows { ui.line(#"{"event":"message","seq":9,"message":\#(row)}"#) }
    ui.press("PageUp")
    #expect(ui.screen.count { $0.contains("zoe 99") } == 1, "in the list")
    #expect(ui.shows("bob too"))
    ui.line(#"{"event":"message","seq":100,"message":\#(zoe(100, "zoe 100", minutes: 100))}"#)
    #expect(ui.shows("1 new below"))
  }

  @Test("messages of both are read while somebody is there, and neither rings")
  func reading() throws {
    let ui = try two()
    ui.press("Left")
    ui.forgetRequests()
    let bob = Harness.message(5, "news of bob", minutes: 1)
    ui.line(#"{"event":"message","seq":5,"notice":true,"message":\#(bob)}"#)
    #expect(ui.take("read")?["jid"]?.string == "bob@example.org")
    ui.line(#"{"event":"message","seq":6,"message":\#(zoe(6, "news of zoe", minutes: 1))}"#)
    #expect(ui.take("read")?["jid"]?.string == "zoe@example.org")
    #expect(!ui.actions.contains(.bell))
    ui.press("Alt-T")
    #expect(ui.take("focus")?["jid"]?.string == "bob@example.org")
  }

  @Test("a terminal that becomes narrow shows the one that has the keys, and becomes wide again")
  func narrow() throws {
    let ui = try two()
    ui.handle(.resized(columns: 80, lines: 24))
    #expect(ui.shows("zoe too") && !ui.shows("bob too") && !ui.shows("Conversations"))
    ui.press("Alt-T")
    #expect(ui.shows("bob too") && !ui.shows("zoe too"))
    ui.handle(.resized(columns: 200, lines: 30))
    #expect(ui.shows("bob too") && ui.shows("zoe too"))
  }

  /// Three conversations are open, each in a pane of its own.
  private func three(columns: Int, lines: Int) -> Harness {
    let names = ["ann", "bob", "zoe"]
    let ui = Harness(columns: columns, lines: lines)
    ui.connect(conversations: names.map { Harness.conversation("\($0)@example.org", name: $0) })
    ui.press("Enter")
    for name in names.dropFirst() {
      ui.press("C-x 2")
      ui.type(name)
      ui.press("Enter")
    }
    return ui
  }

  @Test(
    "the window splits as often as it is wide and high enough",
    arguments: [(150, 30, [3]), (160, 30, [2, 1]), (120, 30, [2, 1]), (120, 19, [2]), (80, 30, [1]), (260, 24, [3])])
  func grid(columns: Int, lines: Int, rows: [Int]) {
    let ui = three(columns: columns, lines: lines)
    if rows == [1] { ui.press("C-x 2") }
    let areas = ui.app.screen.panes.areas
    #expect(Set(areas.map(\.line)).sorted().map { line in areas.count { $0.line == line } } == rows)
    #expect(areas.allSatisfy { $0.width >= 49 && $0.height >= 10 })
    let focused = ui.app.screen.focused?.key
    #expect(areas.contains { $0.key == focused })
  }

  @Test("Shift-Tab goes through all panes and the list, and each keeps its input")
  func many() {
    let ui = three(columns: 120, lines: 30)
    ui.press("Shift-Tab")
    for name in ["ann", "bob", "zoe"] {
      ui.press("Shift-Tab")
      ui.type("to \(name)")
    }
    for name in ["ann", "bob", "zoe"] { #expect(ui.shows("to \(name)"), "\(name)") }
  }

  @Test("several panes are kept for the next start, and open again there; one alone is not, nor who is gone")
  func kept() {
    let ui = three(columns: 160, lines: 30)
    let keys = ["ann", "bob", "zoe"].map { ConversationKey(jid: "\($0)@example.org") }
    #expect(ui.actions.last(where: { if case .keepPanes = $0 { true } else { false } }) == .keepPanes(keys))
    ui.press("Alt-Q", "Alt-Q")
    #expect(ui.actions.last(where: { if case .keepPanes = $0 { true } else { false } }) == .keepPanes([]))
    let next = Harness(columns: 160, lines: 30, panes: keys + [ConversationKey(jid: "gone@example.org")])
    next.connect(conversations: keys.dropLast().map { Harness.conversation($0.jid) })
    #expect(next.app.screen.panes.areas.map(\.key) == Array(keys.dropLast()))
  }

  @Test("a click gives the keys to the conversation under it, and the wheel scrolls that")
  func mouse() throws {
    let ui = try two()
    let line = try line(ui, with: "bob too")
    let column = line.distance(from: line.startIndex, to: try #require(line.firstRange(of: "bob too")).lowerBound)
    ui.handle(.input(.mouse(MouseEvent(.press(0), at: Frame.Position(column: column, line: 10)))))
    ui.type("clicked")
    ui.press("Enter")
    #expect(ui.take("send")?["to"]?.string == "bob@example.org")
  }

  @Test("a conversation that is open already gets the keys, and is not opened twice")
  func again() throws {
    let ui = try two()
    ui.press("F2")
    ui.type("bob")
    ui.press("Enter")
    #expect(ui.screen[0].components("bob@example.org") == 1)
    ui.type("x")
    ui.press("Enter")
    #expect(ui.take("send")?["to"]?.string == "bob@example.org")
  }
}

extension String {
  fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
