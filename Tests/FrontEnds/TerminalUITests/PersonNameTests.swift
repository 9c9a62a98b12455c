import ConfabClient
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

  @Test("a conversation that is opened by its address has the name of the contact")
  func openedByAddress() {
    let ui = Harness()
    ui.connect(contacts: [Self.yvonne])
    ui.app.model.open(ConversationKey(jid: "yvonne@example.org"))
    #expect(ui.app.model.conversations[ConversationKey(jid: "yvonne@example.org")]?.name == "Yvonne")
  }

  @Test(
    "a name of which nothing can be seen is none",
    arguments: ["   ", "\u{200B}\u{200B}", "\u{A0}", "\u{3164}", "\u{2800}", "\u{FE0F}", "\u{E0001}", "\n", "\u{202E}"])
  func blank(name: String) {
    let object = JSONValue.object([
      JSONMember("jid", .string("bob@example.org")), JSONMember("name", .string(name)),
      JSONMember("nick", .string(name)), JSONMember("id", .integer(1)), JSONMember("from", .string("bob@example.org")),
      JSONMember("time", .string("2026-11-20T10:00:00.000Z")),
    ])
    #expect(ContactRow(object)?.name == "")
    #expect(ConversationRow(object)?.title == "bob@example.org")
    #expect(MessageRow(object)?.author == "bob@example.org")
  }

  @Test("names of every script are names", arguments: ["B", " Bob ", "שרה", "कि", "🇩🇪", "猫", "e\u{301}", "."])
  func seen(name: String) { #expect(JSONValue.string(name).personName == name) }

  @Test("of several accounts, each hit of a search names the one that it belongs to")
  func accountOfHit() {
    let ui = Harness(columns: 100)
    ui.connect()
    ui.app.model.refreshAccounts()
    ui.handle(.deadline)
    let accounts = ["home", "work"].map {
      #""account":{"name":"\#($0)","jid":"\#($0)@example.org","state":"online"}"#
    }
    ui.answer(ui.take("status"), accounts)
    ui.press("F3")
    ui.type("needle")
    ui.press("Enter")
    let hits = zip(["home", "work"], [1, 2]).map { account, id in
      #""message":"#
        + Harness.message(id, "needle", nick: "Bob")
        .replacing(#""conversation""#, with: #""account":"\#(account)","conversation""#)
    }
    ui.answer(ui.take("search"), hits)
    #expect(ui.shows("Bob, home, ") && ui.shows("Bob, work, "))
  }
}
