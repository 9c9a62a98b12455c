import Clocks
import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

@Suite("Commands of the terminal UI")
struct MessageCommandTests {
  private static let bob = "bob@example.org"

  private func opened() -> Harness {
    let ui = Harness.opened(count: 3)
    ui.answerHistory([
      Harness.message(1, "hello", mine: true, minutes: -60, opens: true),
      Harness.message(2, "how are you?", minutes: -5), Harness.message(3, "fien", mine: true, minutes: -4),
    ])
    ui.line(#"{"event":"roster","contact":{"jid":"zoe@example.org","name":"Zoe","subscription":"both"}}"#)
    ui.forgetRequests()
    return ui
  }

  private func run(_ command: String, _ ui: Harness) {
    ui.type(command)
    ui.press("Enter")
  }

  @Test(
    "/at sends a text later: behind a time of one word or two, and not without both",
    arguments: [("tomorrow 9:00", "good  morning"), ("9:00", "9 o'clock"), ("2h", "tea")])
  func later(time: String, text: String) {
    let ui = opened()
    run("/at \(time) \(text)", ui)
    let request = ui.take("send")
    #expect(request?["text"]?.string == text && request?["to"]?.string == Self.bob)
    #expect(request?["at"]?.string.map { time == "2h" || $0.hasSuffix("T09:00:00.000Z") } == true)
    ui.answer(request)
    #expect(ui.shows("Done: /at \(time)"))
    for refused in ["/at", "/at \(time)", "/at never again"] {
      let ui = opened()
      run(refused, ui)
      #expect(ui.take("send") == nil && ui.shows("Type /at, when, and the text"), "\(refused)")
    }
  }

  @Test("the own nickname is shown, set and taken back")
  func nickname() {
    let ui = opened()
    run("/nick", ui)
    #expect(ui.take("nick").map { $0["text"] == nil } == true)
    ui.press("Esc")
    run("/nick Al", ui)
    #expect(ui.take("nick")?["text"]?.string == "Al")
    run("/unnick", ui)
    #expect(ui.take("nick")?["text"]?.string == "")
  }

  @Test("with words behind it, a command about a message is done at once, to the newest one that it may concern")
  func newest() {
    let ui = opened()
    run("/reply fine, 3 pm", ui)
    let reply = ui.take("send")
    #expect(reply?["reply"]?.integer == 2 && reply?["text"]?.string == "fine, 3 pm")
    run("/correct fine", ui)
    let correction = ui.take("send")
    #expect(correction?["replace"]?.integer == 3 && correction?["text"]?.string == "fine")
    run("/react 👍 🎉", ui)
    let reaction = ui.take("react")
    #expect(reaction?["id"]?.integer == 2 && reaction?["emoji"]?.array?.compactMap(\.string) == ["👍", "🎉"])
    run("/forward Zoe look at this", ui)
    let forward = ui.take("forward")
    #expect(forward?["id"]?.integer == 2 && forward?["jid"]?.string == "zoe@example.org")
    #expect(forward?["text"]?.string == "look at this")
    run("/forward Nobody", ui)
    #expect(ui.shows("No contact is called Nobody.") && ui.take("forward") == nil)
  }

  @Test("/react takes the name of an emoticon as the menu does")
  func reactionByName() {
    let ui = opened()
    run("/react party", ui)
    ui.answer(ui.take("emoticons"), [Harness.emoticon(":tada:", "🎉", "party popper")])
    let reaction = ui.take("react")
    #expect(reaction?["id"]?.integer == 2 && reaction?["emoji"]?.array?.compactMap(\.string) == ["🎉"])
  }

  @Test("what is asked for without a connection is refused, and so is what the cut left without an answer")
  func offline() {
    let ui = opened()
    run("/nick Al", ui)
    run("/version", ui)
    #expect(ui.shows("Waiting for the daemon …"))
    ui.handle(.disconnected("gone"))
    #expect(ui.shows("/nick Al: the connection to the daemon was cut") && !ui.shows("Waiting for the daemon …"))
    ui.press("Esc")
    ui.forgetRequests()
    ui.press("Alt-Shift-F", "Enter")
    #expect(ui.shows("there is no connection to the daemon") && !ui.shows("Forwarded"))
    run("/version", ui)
    #expect(ui.shows("│  there is no connection to the daemon"))
    ui.connect()
    #expect(!ui.requests.contains { ["forward", "nick", "version"].contains($0["verb"]?.string) })
  }

  @Test("a request that is too long is refused before it is sent, whatever it asks for")
  func tooLong() {
    let ui = opened()
    ui.forgetRequests()
    let long = String(repeating: "q", count: 66_000)
    let reactions = "/react " + Array(repeating: "👍", count: 16_000).joined(separator: " ")
    for (keys, text) in [([], reactions), (["F5", "Enter"], "dora@example.org \(long)"), (["F3"], long)] {
      for key in keys { ui.press(key) }
      ui.handle(.input(.paste(Array(text.utf8))))
      ui.press("Enter")
      #expect(ui.shows(": the request has "), "\(keys)")
      ui.press("Esc")
    }
    #expect(!ui.requests.contains { ["react", "add", "search"].contains($0["verb"]?.string) })
  }

  @Test("with a selected message it is done to that one; without words it asks as the key does")
  func selected() {
    let ui = opened()
    ui.press("Alt-Up")
    run("/reply to myself", ui)
    #expect(ui.take("send")?["reply"]?.integer == 3)
    run("/reply", ui)
    #expect(ui.shows("Answering Bob"))
    ui.press("Esc")
    ui.press("Alt-Up", "Alt-Up")
    run("/correct no", ui)
    #expect(ui.shows("This message cannot be corrected.") && ui.take("send") == nil)
    run("/react", ui)
    #expect(ui.shows("thumbs up"))
    ui.press("Esc")
    run("/versions", ui)
    #expect(ui.shows("The message was not edited."))
  }

  @Test("from the list nothing is done to a conversation that may be open beside it")
  func list() {
    let ui = opened()
    ui.handle(.resized(columns: 120, lines: 30))
    ui.press("Esc")
    run("/reply no", ui)
    #expect(ui.shows("Open the conversation first.") && ui.take("send") == nil)
    run("/react", ui)
    #expect(ui.app.screen.popups.isEmpty)
  }

  @Test("of several accounts, what was done names the one that it was done in")
  func accountNamed() {
    let slash = SlashCommand(
      conversation: ConversationKey(account: "work", jid: Self.bob), book: AddressBook(people: []))
    for (command, label) in [("/unnick", "/unnick (account work)"), ("/connect", "/connect (account work)")] {
      guard case .request(_, let shown) = slash.intent(command) else {
        Issue.record("\(command) is no request")
        continue
      }
      #expect(shown == label)
    }
  }

  @Test("/block takes the open conversation after a question, says that it was done, and why it was not")
  func blocking() {
    let ui = opened()
    run("/block", ui)
    ui.type("y")
    let request = ui.take("block")
    #expect(request?["jid"]?.string == Self.bob)
    ui.answer(request)
    #expect(ui.shows("Done: /block bob@example.org."))
    run("/unblock zoe", ui)
    let other = ui.take("unblock")
    #expect(other?["jid"]?.string == "zoe@example.org")
    ui.answer(other, final: #""ok":false,"error":"not-supported","reason":"the server has no block lists""#)
    #expect(ui.shows("/unblock zoe@example.org: the server has no block lists"))
    run("/blocked", ui)
    ui.answer(ui.take("blocked"), [#""blocked":{"jid":"mallory@example.org"}"#])
    #expect(ui.screen.contains { $0.contains("  mallory@example.org") && !$0.contains("jid") })
  }

  @Test("/report is asked about, with the address; the reason and a text go with it")
  func reporting() {
    let ui = opened()
    run("/report reason=abuse zoe@example.org insults me", ui)
    #expect(ui.take("report") == nil && ui.shows("/report reason=abuse zoe@example.org insults me?"))
    ui.type("y")
    let request = ui.take("report")
    #expect(request?["jid"]?.string == "zoe@example.org" && request?["reason"]?.string == "abuse")
    #expect(request?["text"]?.string == "insults me")
  }

  @Test("a daemon of an earlier release that does not know a verb is named as the reason")
  func unknownVerb() {
    let ui = opened()
    run("/blocked", ui)
    ui.answer(ui.take("blocked"), final: #""ok":false,"error":"unknown-verb","reason":"unknown verb 'blocked'""#)
    #expect(ui.shows("the running daemon is older than this program"))
  }

  private func words(_ line: String) throws -> [String] {
    let object = try JSONParser.parse(Array(line.utf8), maximumDepth: 9)
    return RowFormat(
      .english, date: { CivilDate($0, offsetSeconds: 0) }, now: Harness.start,
      presence: { $0.presenceWords(isOnline: true) }
    ).lines(ofAnswer: [object])
  }

  @Test("a profile is shown with a line for each value of its members")
  func profile() throws {
    let line = #"{"profile":{"full_name":"Bob\nBuilder","email":["bob@a.example","b@b.example"]},"tag":1}"#
    #expect(try words(line) == ["full name: Bob Builder", "email: bob@a.example", "email: b@b.example"])
  }

  @Test("a nickname is shown as it is, and it is said if there is none")
  func nick() throws {
    #expect(try words(#"{"ok":true,"nick":"Bob","tag":1}"#) == ["Bob"])
    #expect(try words(#"{"ok":true,"tag":1}"#) == ["There is nothing to show."])
  }

  @Test(
    "a bare /nick and /profile ask, and their answers are shown",
    .enabled("the table has these verbs") { CommandList.rows.contains { $0.name == "nick" } })
  func aboutPeople() {
    let ui = opened()
    run("/nick", ui)
    let asked = ui.take("nick")
    #expect(asked?["text"] == nil)
    ui.answer(asked, final: #""ok":true,"nick":"Alice B""#)
    #expect(ui.shows("Alice B"))
    ui.press("Esc")
    run("/nick Alice", ui)
    let given = ui.take("nick")
    #expect(given?["text"]?.string == "Alice")
    ui.answer(given)
    #expect(ui.shows("Done: /nick Alice."))
    run("/profile", ui)
    let profile = ui.take("profile")
    #expect(profile?["jid"]?.string == "bob@example.org")
    ui.answer(profile, [#""profile":{"jid":"bob@example.org","full_name":"Bob Builder"}"#])
    #expect(ui.shows("full name: Bob Builder"))
  }

  @Test("Tab completes the words that a verb's arguments and options may be")
  func choices() {
    let slash = SlashCommand(
      conversation: nil, book: AddressBook(people: [("Zoe", ConversationKey(jid: "zoe@example.org"))]))
    #expect(slash.completion("/presence a") == "/presence a")
    #expect(slash.completion("/presence x") == "/presence xa ")
    #expect(slash.completions("/report reason=") == ["/report reason=spam ", "/report reason=abuse "])
    #expect(slash.completion("/forward zo") == "/forward zoe@example.org ")
  }
}
