import JSON
import Testing

@testable import TerminalUI

@Suite("The tree of contacts")
struct ContactTreeTests {
  private static func contact(_ name: String, _ groups: [String]) -> String {
    let words = groups.map { "\"\($0)\"" }.joined(separator: ",")
    return
      #"{"jid":"\#(name.lowercased())@example.org","name":"\#(name)","groups":[\#(words)],"subscription":"both","presence":[]}"#
  }

  private func opened() -> Harness {
    let ui = Harness()
    ui.connect(
      conversations: [Harness.conversation("bob@example.org", name: "Bob")],
      contacts: [
        Self.contact("Bob", ["Friends", "Work"]), Self.contact("Carol", ["Work"]), Self.contact("Dave", []),
      ])
    ui.press("F5")
    return ui
  }

  private func cursor(_ ui: Harness) -> String? { ui.app.screen.popups.last?.chosen?.title }

  @Test("groups unfold to contacts, contacts to sections, and a section leads to its messages")
  func drillDown() {
    let ui = opened()
    #expect(ui.shows("+ Friends") && ui.shows("+ Work") && ui.shows("  Dave") && !ui.shows("Carol"))
    ui.press("Down", "Right")
    #expect(ui.shows("- Friends") && ui.shows("    Bob"))
    ui.press("Down", "Right")
    #expect(ui.shows("Loading …"))
    ui.answer(
      ui.take("sections"),
      [
        #""section":{"id":3,"start":"2026-11-18T09:00:00.000Z","end":"2026-11-18T09:00:00.000Z","count":1}"#,
        #""section":{"id":7,"start":"2026-11-20T09:30:00.000Z","end":"2026-11-20T09:40:00.000Z","count":12}"#,
      ])
    #expect(ui.shows("Today 9:30") && ui.shows("12 messages") && ui.shows("1 message"))
    ui.press("Down", "Down", "Enter")
    #expect(ui.take("history")?["around"]?.integer == 3)
    #expect(ui.app.screen.popups.isEmpty)
  }

  @Test("Left folds what is at the cursor, then what it belongs to; Enter folds and unfolds a group")
  func folding() {
    let ui = opened()
    ui.press("Down", "Enter", "Down", "Left")
    #expect(ui.shows("+ Friends") && !ui.shows("    Bob") && cursor(ui) == "+ Friends")
    ui.press("Left", "Enter")
    #expect(cursor(ui) == "- Friends")
    ui.press("Enter")
    #expect(cursor(ui) == "+ Friends")
  }

  @Test("a contact of two groups stands in both, and the cursor stays where it is")
  func twoGroups() {
    let ui = opened()
    ui.press("Down", "Enter", "Down", "Down", "Enter", "Down")
    #expect(cursor(ui) == "  Bob")
    ui.line(#"{"event":"presence","jid":"carol@example.org","show":"available","status":""}"#)
    ui.press("Down")
    #expect(cursor(ui) == "Dave", "Carol stands above Bob now, and he is the last one of the group")
  }

  @Test("a presence takes the place of the one before; whom nobody asked, and who has not answered, is said")
  func presences() {
    let ui = Harness()
    ui.connect(contacts: [
      #"{"jid":"bob@example.org","name":"Bob","subscription":"both","presence":[{"resource":"a","show":"available","status":""}]}"#,
      #"{"jid":"eve@example.org","name":"Eve","subscription":"from"}"#,
      #"{"jid":"zoe@example.org","name":"Zoe","subscription":"none","ask":"subscribe"}"#,
    ])
    ui.press("F5")
    #expect(ui.shows("asked, no answer yet") && ui.shows("not asked for presence") && ui.shows("available"))
    ui.line(#"{"event":"presence","jid":"bob@example.org","show":"away","status":"at lunch"}"#)
    #expect(ui.shows("away: at lunch") && !ui.shows("available"))
    ui.line(#"{"event":"presence","jid":"bob@example.org","show":"unavailable","status":""}"#)
    #expect(ui.shows("offline"))
  }

  @Test("letters look through all contacts, folded or not; Left and Right move in them")
  func query() {
    let ui = opened()
    ui.type("crl")
    #expect(ui.shows("Carol") && !ui.shows("Friends"))
    ui.press("Left", "Backspace")
    #expect(ui.app.screen.popups.last?.query == "cl")
  }
}
