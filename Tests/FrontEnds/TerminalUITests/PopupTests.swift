import Clocks
import JSON
import Screen
import TerminalUI
import Testing

@Suite("Pop-ups")
struct PopupTests {
  private func connected() -> Harness {
    let ui = Harness()
    ui.connect(
      conversations: [
        Harness.conversation("bob@example.org", name: "Bob"), Harness.conversation("zoe@example.org", name: "Zoe"),
      ],
      contacts: [
        #"{"jid":"bob@example.org","name":"Bob","groups":["Friends"],"subscription":"both","presence":[{"resource":"a","show":"available","status":"here"}]}"#,
        #"{"jid":"carol@example.org","name":"Carol","groups":["Work"],"subscription":"both","presence":[]}"#,
        #"{"jid":"eve@evil.example","groups":[],"subscription":"none","request":true,"presence":[]}"#,
      ])
    return ui
  }

  @Test("the switcher finds conversations and contacts by a few letters, and takes addresses")
  func switcher() {
    let ui = connected()
    ui.press("F2")
    ui.type("crl")
    #expect(ui.shows("Carol"))
    #expect(!ui.shows("▸ Bob"))
    ui.press("Enter")
    #expect(ui.take("history")?["jid"]?.string == "carol@example.org")
    ui.press("F2")
    ui.type("new@example.org")
    #expect(ui.shows("Write to new@example.org"))
    ui.press("Enter")
    #expect(ui.take("history")?["jid"]?.string == "new@example.org")
  }

  @Test("letters in the list look for a conversation, a slash is a command")
  func letters() {
    let ui = connected()
    ui.type("zo")
    ui.press("Enter")
    #expect(ui.take("history")?["jid"]?.string == "zoe@example.org")
    ui.press("Esc")
    ui.type("/open Carol")
    ui.press("Enter")
    #expect(ui.take("history")?["jid"]?.string == "carol@example.org")
  }

  @Test("contacts by group; requests are accepted or denied; somebody is added")
  func contacts() {
    let ui = connected()
    ui.press("F5")
    #expect(ui.shows("eve@evil.example") && ui.shows("Enter accepts or denies"))
    #expect(ui.shows("Friends"))
    #expect(ui.shows("1 of 1 online"))
    ui.press("Enter")
    #expect(ui.shows("Accept"))
    ui.press("Down", "Down", "Enter")
    #expect(ui.take("deny")?["jid"]?.string == "eve@evil.example")
    ui.press("Esc", "Esc", "F5", "Down", "Enter")
    ui.type("dora@example.org Dora D")
    ui.press("Enter")
    let add = ui.take("add")
    #expect(add?["jid"]?.string == "dora@example.org")
    #expect(add?["name"]?.string == "Dora D")
  }

