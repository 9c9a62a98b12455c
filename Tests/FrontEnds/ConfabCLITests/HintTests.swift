import ConfabCLI
import ConfabClient
import LineProtocol
import Testing

@Suite("Hints of the command line on standard error")
struct HintTests {
  private static let messages = [
    #"{"message":{"id":7,"from":"b@x","conversation":"b@x","mine":false,"time":"2026-11-20T08:00:00Z","text":"one"}}"#,
    #"{"message":{"id":9,"from":"b@x","conversation":"b@x","mine":false,"time":"2026-11-20T08:00:05Z","text":"","subject":"Lunch"}}"#,
  ]

  private func answered(_ lines: [String], _ arguments: String...) -> FakeDaemon {
    let daemon = FakeDaemon([FakeDaemon.greeting, .takes, .lines(lines), .takes, .lines([#"{"ok":true}"#])])
    #expect(daemon.run(arguments) == 0)
    return daemon
  }

  @Test("without a daemon, a command names how to start it and how to diagnose it")
  func noDaemon() {
    for arguments in [[], ["status"], ["send", "b@x", "hi"], ["watch"]] {
      let daemon = FakeDaemon([.absent])
      #expect(daemon.run(arguments) == 69)
      let complaint = daemon.complaints.joined()
      #expect(complaint.contains("systemctl --user start confabd") && complaint.contains("confab doctor"))
    }
  }

  @Test("history names the command that shows more messages; with --json it does not")
  func more() {
    let final = #"{"ok":true,"more_before":true,"more_after":true}"#
    let newest = answered(Self.messages + [final], "--socket=/a b", "history", "--limit=2", "b@x", "--since=today")
    #expect(
      newest.complaints == [
        "confab: older messages: confab '--socket=/a b' history --limit=2 --before=7 --since=2026-11-19T23:00:00.000Z b@x"
      ])
    #expect(
      answered(Self.messages + [final], "history", "--after=3", "b@x").complaints == [
        "confab: newer messages: confab history --after=9 b@x"
      ])
    #expect(answered(Self.messages + [final], "history", "--around=8", "b@x").complaints.count == 2)
    #expect(answered(Self.messages + [final], "--json", "history", "b@x").complaints.isEmpty)
    #expect(answered(Self.messages + [#"{"ok":true,"more_before":false}"#], "history", "b@x").complaints.isEmpty)
  }

  @Test("search and conversations name it too, and the bytes of the log that cannot be read")
  func others() {
    let search = answered(
      Self.messages + [#"{"ok":true,"more_before":true,"unreadable":17}"#], "search", "it's", "a", "word")
    #expect(
      search.complaints == [
        "confab: 17 bytes of the log cannot be read; confab log verify shows where",
        #"confab: older messages: confab search --before=9 'it'\''s a word'"#,
      ])
    let list = answered(
      [#"{"conversation":{"jid":"b@x","unread":0}}"#, #"{"ok":true,"more_before":true}"#], "conversations")
    #expect(list.complaints == ["confab: more conversations: confab conversations --known=yes --before=b@x"])
    let host = answered(
      [#"{"conversation":{"jid":"host","unread":0}}"#, #"{"ok":true,"more_before":true}"#], "conversations")
    #expect(host.complaints == ["confab: more conversations: confab conversations --jid --known=yes --before=host"])
  }

  @Test("history shows subjects, with --ids the ids, and with --seconds the seconds")
  func shown() {
    let daemon = answered(Self.messages + [#"{"ok":true}"#], "history", "--ids", "--seconds", "b@x")
    #expect(daemon.output == "·· 2026-11-20 ··\n7 09:00:00 b@x: one\n9 09:00:05 b@x: [Lunch]\n")
  }

  @Test("unread lists the conversations with unread messages, newest first, page after page")
  func unread() {
    let row = { (jid: String, unread: Int) in #"{"conversation":{"jid":"\#(jid)","unread":\#(unread)}}"# }
    let daemon = FakeDaemon([
      FakeDaemon.greeting, .takes, .lines([#"{"ok":true,"unread":5,"mentions":0}"#]), .takes,
      .lines([row("a@x", 0), row("b@x", 2), #"{"ok":true,"more_before":true}"#]), .takes,
      .lines([row("c@x", 3), row("d@x", 0), #"{"ok":true,"more_before":true}"#]),
    ])
    #expect(daemon.run("unread") == 0)
    #expect(
      daemon.output == "  2                    b@x\n  3                    c@x\n")
    #expect(daemon.requests.last?.string(.before) == "b@x" && daemon.complaints == ["5 unread, 0 mentions"])
    let none = FakeDaemon(answers: #"{"ok":true,"unread":0,"mentions":0}"#)
    #expect(none.run("unread") == 0 && none.output.isEmpty && none.complaints == ["0 unread, 0 mentions"])
    let json = FakeDaemon(answers: #"{"ok":true,"unread":5,"mentions":0}"#)
    #expect(json.run("--json", "unread") == 0 && json.output == #"{"ok":true,"unread":5,"mentions":0}"# + "\n")
  }

  @Test("an absent draft exits with 1 and prints nothing")
  func draft() {
    for isJSON in [true, false] {
      let none = FakeDaemon(answers: #"{"ok":true,"text":""}"#)
      #expect(none.run((isJSON ? ["--json"] : []) + ["draft", "b@x"]) == 1 && none.complaints.isEmpty)
      #expect(none.output.isEmpty == !isJSON)
    }
    #expect(FakeDaemon(answers: #"{"ok":true,"text":"x"}"#).run("draft", "b@x") == 0)
    #expect(FakeDaemon(answers: #"{"ok":true}"#).run("draft", "b@x", "") == 0)
  }

  @Test("reasons spell options as the command line does")
  func spelled() {
    let daemon = FakeDaemon(
      answers:
        #"{"ok":false,"error":"account-needed","reason":"several accounts are configured (a, b): choose one with account="}"#
    )
    #expect(daemon.run("history", "b@x") == 64)
    #expect(
      daemon.complaints == [
        "confab: several accounts are configured (a, b): choose one with --account (account-needed)"
      ])
    let local = FakeDaemon()
    #expect(local.run("history", "--row=1", "--since=2h", "b@x") == 64)
    #expect(local.complaints == ["confab: --row and --since cannot be combined"])
  }

  @Test("a time-out exits with 3 if a message is stored, 75 if nothing is, and 1 if it is unknown")
  func timeouts() {
    let line = #"{"ok":false,"error":"timeout","reason":"late"}"#
    #expect(FakeDaemon(answers: line).run("status", "--for=online") == 75)
    #expect(FakeDaemon(answers: line).run("wait", "--for=sent", "5") == 3)
    #expect(FakeDaemon(answers: line).run("add", "b@x") == 1)
  }

  @Test("lines name the account if several are configured")
  func accounts() {
    let found = answered(
      [
        #"{"message":{"id":7,"from":"b@x","conversation":"b@x","account":"work","time":"2026-11-20T08:00:00Z","text":"one","hits":[]}}"#,
        #"{"ok":true}"#,
      ], "search", "one")
    #expect(found.output == "2026-11-20 09:00  b@x via work  b@x: one  id 7\n")
  }
}
