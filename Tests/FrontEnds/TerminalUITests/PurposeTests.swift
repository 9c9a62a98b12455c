import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

@Suite("Writing about a message that changes meanwhile")
struct PurposeTests {
  private static let key = ConversationKey(jid: "bob@example.org")
  private static let notice = "That message was retracted; what you write is a message of its own now."
  private static let edited = #""edited":"2026-11-20T10:00:00.000Z""#
  private static let retracted = #""retracted":{"by":"x@example.org"}"#
  private let ui: Harness

  init() {
    ui = Harness.opened()
    ui.answerHistory([Self.his("how are you?"), Self.mine("fien")])
    ui.forgetRequests()
  }

  private static func his(_ text: String, _ members: String = #""x":1"#) -> String {
    with(members, Harness.message(2, text, minutes: -5))
  }

  private static func mine(_ text: String, _ members: String = #""x":1"#) -> String {
    with(members, Harness.message(3, text, mine: true, minutes: -4))
  }

  private static func with(_ members: String, _ row: String) -> String {
    row.replacing(#""opens_section""#, with: members + #","opens_section""#)
  }

  private func event(_ name: String, _ row: String) {
    ui.line(#"{"event":"\#(name)","seq":20,"conversation":"bob@example.org","id":1,"message":\#(row)}"#)
  }

  private var input: String { ui.app.composer[Self.key].editor.input.text }
  private var purpose: WritingPurpose? { ui.app.composer[Self.key].purpose }

  @Test("an answer to a message that is retracted goes out as a message of its own")
  func retractedAnswer() {
    ui.press("Ctrl-R")
    ui.type("well")
    event("retract", Self.his("", Self.retracted))
    #expect(ui.shows(Self.notice) && !ui.shows("Answering") && !ui.shows("how are you?"))
    #expect(input == "well")
    ui.press("Enter")
    let request = ui.take("send")
    #expect(request?["text"]?.string == "well" && request?["reply"] == nil)
  }

  @Test("an answer shows the text of an edited message")
  func editedAnswer() {
    ui.press("Ctrl-R")
    ui.type("well")
    event("edit", Self.his("who are you?", Self.edited))
    #expect(ui.shows("Answering Bob; Esc gives it up: who are you?") && !ui.shows(Self.notice))
    ui.press("Enter")
    #expect(ui.take("send")?["reply"]?.integer == 2)
  }

  @Test("a correction of a message that is retracted leaves what was typed")
  func retractedCorrection() {
    ui.press("Up")
    ui.type("!")
    event("retract", Self.mine("", Self.retracted))
    #expect(ui.shows(Self.notice) && !ui.shows("Correcting") && input == "fien!")
    ui.press("Enter")
    #expect(ui.take("send")?["replace"] == nil)
  }

  @Test("a correction in which nothing was typed follows the message")
  func untouched() {
    ui.press("Up")
    event("edit", Self.mine("/fine", Self.edited))
    #expect(ui.shows("Correcting; Esc gives it up: /fine") && input == "//fine")
    ui.press("Enter")
    #expect(ui.take("send") == nil && purpose == nil)
    ui.press("Up")
    event("retract", Self.mine("", Self.retracted))
    #expect(input == "" && purpose == nil)
  }

  @Test("a correction keeps what was typed when the message is edited elsewhere, and the cursor at a reaction")
  func editedCorrection() {
    ui.press("Up", "Left")
    event("reaction", Self.mine("fien", #""reactions":[{"emoji":"👍","from":["x"],"mine":false}]"#))
    ui.type("?")
    #expect(input == "fie?n")
    event("edit", Self.mine("fine", Self.edited))
    #expect(ui.shows("Correcting; Esc gives it up: fine") && input == "fie?n")
  }

  @Test("other messages do not matter")
  func others() {
    ui.press("Ctrl-R")
    event("retract", Self.mine("", Self.retracted))
    #expect(ui.shows("Answering Bob; Esc gives it up: how are you?") && !ui.shows(Self.notice))
  }

  @Test("a retraction that came while the daemon was gone is seen in the rows that come after")
  func afterCut() {
    ui.press("Ctrl-R")
    ui.handle(.disconnected("gone"))
    ui.connect()
    ui.answerHistory([Self.his("", Self.retracted), Self.mine("fien")])
    #expect(purpose == nil && ui.shows(Self.notice))
  }

  @Test("a correction that is refused because the message was retracted comes back as a text")
  func refused() {
    ui.press("Up")
    ui.type("!")
    ui.press("Enter")
    event("retract", Self.mine("", Self.retracted))
    ui.answer(ui.take("send"), final: #""ok":false,"error":"conflict","reason":"it was retracted""#)
    #expect(input == "fien!" && purpose == nil && ui.shows("Not sent: it was retracted"))
  }

  @Test("a message is readable again when the server refused to retract it, and as before when it refused a correction")
  func takenBack() {
    let answer = Harness.message(4, "yes", minutes: -1)
    let quoting = Self.with(#""reply_to":{"id":3,"from":"alice@example.org","text":"fien"}"#, answer)
    ui.line(#"{"event":"message","seq":19,"message":\#(quoting)}"#)
    event("retract", Self.mine("", Self.retracted))
    #expect(ui.shows("retracted this message.") && !ui.shows("fien"))
    event("edit", Self.mine("fien"))
    #expect(!ui.shows("retracted this message.") && ui.shows("┆ me: fien"))
    #expect(ui.screen.count { $0.contains("fien") } == 2)
    event("edit", Self.mine("fine", Self.edited))
    #expect(ui.shows("edited"))
    event("edit", Self.mine("fien"))
    #expect(!ui.shows("edited") && !ui.shows("fine"))
    ui.press("Alt-Up", "Alt-Up", "Up")
    #expect(input == "fien", "it can be corrected again")
  }
}
