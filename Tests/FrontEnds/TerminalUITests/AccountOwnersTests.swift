import ConfabClient
import JSON
import Testing

@testable import TerminalUI

@Suite("Whose accounts these are")
struct AccountOwnersTests {
  private static let bob = ConversationKey(jid: "bob@example.org")

  private static func account(_ name: String, _ jid: String) -> String {
    #""account":{"name":"\#(name)","jid":"\#(jid)","state":"online"}"#
  }

  /// The daemon's configuration was changed.
  private func change(_ ui: Harness, _ accounts: [String]) {
    ui.line(#"{"event":"connection","account":"home","state":"online"}"#)
    ui.answer(ui.take("status"), accounts)
  }

  private func input(_ ui: Harness, _ key: ConversationKey) -> String { ui.app.composer[key].editor.input.text }

  @Test("an account that belongs to somebody else now takes nothing that was written for the one before")
  func other() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("half")
    change(ui, [Self.account("home", "carl@example.org")])
    #expect(ui.app.screen.focused == nil && !ui.shows("hello") && ui.shows("The accounts were changed"))
    #expect(input(ui, Self.bob) == "" && ui.take("conversations") != nil && ui.take("roster") != nil)
  }

  @Test("a second account leaves the conversation open, under the name of its account")
  func second() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("half")
    change(ui, [Self.account("home", "alice@example.org"), Self.account("work", "carl@example.org")])
    let key = ConversationKey(account: "home", jid: "bob@example.org")
    #expect(ui.app.screen.focused?.key == key && input(ui, key) == "half")
    ui.press("Enter")
    #expect(ui.take("send")?["account"]?.string == "home")
    change(ui, [Self.account("house", "alice@example.org")])
    #expect(ui.app.screen.focused?.key == Self.bob)
  }

  @Test("what was written while the daemon was away goes out for its account alone: the same name, the same owner")
  func away() {
    for (name, jid, sent) in [
      ("home", "alice@example.org", ["late", "later"]), ("home", "carl@example.org", []),
      ("house", "alice@example.org", []),
    ] {
      let ui = Harness.opened()
      ui.answerHistory(Harness.two)
      ui.handle(.disconnected("gone"))
      ui.type("late")
      ui.press("Enter")
      ui.forgetRequests()
      ui.handle(.connected)
      ui.line(#"{"confab":1,"version":"0.1.0","log":"L","last":10,"rights":"full","limits":{"text":60000}}"#)
      ui.type("later")
      ui.press("Enter")
      #expect(ui.take("send") == nil, "before it is known who it would be from")
      ui.answer(ui.take("status"), [Self.account(name, jid)])
      #expect(ui.takeAll("send").compactMap { $0["text"]?.string } == sent, "in order, and once")
      #expect(input(ui, Self.bob) == (sent.isEmpty ? "late\nlater" : ""))
    }
  }

  @Test("where the daemon does not tell whose accounts it has, what was typed goes out all the same")
  func untold() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.handle(.disconnected("gone"))
    ui.type("late")
    ui.press("Enter")
    ui.handle(.connected)
    ui.line(#"{"confab":1,"version":"0.1.0","log":"L","last":10,"rights":"send","limits":{"text":60000}}"#)
    ui.answer(ui.take("status"), final: #""ok":false,"error":"not-allowed","reason":"this socket may not""#)
    #expect(ui.takeAll("send").compactMap { $0["text"]?.string } == ["late"])
  }

  @Test("/status shows every account; of several, a command says which one it concerned")
  func ofAccounts() {
    let ui = Harness.opened()
    change(ui, [Self.account("home", "alice@example.org"), Self.account("work", "carl@example.org")])
    ui.forgetRequests()
    ui.type("/presence away lunch")
    ui.press("Enter")
    let presence = ui.take("presence")
    #expect(presence?["account"]?.string == "home")
    ui.answer(presence)
    #expect(ui.shows("Done: /presence away lunch (account home)."))
    ui.type("/status")
    ui.press("Enter")
    let status = ui.take("status")
    #expect(status != nil && status?["account"] == nil)
  }

  @Test("an address means the account that alone knows it; a new one the account of the open conversation")
  func addresses() {
    let ui = Harness.opened()
    change(ui, [Self.account("home", "alice@example.org"), Self.account("work", "carl@example.org")])
    for (account, jid) in [("work", "zoe@example.org"), ("home", "dan@example.org"), ("work", "dan@example.org")] {
      ui.line(#"{"event":"roster","contact":{"account":"\#(account)","jid":"\#(jid)","subscription":"both"}}"#)
    }
    for (typed, key) in [
      ("zoe@example.org", ConversationKey(account: "work", jid: "zoe@example.org")),
      ("Zoe@EXAMPLE.org/phone", ConversationKey(account: "work", jid: "zoe@example.org")),
      ("dan@example.org", ConversationKey(account: "home", jid: "dan@example.org")),
      ("new@example.org", ConversationKey(account: "home", jid: "new@example.org")),
    ] {
      #expect(ui.app.slash.key(of: typed) == key, "\(typed)")
    }
    #expect(ui.app.slash.key(of: "@@") == nil && ui.app.slash.key(of: "@example.org") == nil)
    ui.app.open(ConversationKey(account: "work", jid: "zoe@example.org"))
    #expect(ui.app.newAccount == "work")
  }
}
