import JSON
import Screen
import TerminalUI
import Testing

@Suite("The Linux console")
struct ConsoleTests {
  @Test("gets marks that its fonts have, and emoji by name")
  func letters() {
    let capabilities = Capabilities(variable: { ["TERM": "linux", "LANG": "C.UTF-8"][$0] }, colours: 8)
    let ui = Harness(capabilities: capabilities)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob", count: 2)])
    ui.press("Enter")
    ui.answerHistory([
      Harness.message(1, "good 🌹 morning", opens: true), Harness.message(2, "hello", mine: true, state: "delivered"),
    ])
    #expect(ui.shows("good :rose: morning") && ui.shows(" vv│") && ui.shows("── Today"))
    #expect(!ui.screen.joined().contains { "🌹✓▸●◐○›".contains($0) })
  }
}
