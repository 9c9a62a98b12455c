import ConfabClient
import JSON
import Testing

@testable import TerminalUI

/// What got in the way of somebody who saw the screen for the first time.
@Suite("A newcomer")
struct NewcomerTests {
  private static let accounts = [
    #""account":{"name":"home","jid":"alice@example.org","state":"online"}"#,
    #""account":{"name":"work","jid":"alice@work.example","state":"online"}"#,
  ]

  private static let bob = #"{"jid":"bob@example.org","name":"Bob","groups":["Chess"],"subscription":"both"}"#
  private static let carol = #"{"jid":"carol@example.org","name":"Carol","groups":["Work"],"subscription":"both"}"#

  /// The menu of Bob's groups.
  private func groups() -> Harness {
    let ui = Harness()
    ui.connect(contacts: [Self.bob, Self.carol])
    ui.press("F5")
    ui.type("Bob")
    ui.press("Tab", "Down", "Down", "Down", "Down", "Down", "Enter")
    return ui
  }

  @Test("the groups of a contact are a menu: Enter takes out of a group, puts into another one, or asks for a new one")
  func groupMenu() {
    let ui = groups()
    #expect(ui.shows("Groups of Bob") && ui.shows("▸ Chess") && ui.shows("  Work") && ui.shows("A new group …"))
    ui.press("Enter")
    let out = ui.take("remove")
    #expect(out?["group"]?.string == "Chess" && out?["jid"]?.string == "bob@example.org")
    ui.answer(out)
    #expect(ui.shows("Groups of Bob") && ui.shows("Done: take Bob out of the group Chess."))
    ui.press("Down", "Enter")
    let into = ui.take("add")
    #expect(into?["group"]?.string == "Work" && into?["jid"]?.string == "bob@example.org")
  }

