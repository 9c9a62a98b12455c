import Clocks
import ConfabClient
import HelperProtocol
import JSON
import Screen
import Testing

@testable import TerminalUI

/// What somebody new tries in the first hours, and finds done on the screen.
@Suite("The first hours")
struct FirstHoursTests {
  private func opened(_ rows: [String] = Harness.two) -> Harness {
    let ui = Harness.opened()
    ui.answerHistory(rows)
    return ui
  }

  @Test("muting, unmuting and pinning are confirmed at 80 columns, where the list is not shown")
  func feedback() {
    let ui = opened()
    ui.press("F8", "Enter")
    ui.answer(ui.take("notify"))
    #expect(ui.shows("Done: mute bob@example.org for an hour."))
    ui.press("F7")
    ui.answer(ui.take("pin"))
    #expect(ui.shows("Done: pin bob@example.org."))
  }

  @Test("/pin and /archive without words act on the open conversation, and take that back; with a name on another one")
  func bareCommands() {
    for verb in ["pin", "archive"] {
      let ui = opened()
      func run(_ command: String) -> JSONValue? {
        ui.type(command)
        ui.press("Enter")
        return ui.take(verb)
      }
      let request = run("/" + verb)
      #expect(request?["jid"]?.string == "bob@example.org" && request?["value"]?.string == "yes")
      ui.answer(request)
      #expect(ui.shows("Done: \(verb) bob@example.org."))
      let member = verb == "pin" ? "pinned" : "archived"
      ui.line(
        #"{"event":"conversation","seq":30,"conversation":{"jid":"bob@example.org","kind":"chat","\#(member)":true}}"#)
      #expect(run("/" + verb)?["value"]?.string == "no")
      let other = run("/\(verb) zoe@example.org")
      #expect(other?["jid"]?.string == "zoe@example.org" && other?["value"]?.string == "yes")
      #expect(run("/\(verb) no")?["value"]?.string == "no")
    }
  }

  @Test("a list of which everything is archived says so, and how to see it")
  func allArchived() {
    let row = Harness.conversation("bob@example.org", name: "Bob").replacing(
      #""kind""#, with: #""archived":true,"kind""#)
    let ui = Harness()
    ui.connect(conversations: [row])
    #expect(ui.shows("All conversations are archived.") && !ui.shows("No conversation yet"))
  }

  @Test("/status counts each message once: as waiting, as kept back, or as not confirmed")
  func counts() {
    let ui = opened()
    ui.type("/status")
    ui.press("Enter")
    let account =
      #""account":{"name":"home","jid":"alice@example.org","state":"online","queued":6,"held":1,"unacked":2}"#
    ui.answer(ui.take("status"), [account])
    #expect(ui.shows("3 waiting to be sent, 1 kept back, 2 not"))
  }

  @Test("bubbles of one sender have a line between them")
  func gaps() {
    let long = "a text that needs more columns than a short one"
    let ui = opened([
      Harness.message(1, "one", minutes: 0, opens: true), Harness.message(2, "two", minutes: 1),
      Harness.message(3, long, minutes: 2), Harness.message(4, "later", minutes: 9),
    ])
    let lines = ["one", "two", long, "later"].compactMap { text in ui.screen.firstIndex { $0.contains("\(text) ") } }
    #expect(lines.count == 4)
    #expect(zip(lines, lines.dropFirst()).map { $1 - $0 } == [2, 2, 2])
  }

  private static let picture = #""attachments":[{"url":"https://x/y","name":"cat.gif","type":"image/gif","size":900}]"#

  /// A message with a picture.
  private func pictured(mine: Bool) -> Harness {
    let ui = Harness(capabilities: Capabilities(depth: .trueColour))
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    ui.answerHistory([
      Harness.message(1, "look", mine: mine, opens: true)
        .replacing(#""opens_section""#, with: Self.picture + #","opens_section""#)
    ])
    return ui
  }

  @Test("a picture that I sent is drawn without a key, from what the daemon has; no server is asked, nor again")
  func ownPicture() throws {
    let ui = pictured(mine: true)
    let request = ui.take("fetch")
    #expect(request?["fetch"]?.string == "no" && request?["id"]?.integer == 1)
    ui.answer(request, final: #""ok":true,"type":"image/gif","size":900"#)
    guard case .draw(let file, let drawing, let key)? = ui.actions.last else {
      Issue.record("nothing is drawn: \(ui.actions)")
      return
    }
    let cell = DrawnCell("▀", foreground: 0xFF0000, background: 0x0000FF)
    ui.handle(
      .drawn(Drawing(columns: 4, rows: 3, content: .cells(Array(repeating: cell, count: 12))), file, drawing, key))
    #expect(ui.screen.count { $0.contains("▀▀▀▀") } == 3)
    #expect(ui.take("fetch") == nil && ui.takeAll("fetch").isEmpty)
  }

  @Test("a message of files alone cannot be corrected into a text without them")
  func fileAlone() {
    let ui = opened([
      Harness.message(1, "", mine: true, opens: true)
        .replacing(#""opens_section""#, with: Self.picture + #","opens_section""#)
    ])
    ui.press("Up")
    #expect(ui.shows("This message cannot be corrected.") && !ui.shows("Correcting"))
  }

  @Test("a picture of mine that is not here any more is a box, without a word; one of others is not asked for")
  func missingPicture() {
    let ui = pictured(mine: true)
    ui.answer(ui.take("fetch"), final: #""ok":false,"error":"not-found","reason":"the file is not here""#)
    #expect(ui.shows("cat.gif") && !ui.screen.contains { $0.contains("not here") || $0.contains("Not fetched") })
    #expect(ui.take("fetch") == nil)
    #expect(pictured(mine: false).take("fetch") == nil)
  }

  @Test("a search begins while it is typed, once the letters pause, and its hits are titled by names")
  func search() {
    let ui = opened()
    ui.press("F3", "Tab")
    ui.type("ca")
    #expect(ui.take("search") == nil)
    ui.wait(.milliseconds(200))
    ui.type("ke")
    ui.wait(.milliseconds(200))
    #expect(ui.take("search") == nil)
    ui.wait(.milliseconds(200))
    let request = ui.take("search")
    #expect(request?["text"]?.string == "cake" && ui.take("search") == nil)
    ui.answer(
      request, [#""message":\#(Harness.message(7, "the cake", minutes: -9, nick: "bobby"))"#],
      final: #""ok":true,"more_before":false"#)
    #expect(ui.shows("the cake") && ui.screen.contains { $0.contains("the cake") && $0.contains("Bob,") })
    ui.press("Enter")
    #expect(ui.take("search") == nil && ui.take("history")?["around"]?.integer == 7)
  }

  @Test("the menu of a contact has profile, groups, mute and block")
  func contactMenu() {
    let ui = Harness()
    ui.connect(contacts: [#"{"jid":"bob@example.org","name":"Bob","groups":["Chess"],"subscription":"both"}"#])
    ui.press("F5")
    ui.type("Bob")
    ui.press("Tab")
    for words in ["Profile", "Groups …", "Chess", "Mute …", "Block"] { #expect(ui.shows(words), "\(words)") }
    ui.press("Down", "Down", "Down", "Down", "Down")
    #expect(ui.shows("▸ Groups …"))
    ui.press("Enter", "Down", "Enter")
    ui.type("Friends")
    ui.press("Enter")
    let request = ui.take("add")
    #expect(request?["group"]?.string == "Friends" && request?["jid"]?.string == "bob@example.org")
  }

  @Test("Alt-B, Alt-F, Alt-Left and Alt-Right move by words in the input")
  func wordKeys() {
    let ui = opened()
    ui.type("one two")
    ui.press("Alt-B", "Alt-Left")
    ui.type("A")
    ui.press("Alt-F", "Alt-Right")
    ui.type("Z")
    #expect(ui.app.composer[ConversationKey(jid: "bob@example.org")].editor.input.text == "Aone twoZ")
  }

  @Test("with keys = bash, Ctrl-R finds what was sent before, and C-x C-r replies")
  func bashKeys() throws {
    let (settings, errors) = UISettingsReader.read(Array("[ui]\nkeys = bash\n".utf8), file: "tui.conf")
    #expect(errors.isEmpty)
    let ui = Harness(settings: settings)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    ui.answerHistory(Harness.two)
    for text in ["make the tea", "see you"] {
      ui.type(text)
      ui.press("Enter")
    }
    ui.press("Ctrl-R")
    #expect(ui.shows("Sent before") && ui.shows("▸ see you") && ui.shows("hello"))
    ui.type("TEA")
    #expect(ui.shows("▸ make the tea") && !ui.shows("▸ see you"))
    ui.press("Enter")
    #expect(ui.app.composer[ConversationKey(jid: "bob@example.org")].editor.input.text == "make the tea")
    ui.press("C-x C-r")
    #expect(ui.app.composer[ConversationKey(jid: "bob@example.org")].purpose != nil)
  }

  @Test("of several accounts, a new conversation is offered from each")
  func accounts() {
    let ui = Harness()
    ui.connect(accounts: [
      #""account":{"name":"home","jid":"alice@example.org","state":"online"}"#,
      #""account":{"name":"work","jid":"alice@work.example","state":"online"}"#,
    ])
    ui.press("F2")
    ui.type("zoe@example.net")
    #expect(ui.shows("from home") && ui.shows("from work"))
    ui.press("Down", "Enter")
    #expect(ui.take("history")?["account"]?.string == "work")
  }

  @Test(
    "a word that is near a command is answered with that one",
    arguments: [
      ("chat", "open"), ("afk", "presence away"), ("info", "profile"), ("clear", "last-message"),
      ("friends", "contacts"),
      ("serach", "search"), ("mtue", "mute"), ("statsu", "status"),
    ])
  func suggestions(typed: String, meant: String) {
    let ui = opened()
    ui.type("/\(typed)")
    ui.press("Enter")
    #expect(ui.shows("There is no command /\(typed). Did you mean /\(meant)?"))
  }

  @Test("a word that is near nothing gets no suggestion")
  func noSuggestion() {
    #expect(NearCommand.meant(by: "xyzzy") == nil && NearCommand.meant(by: "qu") == nil)
  }

  @Test(
    "without a word of the terminal about its ground there are colours: areas of the dark scheme, plain letters elsewhere"
  )
  func unknownGround() {
    let scheme = ColourScheme(for: Capabilities(depth: .palette))
    let dark = ColourScheme(.dark, isPalette: true)
    for part in [ColourPart.mine, .theirs, .status, .popUp, .selected] { #expect(scheme[part] == dark[part]) }
    for part in [ColourPart.text, .faint, .time, .unread] { #expect(scheme[part] == ColourScheme(.plain)[part]) }
    #expect(scheme.style(.time, on: .mine) == dark.style(.time, on: .mine))
    #expect(scheme.style(.time, on: .text) == ColourScheme(.plain).style(.time, on: .text))
  }

  @Test("notice-command is a program below the home, with arguments")
  func noticeCommand() {
    #expect(
      TypedPath.command("~/bin/tell --kind 'new message'", home: "/home/a") == [
        "/home/a/bin/tell", "--kind", "new message",
      ])
    let (_, errors) = UISettingsReader.read(Array("[ui]\nnotice-command = tell 'x\n".utf8), file: "tui.conf")
    #expect(errors.count == 1)
    var settings = UISettings()
    settings.notices.command = "~/bin/tell -x"
    let ui = Harness(settings: settings, home: "/home/a")
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.line(#"{"event":"message","seq":11,"notice":true,"message":\#(Harness.message(5, "hello"))}"#)
    ui.wait(.seconds(6))
    #expect(ui.actions.contains(.run(["/home/a/bin/tell", "-x", "Bob", "hello"])), "\(ui.actions)")
  }

  @Test("a name on the command line opens its conversation; of several people of that name it asks which")
  func named() {
    let bob = #"{"jid":"bob@example.org","name":"Bob","subscription":"both"}"#
    let one = Harness(who: "bob")
    one.connect(contacts: [bob])
    #expect(one.take("history")?["conversation"]?.string == "bob@example.org" || one.shows("Write to Bob"))
    let two = Harness(who: "Bob")
    two.connect(contacts: [bob, #"{"jid":"bob@work.example","name":"Bob","subscription":"both"}"#])
    #expect(two.shows("Open a conversation") && two.shows("bob@work.example"))
    let none = Harness(who: "staus")
    none.connect(contacts: [bob])
    #expect(none.shows("No contact is called staus."))
    let address = Harness(who: "zoe@example.net")
    address.connect()
    #expect(address.shows("Write to zoe@example.net"))
  }

  @Test(
    "the first screen without a daemon names socket and configuration of this user, each on one line",
    arguments: [80, 120])
  func paths(columns: Int) {
    let ui = Harness(
      columns: columns, socket: "/run/user/1000/confab/socket", configuration: "~/.config/confab/confab.conf")
    ui.handle(.disconnected("no such file"))
    #expect(ui.shows("/run/user/1000/confab/socket") && ui.shows("~/.config/confab/confab.conf"))
  }
}
