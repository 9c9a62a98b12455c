import JSON
import Testing

@testable import TerminalUI

@Suite("Lists to choose from")
struct PickerTests {
  private func connected() -> Harness {
    let ui = Harness()
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    return ui
  }

  @Test("pages of the help lead to its end, and show every line on the way")
  func pages() {
    let ui = connected()
    ui.press("F1")
    var shown = Set(ui.screen)
    for _ in 0..<30 {
      ui.press("PageDown")
      shown.formUnion(ui.screen)
    }
    let items = ui.app.screen.popups.last?.items ?? []
    #expect(ui.app.screen.popups.last?.chosen?.intent == items.last { $0.intent != nil }?.intent)
    for item in items where !item.detail.isEmpty {
      #expect(shown.contains { $0.contains(item.detail) }, "\(item.detail)")
    }
  }

  @Test("a contact's address is checked where it is asked for, and taken from what was typed among the contacts")
  func address() {
    let ui = connected()
    ui.press("F5")
    ui.type("dave")
    ui.press("Enter")
    ui.type("dave")
    ui.press("Enter")
    #expect(ui.take("add") == nil && ui.shows("“dave” is no address"))
    ui.press("Ctrl-U")
    ui.type("dave@example.org")
    ui.press("Enter")
    #expect(ui.take("add")?["jid"]?.string == "dave@example.org")
    ui.press("Esc", "F5")
    ui.type("erin@example.org")
    ui.press("Enter", "Enter")
    #expect(ui.take("add")?["jid"]?.string == "erin@example.org")
  }
}
