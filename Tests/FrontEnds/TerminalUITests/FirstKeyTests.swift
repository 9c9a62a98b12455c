import JSON
import TerminalUI
import Testing

@Suite("The first key")
struct FirstKeyTests {
  @Test("Enter before the list is here opens nothing, and no first steps")
  func early() {
    let ui = Harness()
    ui.press("Enter")
    #expect(!ui.shows("First steps"))
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    #expect(ui.take("history")?["jid"]?.string == "bob@example.org")
  }

  @Test("Enter shows the first steps without a daemon, and the contacts without a conversation")
  func empty() {
    let none = Harness()
    none.handle(.disconnected("no such file"))
    none.press("Enter")
    #expect(none.shows("First steps"))
    let empty = Harness()
    empty.connect()
    empty.press("Enter")
    #expect(empty.shows("Add a contact"))
  }

  @Test(
    "all of the first sentences are on the screen, however narrow the list is",
    arguments: [(40, 12), (80, 24), (120, 30)])
  func sentences(columns: Int, lines: Int) {
    let ui = Harness(columns: columns, lines: lines)
    ui.handle(.disconnected("no such file"))
    let shown = ui.screen.map { $0.replacing("│", with: " ") }
    let text = shown.joined(separator: " ").split(separator: " ").joined(separator: " ")
    for sentence in ["find out what is wrong. In a shell: `confab setup`", "This screen goes on by itself."] {
      #expect(text.contains(sentence))
    }
  }
}
