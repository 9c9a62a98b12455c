import Clocks
import ConfabClient
import JSON
import TerminalUI
import Testing

@Suite("Views")
struct ViewTests {
  /// The lines of a pane, each as item and line, the simple way.
  private func flat(_ heights: [Int]) -> [[Int]] {
    heights.enumerated().flatMap { item, height in (0..<height).map { [item, $0] } }
  }

  @Test("the arithmetic of a pane is that of a flat list of lines")
  func geometry() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let heights = (0..<Int.random(in: 1...12, using: &generator)).map { _ in Int.random(in: 1...7, using: &generator)
      }
      let height = Int.random(in: 1...20, using: &generator)
      let geometry = RowGeometry(count: heights.count, height: height) { heights[$0] }
      let lines = flat(heights)
      var place = geometry.fromEnd()
      var first = max(0, lines.count - height)
      for _ in 0..<12 {
        #expect([place.top, place.line] == lines[first])
        #expect(place.padding == max(0, height - lines.count))
        let shown = lines[first..<min(lines.count, first + height)]
        #expect(place.range == (shown.first?[0] ?? 0)..<((shown.last?[0] ?? 0) + 1))
        let step = Int.random(in: -15...15, using: &generator)
        place = geometry.moved(place, by: step)
        first = min(max(0, first + step), max(0, lines.count - height))
      }
    }
  }

  private func rows(_ unread: [Int]) -> SocketModel {
    var ui = SocketModel(pageSize: 10)
    _ = ui.receive([Array(#"{"confab":1,"log":"L"}"#.utf8)])
    for (place, count) in unread.enumerated() {
      let object = Harness.conversation("c\(place)@example.org", unread: count)
      _ = ui.receive([Array(#"{"conversation":\#(object),"tag":3}"#.utf8)])
    }
    _ = ui.receive([Array(#"{"ok":true,"tag":3}"#.utf8)])
    return ui
  }

  @Test("conversations with news come first, and next-unread goes around")
  func order() {
    let model = rows([0, 3, 0, 1])
    let list = model.conversations
    var (view, settings) = (ListView(), UISettings())
    view.update(model, settings, isFrozen: false)
    #expect(view.order.map(\.key?.jid) == ["c1@example.org", "c3@example.org", "c0@example.org", "c2@example.org"])
    #expect(view.next(list, after: nil)?.jid == "c1@example.org")
    #expect(view.next(list, after: ConversationKey(jid: "c1@example.org"))?.jid == "c3@example.org")
    #expect(view.next(list, after: ConversationKey(jid: "c3@example.org"))?.jid == "c1@example.org")
    settings.order = .recency
    view.update(model, settings, isFrozen: false)
    #expect(view.order.first?.key?.jid == "c0@example.org")
  }

  @Test("while the keys are the list's, no row moves under the cursor")
  func frozen() {
    let ui = Harness()
    ui.connect(conversations: (0..<5).map { Harness.conversation("c\($0)@example.org", name: "C\($0)") })
    ui.line(#"{"event":"roster","contact":{"jid":"new@example.org","name":"New","subscription":"both"}}"#)
    ui.press("Down", "Down")
    let line = ui.screen.firstIndex { $0.contains("▸") && $0.contains("C2") }
    for jid in ["c4@example.org", "new@example.org"] {
      let message = Harness.message(9, "x").replacing("bob@example.org", with: jid)
      ui.line(#"{"event":"message","seq":9,"message":\#(message)}"#)
      #expect(ui.screen.firstIndex { $0.contains("▸") && $0.contains("C2") } == line)
    }
    #expect(ui.shows("1 above"))
    ui.press("Home")
    #expect(ui.app.screen.list.order.first?.key?.jid == "new@example.org")
  }

  @Test("what was put above the first row is shown after a while without a key, unless somebody has scrolled")
  func thawed() {
    for (presses, isShown) in [(0, true), (30, false)] {
      let ui = Harness()
      ui.connect(conversations: (0..<40).map { Harness.conversation("c\($0)@example.org", name: "C\($0)") })
      ui.line(#"{"event":"roster","contact":{"jid":"new@example.org","name":"New","subscription":"both"}}"#)
      ui.press("End")
      ui.press("Home")
      for _ in 0..<presses { ui.press("Down") }
      let message = Harness.message(9, "x").replacing("bob@example.org", with: "new@example.org")
      ui.line(#"{"event":"message","seq":9,"message":\#(message)}"#)
      #expect(!ui.shows("New"))
      #expect(ui.app.deadline.map { $0 <= ui.now.instant.advanced(by: Interval.seconds(10)) } == true)
      ui.wait(.seconds(10))
      #expect(ui.shows("New") == isShown && ui.app.screen.list.chosen?.jid == "c\(presses)@example.org")
    }
  }

  @Test("a person is there by the reports of the terminal, else for a minute after a key")
  func person() {
    var person = Person()
    let now = Instant(milliseconds: 0)
    #expect(!person.isThere(at: now))
    person.pressed(at: now)
    #expect(person.isThere(at: now.advanced(by: .seconds(59))))
    #expect(!person.isThere(at: now.advanced(by: .seconds(61))))
    person.focus(true)
    #expect(person.isThere(at: now.advanced(by: .hours(5))))
    person.focus(false)
    #expect(!person.isThere(at: now))
  }

  @Test(
    "dates are read as people write them",
    arguments: [
      ("2026-11-20", "2026-11-20T00:00:00.000Z"), ("2026-11-20 14:05", "2026-11-20T14:05:00.000Z"),
      ("today", "2026-11-20T00:00:00.000Z"), ("Yesterday 9:30", "2026-11-19T09:30:00.000Z"),
      ("monday", "2026-11-16T00:00:00.000Z"), ("friday", "2026-11-13T00:00:00.000Z"), ("2026-02-30", nil),
      ("soon", nil),
      ("", nil), ("2026-11-20 25:00", nil),
    ] as [(String, String?)])
  func dates(text: String, time: String?) {
    let ui = Harness()
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    ui.answerHistory([])
    ui.press("Alt-J")
    ui.type(text)
    ui.press("Enter")
    #expect(ui.take("history")?["until_time"]?.string == time)
    // A wrong date can be mended.
    #expect(ui.app.screen.popups.last?.query == (time == nil && !text.isEmpty ? text : nil))
  }

  @Test("a few letters find a name, beginnings of words first")
  func fuzzy() {
    #expect(Fuzzy.score("crl", in: "Carol") != nil)
    #expect(Fuzzy.score("lrc", in: "Carol") == nil)
    #expect(Fuzzy.score("bo", in: "Bob Ross") ?? 0 > Fuzzy.score("bo", in: "Albon") ?? 0)
    #expect(Fuzzy.score("", in: "anybody") == 0)
  }

  @Test("pinning moves a row at once, and a while without keys sorts the list")
  func sorting() {
    let ui = Harness()
    ui.connect(
      conversations: [
        Harness.conversation("bob@example.org", name: "Bob"), Harness.conversation("zoe@example.org", name: "Zoe"),
      ])
    func first() -> String? { ui.app.screen.list.order.first?.key?.jid }
    ui.press("Down")
    ui.line(
      #"{"event":"conversation","conversation":\#(Harness.conversation("zoe@example.org", name: "Zoe").dropLast()),"pinned":true}}"#
    )
    #expect(first() == "zoe@example.org")
    ui.line(
      #"{"event":"conversation","conversation":\#(Harness.conversation("zoe@example.org", name: "Zoe"))}"#)
    ui.press("Up")
    let message = { (id: UInt64, jid: String) in
      #"{"event":"message","seq":\#(id),"message":\#(Harness.message(id, "hi", minutes: Int(id), from: jid))}"#
    }
    let order = ui.app.screen.list.order
    ui.line(message(5, "zoe@example.org"))
    ui.line(message(6, "bob@example.org"))
    #expect(ui.app.screen.list.order == order)
  }
}