  @Test("/group puts the open conversation's contact into a group, and alone shows the groups")
  func groupCommand() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("/group Chess club")
    ui.press("Enter")
    #expect(ui.take("add")?["group"]?.string == "Chess club")
    ui.type("/group")
    ui.press("Enter")
    #expect(ui.shows("Groups of Bob"))
  }

  private func asked(_ more: String) -> Harness {
    let ui = Harness()
    ui.connect(contacts: [#"{"jid":"zoe@example.org","request":true,\#(more)"subscription":"none"}"#])
    ui.press("F5", "Enter")
    return ui
  }

  @Test("who asks to be a contact is accepted and asked back by one choice, unless that was asked before")
  func askingBack() {
    let ui = asked("")
    #expect(ui.shows("▸ Accept and ask back") && ui.shows("Accept only"))
    ui.press("Enter")
    #expect(ui.take("accept")?["jid"]?.string == "zoe@example.org")
    #expect(ui.take("add")?["jid"]?.string == "zoe@example.org")
    #expect(ui.shows("Contacts: type"), "the menu of the contact alone is closed")
    let known = asked(#""ask":"subscribe","#)
    #expect(known.shows("▸ Accept ") && !known.shows("ask back"))
  }

  @Test("of several accounts, /open with a new address asks which; with a known one it opens that one's conversation")
  func openAsks() {
    let ui = Harness()
    ui.connect(
      contacts: [#"{"jid":"bob@example.org","account":"work","subscription":"both"}"#], accounts: Self.accounts)
    ui.type("/open zoe@example.net")
    ui.press("Enter")
    #expect(ui.shows("from home") && ui.shows("from work") && ui.take("history") == nil)
    ui.press("Esc")
    ui.type("/open bob@example.org")
    ui.press("Enter")
    #expect(ui.take("history")?["account"]?.string == "work")
  }

  @Test("of several accounts, adding a contact asks which, by the menu and by /add; one that knows the address has it")
  func addAsks() {
    let ui = Harness()
    ui.connect(
      contacts: [#"{"jid":"bob@example.org","account":"work","subscription":"none"}"#], accounts: Self.accounts)
    ui.press("F5", "Enter")
    ui.type("zoe@example.net Zoe")
    ui.press("Enter")
    #expect(ui.take("add") == nil && ui.shows("▸ home") && ui.shows("alice@work.example"))
    ui.press("Down", "Enter")
    let byMenu = ui.take("add")
    #expect(byMenu?["account"]?.string == "work" && byMenu?["name"]?.string == "Zoe")
    ui.press("Esc")
    ui.type("/add group=Chess yan@example.net")
    ui.press("Enter")
    #expect(ui.take("add") == nil && ui.shows("▸ home"))
    ui.press("Enter")
    let typed = ui.take("add")
    #expect(typed?["account"]?.string == "home" && typed?["group"]?.string == "Chess")
    ui.type("/add bob@example.org Bob the  builder")
    ui.press("Enter")
    let named = ui.take("add")
    #expect(named?["account"]?.string == "work" && named?["name"]?.string == "Bob the builder")
  }

  @Test("who asks for what I asked for before is accepted at once, also if that waited; anybody else is not")
  func awaited() {
    let ui = Harness()
    ui.connect(contacts: [
      #"{"jid":"bob@example.org","name":"Bob","request":true,"ask":"subscribe","subscription":"none"}"#,
      #"{"jid":"eve@example.org","request":true,"subscription":"none"}"#,
    ])
    #expect(ui.takeAll("accept").map { $0["jid"]?.string } == ["bob@example.org"])
    #expect(ui.shows("Bob asked for the same"))
    ui.line(
      #"{"event":"roster","contact":{"jid":"zoe@example.org","request":true,"subscription":"to"}}"#)
    ui.line(#"{"event":"roster","contact":{"jid":"mallory@example.org","request":true,"subscription":"none"}}"#)
    #expect(ui.takeAll("accept").map { $0["jid"]?.string } == ["zoe@example.org"])
  }

  @Test("an address on the command line asks for the account, too")
  func wantedAsks() {
    let ui = Harness(who: "zoe@example.net")
    ui.connect(accounts: Self.accounts)
    #expect(ui.shows("from home") && ui.shows("from work"))
  }

  @Test("pop-ups about a person have its name, and that of a contact its address, too")
  func names() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.press("F3")
    #expect(ui.shows("Search in Bob ") && !ui.shows("Search in bob@"))
    ui.press("Esc", "F8")
    #expect(ui.shows("Notices of Bob "))
    let menu = groups()
    menu.press("Esc")
    #expect(menu.shows("Bob  bob@example.org"))
  }

  @Test(
    "a file without a name is called by the end of its address",
    arguments: [
      ("https://example.org/x/cat.jpg", "cat.jpg"), ("https://example.org/cat.jpg?a=/b#c", "cat.jpg"),
      ("https://example.org/", "unnamed file"), ("https://example.org", "unnamed file"), ("", "unnamed file"),
      ("aesgcm://example.org/..", ".."),
    ])
  func fileName(url: String, title: String) {
    let file = ShownAttachment(.object([JSONMember("url", .string(url))]))
    #expect(file.title == title && !file.fileName.hasPrefix("."))
  }

  @Test("the heading of the list names the key that shows what is archived")
  func archiveKey() {
    let row = Harness.conversation("bob@example.org", name: "Bob").replacing(
      #""kind""#, with: #""archived":true,"kind""#)
    let ui = Harness()
    ui.connect(conversations: [row, Harness.conversation("carol@example.org", name: "Carol")])
    #expect(ui.shows("1 archived (C-x v shows)"))
    ui.press("C-x v")
    #expect(ui.shows("1 archived, shown"))
  }

  @Test("while the daemon runs, the first steps have no start of it")
  func firstSteps() {
    let ui = Harness()
    ui.connect()
    ui.press("F6", "Down", "Down", "Down", "Enter")
    #expect(ui.shows("Set up an account") && ui.shows("confab doctor") && !ui.shows("Start the daemon"))
  }

  @Test("the hints of a selected message with a file name the key that opens it")
  func fileHint() {
    let picture = #""attachments":[{"url":"https://x/y/cat.gif","type":"image/gif","size":900}]"#
    let ui = Harness.opened()
    ui.answerHistory([
      Harness.message(1, "look", opens: true).replacing(#""opens_section""#, with: picture + #","opens_section""#),
      Harness.message(2, "well?", minutes: 5),
    ])
    ui.press("Alt-Up")
    #expect(!ui.shows("Enter file"))
    ui.press("Alt-Up")
    #expect(ui.shows("Enter file") && ui.shows("cat.gif"))
  }

  @Test("in the conversation of a stranger the input names /add and /block, and of somebody blocked /unblock")
  func strangers() {
    let stranger = Harness.conversation("eve@example.net").replacing(#""kind""#, with: #""known":false,"kind""#)
    let ui = Harness(who: "eve@example.net")
    ui.connect()
    ui.line(#"{"event":"conversation","seq":30,"conversation":\#(stranger)}"#)
    #expect(ui.shows("Write to eve@example.net, Enter sends, /add makes a contact, /block blocks"))
    ui.line(#"{"event":"roster","contact":{"jid":"eve@example.net","subscription":"none"}}"#)
    #expect(ui.shows("/ for commands"))
    ui.line(#"{"event":"presence","jid":"eve@example.net","blocked":true}"#)
    #expect(ui.shows("eve@example.net is blocked, /unblock takes that back"))
  }

  @Test("muted until a time of the next day is said as tomorrow")
  func tomorrow() {
    let row = Harness.conversation("bob@example.org", name: "Bob").replacing(
      #""kind""#, with: #""notify":"never","notify_until":"2026-11-21T08:00:00.000Z","kind""#)
    let ui = Harness()
    ui.connect(conversations: [row])
    ui.press("Enter")
    #expect(ui.shows("muted until tomorrow 8:00 (F8 unmutes)"))
  }

  @Test("what is not stored yet has a gap above it")
  func unstored() throws {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.handle(.disconnected("no such file"))
    ui.type("later")
    ui.press("Enter")
    let line = try #require(ui.screen.firstIndex { $0.contains("later  not stored yet") })
    #expect(ui.screen[line - 1].isEmpty)
  }
}
