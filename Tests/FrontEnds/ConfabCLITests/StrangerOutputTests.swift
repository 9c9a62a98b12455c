import ConfabCLI
import ConfabClient
import LineProtocol
import Testing

/// Output for messages of strangers: like nobody else's, and behind those of others.
@Suite("What people see of strangers")
struct StrangerOutputTests {
  @Test("conversations of strangers are a group of their own behind the others, and so are unread ones")
  func groups() {
    let row = { (jid: String) in #"{"conversation":{"jid":"\#(jid)","unread":1}}"# }
    let (unread, done) = (#"{"ok":true,"unread":2,"mentions":0}"#, #"{"ok":true}"#)
    let lists: [FakeDaemon.Step] = [.takes, .lines([row("bob@x"), done]), .takes, .lines([row("me@evil"), done])]
    for command in ["conversations", "unread"] {
      let daemon = FakeDaemon(
        [FakeDaemon.greeting] + (command == "unread" ? [.takes, .lines([unread])] : []) + lists)
      daemon.isTerminal = true
      #expect(daemon.run(command) == 0)
      #expect(
        daemon.output.hasPrefix(
          "  1                    bob@x\nStrangers, neither in the roster nor ever written to:\n  1                    me@evil\n"
        ))
      #expect(daemon.requests.compactMap { $0.string(.known) } == ["yes", "no"])
    }
    let json = FakeDaemon(answers: row("bob@x"), done)
    #expect(json.run("--json", "conversations") == 0)
    #expect(json.requests.count == 1 && json.requests.first?.options[.known] == nil)
  }

  @Test(
    "nobody is shown as me: a JID stands for who has no name of mine, and behind a name that is like mine",
    arguments: [
      (#""from":"me@evil.example/x""#, "me@evil.example"), (#""from":"alice@evil.example/x""#, "alice@evil.example"),
      (#""from":"bob@x/y","nick":"Bob""#, "Bob"), (#""from":"bob@x/y","nick":"me","nick_is":"alike""#, "me <bob@x>"),
      (#""from":"bob@x/y","nick":"Carol","nick_is":"claimed""#, "bob@x"),
      (#""from":"m\u200be@evil.example""#, "m\u{FFFD}e@evil.example"),
    ])
  func authors(_ members: String, _ shown: String) {
    let message =
      #"{"message":{"id":1,"conversation":"c@x",\#(members),"mine":false,"time":"2026-11-20T08:00:00Z","text":"hi"}}"#
    let (history, search) = (
      FakeDaemon(answers: message, #"{"ok":true}"#), FakeDaemon(answers: message, #"{"ok":true}"#)
    )
    #expect(history.run("history", "c@x") == 0 && history.output.hasSuffix("09:00 \(shown): hi\n"))
    #expect(search.run("search", "hi") == 0 && search.output.contains(" \(shown): hi"))
  }

  @Test("spaces of a text forge no line on a terminal: each line that it fills is indented")
  func wrapped() {
    let text = "hi" + String(repeating: " ", count: 90) + "09:11 me: I owe you"
    let message = #"{"message":{"id":1,"from":"me@evil","mine":false,"time":"2026-11-20T08:00:00Z","text":"\#(text)"}}"#
    for columns in [40, 80, 81, 200] {
      let daemon = FakeDaemon(answers: message, #"{"ok":true}"#)
      (daemon.isTerminal, daemon.columns) = (true, columns)
      #expect(daemon.run("history", "c@x") == 0)
      let lines = daemon.output.split(separator: "\n").dropFirst()
      #expect(lines.allSatisfy { $0.unicodeScalars.count <= columns })
      #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("      ") })
      #expect(lines.count == (columns == 200 ? 1 : (125 + columns) / columns))
    }
    #expect(
      WrappedLines.wrap("\u{1B}[32mabcdefghij\u{1B}[0m", columns: 10, indent: 6) == "\u{1B}[32mabcdefghij\u{1B}[0m")
    #expect(WrappedLines.wrap("字字字字字字", columns: 10, indent: 2) == "字字字字字\n  字")
  }

  @Test(
    "characters that are not seen are shown as marks, but not those that scripts and emoji need",
    arguments: [
      ("a\u{200B}b", "a\u{FFFD}b"), ("a\u{00AD}b", "a\u{FFFD}b"), ("\u{2800}", "\u{FFFD}"), ("\u{3164}", "\u{FFFD}"),
      ("a\u{200D}b", "a\u{FFFD}b"), ("\u{E0041}x", "\u{FFFD}x"), ("\u{FEFF}x", "\u{FFFD}x"),
      ("👩\u{200D}🚀", "👩\u{200D}🚀"), ("❤\u{FE0F}", "❤\u{FE0F}"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
      ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E007F}"),
    ])
  func invisible(_ text: String, _ shown: String) { #expect(TerminalText.clean(text) == shown) }

  @Test("requests that were left out are said")
  func leftOut() {
    let daemon = FakeDaemon(rosterOf: [:], #"{"ok":true,"requests_left_out":12}"#)
    #expect(daemon.run("roster") == 0 && daemon.complaints.first?.contains("12 requests") == true)
  }

  @Test(
    "behind --, an address is no option, and with --jid no name", arguments: ["--help@evil", "until=x@evil", "bob"])
  func addresses(_ jid: String) {
    let daemon = FakeDaemon(answers: #"{"ok":true,"id":1,"state":"queued"}"#)
    #expect(daemon.run("send", "--jid", "--", jid, "hi") == 0)
    #expect(daemon.requests.first?.arguments[.to] == .string(jid) && daemon.requests.first?.text == "hi")
  }
}
