import JSON
import TerminalUI
import Testing

@Suite("Messages that the daemon has forgotten")
struct ForgettingTests {
  private static let resection = #"{"event":"resection","conversation":"bob@example.org"}"#

  private func listed() -> Harness {
    let ui = Harness(columns: 120)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob", unread: 1, count: 2, read: 1)])
    ui.line(#"{"event":"message","seq":11,"message":\#(Harness.message(11, "the secret"))}"#)
    ui.forgetRequests()
    return ui
  }

  @Test("the list shows no message that is gone, and no unread ones")
  func list() {
    let ui = listed()
    #expect(ui.shows("the secret"))
    ui.line(Self.resection)
    ui.line(Self.resection)
    #expect(ui.takeAll("unread").count == 1)
    let asked = ui.takeAll("history")
    #expect(asked.count == 1 && asked[0]["limit"]?.integer == 1)
    ui.answer(asked[0], final: #""ok":true,"count":0"#)
    #expect(!ui.shows("the secret") && !ui.shows("unread"))
  }

  @Test("of what is left the newest message is shown; sections that moved ask for nothing more")
  func rest() {
    let ui = listed()
    ui.line(#"{"event":"resection","conversation":"bob@example.org","from":1,"to":11}"#)
    #expect(ui.take("history") == nil)
    ui.line(Self.resection)
    ui.answer(ui.take("unread"), final: #""ok":true,"unread":0,"mentions":0"#)
    ui.answer(
      ui.take("history"), [#""message":\#(Harness.message(10, "what is left"))"#], final: #""ok":true,"count":1"#)
    #expect(ui.shows("what is left") && !ui.shows("the secret") && !ui.shows("unread"))
  }

  @Test("a conversation of which the message that was read last is forgotten opens at the newest ones")
  func opening() {
    let ui = listed()
    ui.press("Enter")
    let around = ui.take("history")
    #expect(around?["around"]?.integer == 1)
    ui.answer(around, final: #""ok":false,"error":"not-found","reason":"message 1 is not there","argument":"around""#)
    let newest = ui.take("history")
    #expect(newest?["around"] == nil)
    ui.answer(
      newest, [#""message":\#(Harness.message(12, "hello again"))"#],
      final: #""ok":true,"count":1,"first_row":0,"more_before":false,"more_after":false"#)
    #expect(ui.shows("│hello again") && !ui.shows("No messages yet"))
  }

  // MARK: What the screen is about

  private static let gone = #""ok":false,"error":"not-found","reason":"it is not there""#

  private func opened(mine: Bool = false, _ members: String = #""x":1"#) -> Harness {
    let ui = Harness.opened()
    let secret = Harness.message(2, "the secret https://secret.example/", mine: mine)
      .replacing(#""opens_section""#, with: members + #","opens_section""#)
    ui.answerHistory([Harness.message(1, "hello", opens: true), secret])
    ui.forgetRequests()
    return ui
  }

  /// The daemon forgets, or moves sections, and answers what is asked about messages then.
  private func forget(_ ui: Harness, final: String = Self.gone, _ data: [String] = []) {
    ui.line(Self.resection)
    for request in ui.takeAll("history") {
      let isAboutOne = request["around"] != nil && request["limit"]?.integer == 1
      ui.answer(request, isAboutOne ? data : [], final: isAboutOne ? final : Self.noRows)
    }
  }

  private static let noRows = #""ok":true,"count":0,"first_row":0,"more_before":false,"more_after":false"#

  @Test("an answer to a message that is gone becomes a message of its own")
  func answer() {
    let ui = opened()
    ui.press("Ctrl-R")
    ui.type("well")
    forget(ui)
    #expect(ui.shows("That message was forgotten; what you write is a message of its own now."))
    #expect(!ui.shows("Answering") && !ui.shows("secret") && ui.shows("› well"))
    ui.press("Enter")
    let request = ui.take("send")
    #expect(request?["text"]?.string == "well" && request?["reply"] == nil)
  }

  @Test("an untouched correction of a message that is gone goes with it")
  func correction() {
    let ui = opened(mine: true)
    ui.press("Up")
    #expect(ui.shows("Correcting"))
    forget(ui)
    #expect(!ui.shows("Correcting") && !ui.shows("secret"))
  }

  @Test("pop-ups about a message that is gone close", arguments: ["Alt-L", "Alt-+", "Alt-Shift-F", "Alt-Shift-V"])
  func popUps(key: String) {
    let ui = opened(#""edited":"2026-11-20T09:00:00.000Z""#)
    ui.press("Alt-Up", key)
    ui.answer(ui.take("versions"), [#""version":{"text":"an older secret","time":"2026-11-20T09:00:00.000Z"}"#])
    #expect(!ui.app.screen.popups.isEmpty)
    forget(ui)
    #expect(!ui.shows("secret") && ui.app.screen.popups.isEmpty)
  }

  @Test("a number of the copy view does not lead to the link of a message that is gone")
  func copyView() {
    let ui = opened()
    ui.press("Alt-Y")
    #expect(ui.shows("https://secret.example/ [1]"))
    forget(ui)
    ui.type("1")
    #expect(!ui.shows("secret") && ui.shows("No link has the number 1."))
  }

  @Test("a message that is still there after sections moved is asked about once, and all about it stays")
  func stillThere() {
    let ui = opened()
    ui.press("Ctrl-R")
    ui.line(Self.resection)
    ui.line(Self.resection)
    let asked = ui.takeAll("history").filter { $0["around"]?.integer == 2 && $0["limit"]?.integer == 1 }
    #expect(asked.count == 1)
    ui.answer(asked.first, [#""message":\#(Harness.message(2, "as it is"))"#])
    #expect(ui.shows("Answering Bob; Esc gives it up: as it is"))
  }

  @Test("a message that was forgotten while the daemon was gone goes as well")
  func afterCut() {
    let ui = opened()
    ui.press("Ctrl-R")
    ui.handle(.disconnected("gone"))
    ui.connect()
    for request in ui.takeAll("history") { ui.answer(request, final: Self.gone) }
    #expect(!ui.shows("Answering") && !ui.shows("secret"))
  }

  // MARK: Searches

  private static let hit = #""message":\#(Harness.message(2, "the secret"))"#

  private func search(_ ui: Harness) {
    ui.press("F3")
    ui.type("secret")
    ui.press("Enter")
  }

  @Test("a search that has found something of the conversation is asked again, and shows nothing old meanwhile")
  func hits() {
    let ui = opened()
    search(ui)
    ui.answer(ui.take("search"), [Self.hit])
    #expect(ui.shows("the secret"))
    forget(ui)
    #expect(!ui.shows("the secret") && ui.shows("Searching …"))
    ui.answer(ui.take("search"), [])
    #expect(!ui.shows("the secret") && ui.shows("Nothing found"))
    forget(ui)
    #expect(ui.take("search") == nil, "it has found nothing of the conversation")
  }

  @Test("a search that runs is asked again once it is done, however often sections move")
  func runningSearch() {
    let ui = opened()
    search(ui)
    let first = ui.take("search")
    ui.line(#"{\#(Self.hit),"tag":\#(first?["tag"]?.integer ?? 0)}"#)
    forget(ui)
    forget(ui)
    #expect(!ui.shows("the secret") && ui.take("search") == nil)
    ui.answer(first, [Self.hit])
    #expect(!ui.shows("the secret"))
    let again = ui.takeAll("search")
    #expect(again.count == 1 && again.first?["text"]?.string == "secret")
    ui.answer(again.first, [#""message":\#(Harness.message(3, "another secret"))"#])
    #expect(ui.shows("another secret"))
  }
}
