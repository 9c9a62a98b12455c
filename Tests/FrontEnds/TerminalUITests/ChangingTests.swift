import Clocks
import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

@Suite("Changing, answering and reacting")
struct ChangingTests {
  private static let bob = "bob@example.org"
  private static let three = [
    Harness.message(1, "hello", mine: true, minutes: -60, opens: true),
    Harness.message(2, "how are you?", minutes: -5), Harness.message(3, "fien", mine: true, minutes: -4),
  ]

  private func opened(_ rows: [String] = three) -> Harness {
    let ui = Harness.opened(count: rows.count)
    ui.answerHistory(rows)
    ui.forgetRequests()
    return ui
  }

  private func input(_ ui: Harness) -> String {
    ui.app.screen.focused.map { ui.app.composer[$0.key].editor.input.text } ?? ""
  }

  private func changed(_ row: String, _ members: String) -> String {
    row.replacing(#""opens_section""#, with: members + #","opens_section""#)
  }

  private func event(_ name: String, _ row: String) -> String {
    #"{"event":"\#(name)","seq":20,"conversation":"bob@example.org","id":1,"message":\#(row)}"#
  }

  // MARK: Events

  @Test("an edit, a retraction and a reaction change the row, what quotes it, and the last line of the list")
  func events() {
    let answer = changed(
      Harness.message(4, "yes", minutes: -1), #""reply_to":{"id":3,"from":"alice@example.org","text":"fien"}"#)
    let ui = opened(Self.three + [answer])
    let edited = changed(Harness.message(3, "fine", mine: true, minutes: -4), #""edited":"2026-11-20T10:00:00.000Z""#)
    ui.line(event("edit", edited))
    #expect(ui.shows("9:56 edited") && ui.shows("┆ me: fine") && !ui.shows("fien"))
    ui.line(
      event(
        "reaction",
        changed(Harness.message(4, "yes", minutes: -1), #""reactions":[{"emoji":"👍","from":["x"],"mine":true}]"#)))
    #expect(ui.shows("[👍]"))
    ui.line(event("retract", changed(Harness.message(4, "", minutes: -1), #""retracted":{"by":"bob@example.org"}"#)))
    #expect(ui.shows("Bob retracted this message."))
  }

  @Test("the list shows what became of the last message, and actions and forwarded messages in words")
  func previews() {
    let ui = Harness(columns: 80, lines: 24)
    ui.connect(conversations: [Harness.conversation(Self.bob, name: "Bob")])
    ui.line(#"{"event":"message","seq":11,"message":\#(Harness.message(9, "secret"))}"#)
    #expect(ui.shows("secret"))
    ui.line(event("retract", changed(Harness.message(9, ""), #""retracted":{"by":"bob@example.org"}"#)))
    #expect(ui.shows("retracted") && !ui.shows("secret"))
    ui.line(#"{"event":"message","seq":12,"message":\#(changed(Harness.message(10, "/me waves"), #""me":true"#))}"#)
    #expect(ui.shows("* waves"))
    let forwarded = changed(Harness.message(11, ""), #""forwarded":[{"from":"z@example.org","text":"news"}]"#)
    ui.line(#"{"event":"message","seq":13,"message":\#(forwarded)}"#)
    #expect(ui.shows("Forwarded: news"))
  }

  // MARK: Correcting

  @Test("Up in an empty input takes my last message; sending replaces it, and is never kept back")
  func correcting() {
    let ui = opened()
    ui.press("Up")
    #expect(input(ui) == "fien" && ui.shows("Correcting; Esc gives it up: fien"))
    ui.press("Backspace", "Backspace")
    ui.type("ne")
    ui.press("Enter")
    let request = ui.take("send")
    #expect(request?["replace"]?.integer == 3 && request?["text"]?.string == "fine")
    #expect(request?["to"]?.string == Self.bob && request?["hold"] == nil)
    #expect(input(ui) == "" && !ui.shows("Correcting"))
  }

  @Test("Up again takes the message of mine before, and never puts an old text in the place of a newer one")
  func further() {
    let ui = opened()
    ui.press("Up", "Up")
    #expect(input(ui) == "hello")
    ui.press("Up")
    #expect(input(ui) == "hello" && ui.shows("No earlier message of yours is loaded."))
    ui.type("!")
    ui.press("Enter")
    #expect(ui.take("send")?["replace"]?.integer == 1)
  }

  @Test("the selected message is corrected, if it can be; in a text Up moves")
  func selected() {
    let ui = opened()
    ui.press("Alt-Up", "Alt-Up", "Up")
    #expect(input(ui) == "" && ui.shows("Only a message of mine can be corrected."))
    ui.press("Alt-Up", "Up")
    #expect(input(ui) == "hello")
    ui.press("Esc")
    ui.type("text")
    ui.press("Up")
    #expect(!ui.shows("Correcting"))
  }

  @Test("Esc, or the same text again, gives a correction up; it is never shared as a draft")
  func givingUp() {
    let ui = opened()
    ui.press("Up", "Enter")
    #expect(ui.take("send") == nil && input(ui) == "")
    ui.press("Up")
    ui.type("!")
    ui.wait(.seconds(2))
    #expect(ui.take("draft") == nil)
    ui.line(#"{"event":"draft","seq":14,"conversation":"bob@example.org","text":"from elsewhere"}"#)
    ui.wait(.seconds(10))
    #expect(input(ui) == "fien!")
    ui.press("Esc")
    #expect(input(ui) == "" && !ui.shows("Correcting"))
    #expect(!ui.app.screen.isInList)
  }

  @Test("a correction that is refused is there again, for the same message")
  func refused() {
    let ui = opened()
    ui.press("Up")
    ui.type("!")
    ui.press("Enter")
    ui.answer(ui.take("send"), final: #""ok":false,"error":"no-space","reason":"the disk is full""#)
    #expect(input(ui) == "fien!" && ui.shows("Correcting"))
  }

  @Test("nothing that was written for one log goes to another: it comes back into the input, and is no draft there")
  func otherLog() {
    let ui = opened()
    ui.press("Up")
    ui.type("!")
    ui.press("Enter", "Ctrl-R")
    ui.type("well")
    ui.press("Enter")
    ui.forgetRequests()
    ui.handle(.disconnected("gone"))
    ui.handle(.connected)
    ui.line(#"{"confab":1,"version":"0.1.0","log":"M","last":1,"rights":"full","limits":{"text":60000}}"#)
    ui.answer(ui.take("status"), [#""account":{"name":"home","jid":"alice@example.org","state":"online"}"#])
    #expect(ui.take("send") == nil && ui.shows("another log now. What was not sent is in its input again"))
    let field = ui.app.composer[ConversationKey(jid: Self.bob)]
    #expect(field.editor.input.text == "fien!\nwell" && field.purpose == nil)
    ui.wait(.seconds(10))
    #expect(ui.take("draft") == nil)
    ui.press("Ctrl-Q")
    #expect(ui.take("draft") == nil && ui.shows("Leave, and lose"), "no daemon has it")
    ui.press("Esc")
    ui.app.perform(.open(ConversationKey(jid: Self.bob), name: ""))
    ui.type("!")
    ui.wait(.seconds(2))
    #expect(ui.take("draft")?["text"]?.string == "fien!\nwell!", "whoever writes on writes for this log")
  }

  @Test("a text of mine that begins with a slash is corrected as a text")
  func slash() {
    let ui = opened([Harness.message(1, "/etc/hosts", mine: true)])
    ui.press("Up")
    ui.type("!")
    ui.press("Enter")
    #expect(ui.take("send")?["text"]?.string == "/etc/hosts!")
  }

  @Test("a message that was retracted, failed, or is kept back is not taken for correction")
  func uncorrectable() {
    for (state, members) in [
      ("failed", #""x":1"#), ("sent", #""retracted":{"by":"alice@example.org"}"#), ("queued", #""held":true"#),
    ] {
      let ui = opened([changed(Harness.message(1, "no", mine: true, state: state), members)])
      ui.press("Up")
      #expect(!ui.shows("Correcting"), "\(state)")
    }
  }

  // MARK: Answering

  @Test("the reply key answers the newest message of others, or the selected one, and the input says what")
  func replying() {
    let ui = opened()
    ui.press("Ctrl-R")
    #expect(ui.shows("Answering Bob; Esc gives it up: how are you?"))
    ui.type("well")
    ui.press("Esc")
    #expect(input(ui) == "well" && !ui.shows("Answering"))
    ui.press("Alt-Up", "Ctrl-R")
    #expect(ui.shows("Answering yourself"))
    ui.press("Enter")
    let request = ui.take("send")
    #expect(request?["reply"]?.integer == 3 && request?["replace"] == nil)
    ui.type("more")
    ui.press("Enter")
    #expect(ui.take("send")?["reply"] == nil, "the next one is a message of its own")
  }

  @Test("a key goes to the message that one answers")
  func answered() {
    let ui = opened(
      Self.three + [
        changed(Harness.message(4, "yes"), #""reply_to":{"id":1,"from":"alice@example.org","text":"hello"}"#),
        changed(Harness.message(5, "no"), #""reply_to":{"from":"x@example.org","text":"?"}"#),
      ])
    ui.press("Alt-Shift-R")
    #expect(ui.shows("The message that it answers is not here."))
    ui.press("Alt-Up", "Alt-Up", "Alt-Shift-R")
    #expect(ui.take("history")?["around"]?.integer == 1)
  }

  // MARK: Reacting

  @Test("a reaction is added to mine, and taken away if it is chosen again")
  func reacting() {
    let reactions = #""reactions":[{"emoji":"🎂","from":["x"],"mine":true},{"emoji":"👍","from":["y"],"mine":false}]"#
    let ui = opened([changed(Harness.message(2, "cake?"), reactions)])
    ui.press("Alt-+")
    #expect(ui.shows("👍  thumbs up") && ui.shows("remove yours"))
    ui.press("Enter")
    var request = ui.take("react")
    #expect(request?["id"]?.integer == 2)
    #expect(request?["emoji"]?.array?.compactMap(\.string) == ["🎂", "👍"])
    ui.press("Alt-+", "Up", "End", "Down", "Down", "Down", "Down", "Down", "Down", "Enter")
    request = ui.take("react")
    #expect(request?["id"]?.integer == 2 && request?["emoji"] == nil, "none takes them back")
  }

  @Test("letters search for another reaction")
  func searching() {
    let ui = opened()
    ui.press("C-x +")
    ui.type("roc")
    #expect(ui.shows("Searching …"))
    ui.answer(ui.take("emoticons"), [Harness.emoticon(":rocket:", "🚀", "rocket")])
    ui.press("Enter")
    #expect(ui.take("react")?["emoji"]?.array?.compactMap(\.string) == ["🚀"])
  }

  @Test("a reaction chosen by its name before it is found is sent once it is; keys behind go into the input")
  func chosenBeforeFound() {
    let ui = opened()
    ui.press("C-x +")
    ui.type("roc")
    let request = ui.takeAll("emoticons").last
    ui.press("Enter")
    ui.type("done :p:")
    #expect(ui.shows("› done :p:") && ui.take("react") == nil && ui.take("emoticons") == nil)
    ui.answer(request, [Harness.emoticon(":rocket:", "🚀", "rocket"), Harness.emoticon(":rock:", "🪨", "rock")])
    #expect(ui.take("react")?["emoji"]?.array?.compactMap(\.string) == ["🚀"])
    #expect(ui.shows("› done :p:"))
  }

  @Test(
    "a chosen name that finds no reaction is said, also when the daemon goes before its answer",
    arguments: [true, false])
  func chosenAndNotFound(isAnswered: Bool) {
    let ui = opened()
    ui.press("C-x +")
    ui.type("xyzzy")
    let request = ui.take("emoticons")
    ui.press("Enter")
    if isAnswered { ui.answer(request, []) } else { ui.handle(.disconnected("gone")) }
    #expect(ui.shows("Nothing found for “xyzzy”: no reaction was sent.") && ui.take("react") == nil)
  }

  @Test("the usual reactions are found by their names at once, and only once")
  func usualSearched() {
    let ui = opened()
    ui.press("C-x +")
    ui.type("party")
    #expect(ui.shows("🎉  party popper"))
    ui.answer(ui.take("emoticons"), [Harness.emoticon(":tada:", "🎉", "party popper")])
    #expect(ui.screen.count { $0.contains("🎉  party popper") } == 1)
  }

  // MARK: Taking back, forwarding, looking

  @Test("what has gone out is retracted after a question; what waits is cancelled; what is others' stays")
  func retracting() {
    let ui = opened()
    ui.press("Alt-X")
    #expect(ui.shows("select one to retract it"))
    ui.press("Alt-Up", "Alt-X")
    #expect(ui.shows("Retract “fien” for everybody?") && ui.take("retract") == nil)
    ui.type("y")
    #expect(ui.take("retract")?["id"]?.integer == 3)
    ui.press("Alt-Up", "Alt-X")
    #expect(ui.shows("Only a message of mine can be taken back."))
  }

  @Test("a message is forwarded to a conversation that the switcher finds")
  func forwarding() {
    let ui = Harness.opened()
    ui.answerHistory(Self.three)
    ui.line(#"{"event":"roster","contact":{"jid":"zoe@example.org","name":"Zoe","subscription":"both"}}"#)
    ui.press("Alt-Shift-F")
    #expect(ui.shows("Forward “how are you?” to"))
    ui.type("zo")
    ui.press("Enter")
    let request = ui.take("forward")
    #expect(request?["id"]?.integer == 2 && request?["jid"]?.string == "zoe@example.org")
  }

  @Test("a key shows what stood in an edited message before")
  func versions() {
    let row = changed(Harness.message(1, "fine", mine: true), #""edited":"2026-11-20T10:00:00.000Z""#)
    let ui = opened([row])
    ui.press("Alt-Shift-V")
    let request = ui.take("versions")
    #expect(request?["id"]?.integer == 1)
    ui.answer(request, [#""version":{"text":"fien","time":"2026-11-20T09:55:00.000Z"}"#])
    #expect(ui.shows("Versions before the edits") && ui.shows("Today 9:55, fien"))
    let other = opened()
    other.press("Alt-Shift-V")
    #expect(other.shows("The message was not edited."))
  }

  @Test("the text of a message that nobody got goes back into the input, and nothing is retracted")
  func failed() {
    let ui = Harness.opened()
    ui.answerHistory([Harness.message(1, "hello?", mine: true, state: "failed")])
    ui.press("Alt-Up", "Alt-X")
    #expect(ui.shows("Nobody got this message") && ui.app.screen.popups.isEmpty)
    ui.press("Up")
    #expect(input(ui) == "hello?")
    ui.press("Enter")
    #expect(ui.take("send")?["text"]?.string == "hello?")
  }
}