  @Test("a search shows hits in context, more on demand, and leads to them")
  func search() throws {
    let ui = connected()
    ui.press("F3")
    ui.type("needle")
    ui.press("Enter")
    let request = try #require(ui.take("search"))
    #expect(request["text"]?.string == "needle")
    var hit = Harness.message(7, "a needle in a haystack")
    hit = hit.replacing(#""opens_section""#, with: #""hits":[[2,8]],"opens_section""#)
    ui.answer(request, [#""message":\#(hit)"#], final: #""ok":true,"more_before":true"#)
    #expect(ui.shows("a needle in a haystack"))
    #expect(ui.shows("More …"))
    ui.press("Enter")
    #expect(ui.take("history")?["around"]?.integer == 7)
  }

  @Test("a hit in what is folded away is shown", arguments: [3, 30, 90])
  func foldedHit(line: Int) throws {
    let ui = connected()
    let lines = (0..<120).map { $0 == line ? "needle" : "hay \($0)" }
    let start = lines[..<line].reduce(0) { $0 + $1.count + 1 }
    let text = lines.joined(separator: #"\n"#)
    ui.press("F3")
    ui.type("needle")
    ui.press("Enter")
    let hit = Harness.message(7, text)
      .replacing(#""opens_section""#, with: #""hits":[[\#(start),\#(start + 6)]],"opens_section""#)
    ui.answer(ui.take("search"), [#""message":\#(hit)"#], final: #""ok":true,"more_before":false"#)
    ui.press("Enter")
    ui.answerHistory([
      Harness.message(6, "before"), Harness.message(7, text, minutes: 1), Harness.message(8, "behind", minutes: 2),
    ])
    #expect(ui.shows("needle"))
  }

  @Test("muting offers times")
  func mute() throws {
    let ui = connected()
    ui.press("F8")
    #expect(ui.shows("Mute for an hour"))
    ui.press("Down", "Enter")
    let request = try #require(ui.take("notify"))
    #expect(request["level"]?.string == "never")
    // It is 10:00; until 8:00 of the next day.
    #expect(request["until"]?.string == "2026-11-21T08:00:00.000Z")
  }

  @Test("a muted conversation says so in words, with the key that unmutes it, which is the first choice")
  func unmute() throws {
    let ui = Harness()
    let muted = Harness.conversation("bob@example.org", name: "Bob")
      .replacing(#""read":0"#, with: #""read":0,"notify":"never","notify_until":"2026-11-20T12:30:00.000Z""#)
    ui.connect(conversations: [muted])
    #expect(ui.screen.contains { $0.contains("Bob") && $0.contains("muted") })
    ui.press("Enter")
    #expect(ui.shows("muted until 12:30 (F8 unmutes)"))
    ui.press("F8", "Enter")
    #expect(try #require(ui.take("notify"))["level"]?.string == "always")
    ui.press("F1")
    ui.type("unmute")
    #expect(ui.shows("F8, Alt-M") && ui.shows("/unmute"))
  }

  @Test("the key that opens a folded message stands at the fold")
  func foldKey() {
    let ui = connected()
    ui.press("Enter")
    ui.answerHistory([Harness.message(1, (1...60).map { "line \($0)" }.joined(separator: #"\n"#))])
    #expect(ui.shows("… 20 more lines; Alt-O opens"))
    ui.press("Alt-O")
    #expect(ui.shows("line 60"))
  }

  @Test("help finds a key by what it does")
  func help() {
    let ui = connected()
    ui.press("F1")
    ui.type("quit")
    #expect(ui.shows("Leaves confab") && !ui.shows("Searches"))
  }

  @Test("help finds words in any order, and says which it does not find")
  func helpWords() {
    let ui = connected()
    ui.press("F1")
    ui.type("unread next")
    #expect(ui.shows("Alt-A, F4") && ui.shows("1 of") == false)
    ui.press("Ctrl-U")
    ui.type("colours")
    #expect(ui.shows("/settings"))
    ui.press("Ctrl-U")
    ui.type("mutconv")
    #expect(ui.shows("Nothing found for “mutconv”"))
  }

  @Test(
    "a list in which nothing fits says so, and Enter does nothing",
    arguments: ["F1", "F2", "Alt-Shift-F", "Alt-+"])
  func nothing(key: String) {
    let ui = connected()
    ui.press("Enter")
    ui.answerHistory(Harness.two)
    ui.press(key)
    ui.type("qqqqq")
    ui.answer(ui.take("emoticons"))
    #expect(ui.shows("│  Nothing found for “qqqqq”"))
    ui.press("Enter")
    #expect(ui.app.screen.popups.last?.query == "qqqqq")
  }

  @Test("a search or a question has found nothing before Enter is pressed")
  func nothingYet() {
    let ui = connected()
    for key in ["F3", "Alt-J"] {
      ui.press("Esc", "Enter", key)
      ui.type("q")
      #expect(!ui.app.screen.popups.isEmpty && !ui.shows("Nothing found"), "\(key)")
    }
  }

  @Test("sections that a cut left without an answer are asked for again, and those that are here are not")
  func sectionsAfterCut() {
    let ui = connected()
    ui.press("Enter")
    ui.answerHistory(Harness.two)
    ui.press("Alt-G")
    #expect(ui.take("sections") != nil && ui.shows("Loading …"))
    ui.handle(.disconnected("gone"))
    ui.connect()
    ui.answer(
      ui.take("sections"),
      [#""section":{"id":1,"start":"2026-11-20T09:00:00.000Z","end":"2026-11-20T09:30:00.000Z","count":7}"#])
    #expect(ui.shows("7 messages"))
    ui.handle(.disconnected("gone"))
    ui.connect()
    #expect(ui.take("sections") == nil && ui.shows("7 messages"))
  }

  @Test("a hit that is longer than its line ends in an ellipsis")
  func longHit() {
    let ui = connected()
    ui.press("F3")
    ui.type("hay")
    ui.press("Enter")
    let hit = Harness.message(7, "a haystack" + String(repeating: ", a long one", count: 12))
      .replacing(#""opens_section""#, with: #""hits":[[2,5]],"opens_section""#)
    ui.answer(ui.take("search"), [#""message":\#(hit)"#])
    #expect(ui.screen.contains { $0.contains("▸ a haystack, a long one,") && $0.contains("…  ") })
  }

  @Test("an address that is the name stands there once")
  func address() {
    let ui = Harness()
    ui.connect(conversations: [Harness.conversation("zoe@example.org", name: "zoe@example.org")])
    ui.press("F2")
    #expect(ui.screen.contains { $0.count(of: "zoe@example.org") == 1 && $0.contains("▸") && $0.contains("│") })
  }

  @Test("a narrow status line has room for the key of the help")
  func narrowStatus() {
    let ui = Harness(columns: 40, lines: 12)
    ui.connect(
      conversations: [Harness.conversation("bob@example.org", name: "Bob", unread: 2)],
      strangers: [
        Harness.conversation("eve@evil.example", unread: 3).replacing(#""draft""#, with: #""known":false,"draft""#)
      ],
      contacts: [#"{"jid":"eve@evil.example","subscription":"none","request":true}"#])
    #expect(ui.screen.last == " 2 unread  1 request, F5        F1 help")
  }

  @Test("with each letter the best of what fits is chosen")
  func best() {
    let ui = connected()
    ui.press("F1")
    ui.type("read")
    #expect(ui.screen.contains { $0.contains("▸ /read ") })
  }

  @Test("help is read whole on a small screen, line by line with the cursor", arguments: [(40, 10), (80, 24)])
  func wrappedHelp(columns: Int, lines: Int) {
    let ui = Harness(columns: columns, lines: lines)
    ui.connect()
    ui.press("F1")
    var seen = ""
    for _ in 0..<150 {
      seen += ui.screen.joined(separator: " ")
      ui.press("Down")
    }
    #expect(!ui.screen.dropLast().contains { $0.contains("…") && !$0.contains("›") })
    let words = seen.split { $0 == " " || $0 == "│" }.joined(separator: " ")
    for sentence in ["Leaves confab (quit); the daemon stays", "for ever, or unmutes it"] {
      #expect(words.contains(sentence), "\(sentence)")
    }
  }

  @Test("a pop-up has a frame, without letters beyond ASCII as well")
  func frame() {
    let ui = connected()
    ui.press("F8")
    #expect(ui.shows("┌─ Notices of Bob ──") && ui.shows("└─ Enter chooses"))
    var capabilities = Capabilities()
    capabilities.isUTF8 = false
    ui.handle(.capabilities(capabilities))
    #expect(ui.shows("+- Notices of Bob --"))
  }

  @Test("a slash shows the usual commands, more letters fewer of them, a whole name how it is used; Tab completes")
  func commandPanel() {
    let ui = connected()
    ui.press("Enter")
    ui.answerHistory([])
    ui.type("/")
    #expect(ui.shows("/open") && ui.shows("Unmutes this conversation"))
    #expect(ui.shows("Tab completes"))
    ui.type("pre")
    #expect(!ui.shows("/open"))
    ui.press("Tab")
    #expect(ui.shows("› /presence"))
    #expect(ui.shows("available|away|xa|dnd|chat"))
    ui.press("Ctrl-U")
    #expect(!ui.shows("available|away"))
    ui.type("/me")
    ui.press("Enter")
    #expect(ui.take("send") == nil, "there is nothing to send")
  }

  @Test("how a command is used is read whole beside a narrow input")
  func narrowPanel() {
    let ui = Harness(columns: 40, lines: 12)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    ui.answerHistory([])
    ui.type("/notify")
    let text = ui.screen.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(text.contains("Sets of which messages of a conversation you want to be notified."))
  }

  @Test("a command of the list is chosen with Enter, and typed on where it needs words")
  func commandPrompt() {
    let ui = connected()
    ui.type("/mu")
    #expect(ui.shows("/mute") && !ui.shows("/open"))
    ui.press("Enter")
    #expect(ui.shows("Mute for an hour"))
    ui.press("Esc")
    ui.type("/op")
    ui.press("Enter")
    ui.type("Zoe")
    ui.press("Enter")
    #expect(ui.take("history")?["jid"]?.string == "zoe@example.org")
    ui.press("Esc")
    ui.type("/unm")
    ui.press("Enter")
    #expect(ui.take("notify")?["level"]?.string == "always")
  }

  @Test("a command of help is chosen with Enter, and the machines' are not there")
  func chosenFromHelp() {
    let ui = connected()
    ui.press("Enter", "F1")
    ui.type("/presence")
    ui.press("Enter")
    #expect(ui.shows("› /presence"))
    #expect(ui.app.screen.popups.isEmpty)
    ui.press("F1")
    ui.type("consumer")
    #expect(!ui.shows("/cursors"))
  }

  @Test("/search looks at once, and /status is answered in words")
  func answers() {
    let ui = connected()
    ui.press("Enter")
    ui.answerHistory([])
    ui.type("/search needle")
    ui.press("Enter")
    let request = ui.take("search")
    #expect(request?["text"]?.string == "needle")
    #expect(request?["in"]?.string == "bob@example.org")
    ui.press("Esc")
    ui.type("/status")
    ui.press("Enter")
    #expect(ui.shows("Waiting for the daemon"))
    ui.answer(ui.take("status"), [#""account":{"name":"home","jid":"a@example.org","state":"online","carbons":true}"#])
    #expect(ui.shows("home, a@example.org: online"))
    #expect(!ui.shows("carbons"))
  }

  @Test("a screen without daemon says what to do")
  func noDaemon() {
    let ui = Harness()
    ui.handle(.disconnected("no such file"))
    #expect(ui.shows("There is no daemon.") && ui.shows("/run/confab/socket"))
    #expect(ui.shows("confab setup"))
    ui.press("Enter", "Enter")
    #expect(ui.actions.contains(.terminal(["confab", "setup"])))
  }
}

extension String {
  /// How often a part stands in it.
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
