import JSON
import Testing

@testable import TerminalUI

@Suite("Names of people")
struct PersonNameTests {
  private static let yvonne =
    #"{"jid":"yvonne@example.org","name":"Yvonne","groups":[],"subscription":"both","presence":[]}"#

  @Test("a conversation that begins with a message of mine has the name of the contact")
  func firstMessageIsMine() {
    let ui = Harness()
    ui.connect(contacts: [Self.yvonne])
    let message = Harness.message(3, "hi", mine: true).replacing("bob@example.org", with: "yvonne@example.org")
    ui.line(#"{"event":"message","seq":11,"message":\#(message)}"#)
    #expect(ui.shows("Yvonne") && ui.shows("You: hi"))
  }
}
