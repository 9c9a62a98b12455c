import ConfabCLI
import ConfabClient
import LineProtocol
import Testing

@Suite("What people see")
struct OutputTests {
  @Test("a history in sections: who, when, how far")
  func history() {
    let daemon = FakeDaemon(
      answers:
        #"{"message":{"id":1,"conversation":"bob@x","from":"bob@x/p","mine":false,"time":"2026-11-19T22:58:00.000Z","text":"before","opens_section":false,"section":0}}"#,
      #"{"message":{"id":2,"conversation":"bob@x","from":"bob@x/p","nick":"Bob","mine":false,"time":"2026-11-19T23:59:59.000Z","text":"next\nday","opens_section":false,"section":0}}"#,
      #"{"message":{"id":3,"conversation":"bob@x","from":"me@x","mine":true,"time":"2026-11-25T08:05:00.000Z","text":"hi","opens_section":true,"section":3,"state":"sent"}}"#,
      #"{"message":{"id":4,"conversation":"bob@x","from":"me@x","mine":true,"time":"2026-11-25T08:06:00.000Z","text":"x","opens_section":false,"section":3,"state":"failed","failure":{"condition":"item-not-found","text":"nobody\u001b"}}}"#,
      #"{"ok":true,"count":4,"first_row":0,"more_before":false,"more_after":false,"seq":9}"#)
    #expect(daemon.run("history", "bob@x") == 0)
    #expect(
      daemon.output == """
        ·· 2026-11-19 ··
        23:58 bob@x: before
        ·· 2026-11-20 ··
        00:59 Bob: next
              day

        ── 2026-11-25 09:05 ──
        09:05 me: hi ✓
        09:06 me: x ✗ Not delivered: there is no such address. Check it. (item-not-found: nobody\u{FFFD})

        """)
  }

  @Test("on a terminal in colour, and then no other escapes than ours")
  func colour() {
    let daemon = FakeDaemon(
      answers:
        #"{"message":{"id":3,"from":"b@x","nick":"\u001b[5m\u202e","mine":false,"time":"2026-11-25T08:05:00.000Z","text":"\u001b[2J\u0007","opens_section":true,"section":3}}"#,
      #"{"ok":true}"#)
    daemon.isTerminal = true
    daemon.environment = ["TERM": "xterm-256color"]
    #expect(daemon.run("history", "b@x") == 0)
    #expect(
      daemon.output
        == "\u{1B}[1m── 2026-11-25 09:05 ──\u{1B}[0m\n\u{1B}[2m09:05\u{1B}[0m \u{1B}[32m\u{FFFD}[5m\u{FFFD}\u{1B}[0m: \u{FFFD}[2J\u{FFFD}\n"
    )
  }

  @Test("the row of a conversation is short, however long its last message, subject and draft are")
  func shortRow() {
    let pile = "e" + String(repeating: "\u{301}", count: 20_000)
    let daemon = FakeDaemon(
      answers:
        #"{"conversation":{"jid":"b@x","kind":"chat","unread":0,"count":1,"last":{"id":1,"from":"b@x/r","mine":false,"time":"2026-11-20T08:00:00Z","subject":"\#(pile)","text":"\#(pile)"},"draft":"\#(pile)"}}"#,
      #"{"ok":true}"#)
    #expect(daemon.run("conversations") == 0)
    let short = "e" + String(repeating: "\u{301}", count: 239) + "…"
    #expect(daemon.output == "     2026-11-20 09:00  b@x  b@x: [\(short)] \(short)  draft: \(short)\n")
  }

  @Test("What is set of a conversation stands in its row, and in the line of an event")
  func settings() {
    let conversation =
      #""conversation":{"jid":"b@x","kind":"chat","unread":2,"notify":"never","notify_until":"2026-11-20T09:00:00Z","pinned":true,"archived":true}"#
    let daemon = FakeDaemon(answers: "{\(conversation)}", #"{"ok":true}"#)
    #expect(daemon.run("conversations") == 0)
    #expect(daemon.output.hasSuffix("  b@x  [pinned, muted until 2026-11-20 10:00, archived]\n"), "\(daemon.output)")
    let events = FakeDaemon(
      answers: #"{"ok":true,"seq":1}"#, #"{"event":"conversation","seq":2,\#(conversation)}"#,
      #"{"event":"conversation","seq":3,"conversation":{"jid":"b@x","notify":"always","pinned":false,"archived":false}}"#
    )
    _ = events.run("watch")
    #expect(
      events.output
        == "* b@x is pinned, muted until 2026-11-20 10:00, archived\n* b@x is as usual\n")
  }

  @Test("a message without a text has one space before its file, its note and its state")
  func spaces() {
    let file = #""attachments":[{"url":"https://x/y","name":"a.pdf","type":"application/pdf","size":9}]"#
    func message(_ members: String) -> String {
      #"{"message":{"id":7,"conversation":"b@x","from":"b@x","nick":"Bob","mine":false,"time":"2026-11-20T08:00:00Z","opens_section":false,"section":0,\#(members)}}"#
    }
    let daemon = FakeDaemon(
      answers: message(#""text":"",\#(file)"#), message(#""text":"look",\#(file)"#),
      message(#""text":"","subject":"Plan",\#(file)"#), message(#""text":"","retracted":{"by":"b@x"}"#),
      #"{"ok":true}"#)
    #expect(daemon.run("history", "b@x") == 0)
    let said = daemon.output.split(separator: "\n").filter { $0.contains("Bob") }.map { $0.drop { $0 != "B" } }
    #expect(
      said == [
        "Bob: [a.pdf: PDF, 9 bytes]", "Bob: look [a.pdf: PDF, 9 bytes]",
        "Bob: [Plan] [a.pdf: PDF, 9 bytes]", "Bob retracted this message.",
      ], "\(daemon.output)")
  }

  @Test("status counts each message once")
  func counts() {
    let account = #"{"account":{"name":"home","jid":"a@x","state":"online","queued":6,"held":1,"unacked":2}}"#
    let daemon = FakeDaemon(answers: account, #"{"ok":true}"#)
    #expect(daemon.run("status") == 0)
    #expect(daemon.output.contains("messages   3 queued, 1 held, 2 unacked"), "\(daemon.output)")
  }

  @Test("unread-from says how much is unread now")
  func unreadFrom() {
    let daemon = FakeDaemon(answers: #"{"ok":true,"unread":3,"mentions":0}"#)
    #expect(daemon.run("unread-from", "b@x", "7") == 0)
    #expect(daemon.output == "3 unread, 0 mentions\n")
    #expect(daemon.requests.first?.id(.id) == 7)
  }

  @Test("what a search found, a line each, and the hits painted on a terminal")
  func found() {
    let answers = [
      #"{"message":{"id":7,"conversation":"bob@x","from":"bob@x/p","nick":"Bob","mine":false,"time":"2026-11-19T22:58:00.000Z","text":"say hello\nhell","opens_section":false,"section":0,"hits":[[4,7],[10,13],[99,100]]}}"#,
      #"{"ok":true,"more_before":false,"seq":9}"#,
    ]
    let piped = FakeDaemon(answers: answers[0], answers[1])
    #expect(piped.run("search", "--limit=5", "hel") == 0)
    #expect(piped.output == "2026-11-19 23:58  bob@x  Bob: say hello↵hell  id 7\n")
    let terminal = FakeDaemon(answers: answers[0], answers[1])
    terminal.isTerminal = true
    terminal.environment = ["TERM": "xterm"]
    #expect(terminal.run("search", "hel") == 0)
    #expect(terminal.output.contains("say \u{1B}[31mhel\u{1B}[0mlo↵\u{1B}[31mhel\u{1B}[0ml"))
  }

  @Test("JSON goes through as it is, but to a terminal with bidi controls escaped")
  func json() {
    let line = "{\"message\":{\"text\":\"a\u{202E}b\u{200F}\"}}"
    let piped = FakeDaemon(answers: line, #"{"ok":true}"#)
    #expect(piped.run("history", "b@x", "--json") == 0)
    #expect(piped.output == line + "\n{\"ok\":true}\n")
    let terminal = FakeDaemon(answers: line, #"{"ok":true}"#)
    terminal.isTerminal = true
    #expect(terminal.run("history", "b@x", "--json") == 0)
    #expect(terminal.output == #"{"message":{"text":"a\u202eb\u200f"}}"# + "\n{\"ok\":true}\n")
  }

  @Test(
    "the other objects, a line each",
    arguments: [
      (
        "status",
        #"{"account":{"name":"home","jid":"a@x","state":"online","since":"2026-11-20T08:00:00Z","reason":"logged in as a@x/r","server":"h:5223","tls":"TLSv1.3","queued":2,"unacked":0}}"#,
        "home  a@x  online  since 2026-11-20 09:00\n  state      logged in as a@x/r\n  server     h:5223\n  security   TLSv1.3\n  messages   2 queued"
      ),
      (
        "status",
        #"{"account":{"name":"home","jid":"a@x","state":"waiting","reason":"no route","retry_at":"2026-11-20T08:00:00Z"}}"#,
        "home  a@x  waiting\n  reason     no route\n  next try   09:00:00"
      ),
      (
        "status",
        #"{"account":{"name":"home","jid":"a@x","state":"waiting","presence":{"show":"away","status":"back at ten"},"storage":{"reason":"the disk is full"},"reason":"the server says the password is wrong (not-authorized: The response provided by the client doesn't match.)"}}"#,
        """
        home  a@x  waiting
          presence   away (back at ten)
          reason     the server says the password is wrong (not-authorized: The response
                     provided by the client doesn't match.)
          storage    the disk is full
        """
      ),
      (
        "conversations",
        #"{"conversation":{"jid":"b@x","name":"Bob","kind":"chat","unread":12,"count":3,"last":{"id":1,"from":"b@x/r","mine":false,"time":"2026-11-20T08:00:00Z","text":"a\nb"},"draft":"so\u0007"}}"#,
        " 12  2026-11-20 09:00  Bob <b@x>  b@x: a↵b  draft: so\u{FFFD}"
      ),
      (
        "conversations", #"{"conversation":{"jid":"b@x","kind":"chat","unread":0,"count":0,"account":"work"}}"#,
        "                       b@x via work"
      ),
      (
        "sections",
        #"{"section":{"id":5,"start":"2026-11-20T08:00:00Z","end":"2026-11-20T09:30:00Z","count":1,"first":5,"last":5,"title":"2026-11-20 09:00"}}"#,
        "2026-11-20 09:00  to 2026-11-20 10:30  1 message  id 5"
      ),
      (
        "roster",
        #"{"contact":{"jid":"b@x","name":"Bob","groups":["F","G\u202e"],"subscription":"both","presence":[{"resource":"r","show":"away","status":"lunch"}]}}"#,
        "away: lunch  Bob <b@x>  [F]  [G\u{FFFD}]  both"
      ),
      (
        "roster", #"{"contact":{"jid":"b@x","groups":[],"subscription":"none","request":true,"presence":[]}}"#,
        "not asked for presence  b@x  none  asks to see your presence: accept or deny"
      ),
      (
        "roster", #"{"contact":{"jid":"b@x","groups":[],"subscription":"both","presence":[]}}"#, "offline  b@x  both"
      ),
      (
        "roster",
        #"{"contact":{"jid":"b@x","groups":[],"subscription":"both","blocked":true,"presence":[{"resource":"r","show":"away"}]}}"#,
        "blocked  b@x  both"
      ),
      ("groups", #"{"group":{"name":"Friends","contacts":1,"unread":2}}"#, "Friends  1 contact  2 unread"),
      (
        "profile",
        #"{"profile":{"jid":"b@x","full_name":"B\u001b\u202eob","email":["b@x","b@y"],"note":"one\ntwo"}}"#,
        "full name: B\u{FFFD}\u{FFFD}ob\nemail: b@x\nemail: b@y\nnote: one\n    two"
      ),
      ("blocked", #"{"blocked":{"jid":"m\u202e@x"}}"#, "m\u{FFFD}@x"),
    ])
  func rows(command: String, line: String, text: String) {
    let ok = #"{"ok":true}"#
    let daemon =
      command == "roster" ? FakeDaemon(rosterOf: ["home": "online"], line, ok) : FakeDaemon(answers: line, ok)
    #expect(daemon.run(["sections", "profile"].contains(command) ? [command, "b@x"] : [command]) == 0)
    #expect(daemon.output == text + "\n")
  }

  @Test("who is there is not known while an account is offline")
  func offlineAccount() {
    let contacts = ["", #","account":"home""#, #","account":"work""#].map {
      #"{"contact":{"jid":"b@x","groups":[],"subscription":"both","presence":[]\#($0)}}"#
    }
    let one = FakeDaemon(rosterOf: ["home": "waiting"], contacts[0], #"{"ok":true}"#)
    #expect(one.run("roster") == 0 && one.output == "unknown  b@x  both\n")
    let two = FakeDaemon(rosterOf: ["home": "waiting", "work": "online"], contacts[1], contacts[2], #"{"ok":true}"#)
    #expect(two.run("roster") == 0)
    #expect(two.output == "unknown  b@x via home  both\noffline  b@x via work  both\n")
    // One that may not ask, and accounts that are none.
    for status in [[#"{"ok":false,"error":"forbidden","reason":"x"}"#], [#"{"account":5}"#, #"{"ok":true}"#]] {
      let odd = FakeDaemon([
        FakeDaemon.greeting, .takes, .lines(status), .takes, .lines([contacts[0], #"{"ok":true}"#]),
      ])
      #expect(odd.run("roster") == 0 && odd.output == "offline  b@x  both\n" && odd.complaints.isEmpty)
    }
  }

  @Test("lines of a stranger's making break nothing")
  func oddLines() {
    for line in [
      #"{"message":{}}"#, #"{"message":5}"#, #"{"account":{}}"#, #"{"nosuch":{"a":1}}"#, "{}",
      #"{"section":{"count":-9223372036854775808}}"#,
    ] {
      #expect(FakeDaemon(answers: line, #"{"ok":true}"#).run("status") == 0)
    }
    #expect(FakeDaemon(answers: "[]").run("status") == 69)
    #expect(FakeDaemon(answers: "{\"ok\":true").run("status") == 69)
  }

  @Test(
    "final lines in words",
    arguments: [
      (["ping"], #"{"ok":true}"#, "ok\n"), (["version"], #"{"ok":true,"version":"0.1.0"}"#, "confabd 0.1.0\n"),
      (["wait", "--for=sent", "5"], #"{"ok":true,"state":"delivered"}"#, "delivered\n"),
      (["unread", "--in=b@x"], #"{"ok":true,"unread":2,"mentions":1}"#, "2 unread, 1 mention\n"),
      (["draft", "b@x"], #"{"ok":true,"text":"a\nb\u001b"}"#, "a\nb\u{FFFD}\n"),
      (["draft", "b@x", "t"], #"{"ok":true}"#, ""),
      (
        ["reload"], #"{"ok":true,"changed":["snap-interval"],"restart":["socket"]}"#,
        "changed: snap-interval; needs a restart: socket\n"
      ),
      (["reload"], #"{"ok":true,"changed":[],"restart":[]}"#, "nothing changed\n"),
      (["accept", "b@x"], #"{"ok":true}"#, ""),
    ])
  func finals(arguments: [String], line: String, text: String) {
    let daemon = FakeDaemon(answers: line)
    #expect(daemon.run(arguments) == 0)
    #expect(daemon.output == text)
  }

  @Test("help and version need no daemon")
  func help() {
    for arguments in [["--help"], ["send", "--help"], ["help"], ["help", "send"], ["help", "--json"], ["--version"]] {
      let daemon = FakeDaemon()
      #expect(daemon.run(arguments) == 0 && daemon.dials.isEmpty && !daemon.output.isEmpty)
    }
    #expect(FakeDaemon().run("help", "nosuch") == 64)
    let daemon = FakeDaemon()
    _ = daemon.run("--version")
    #expect(daemon.output == "confab 0.1.0\n")
    #expect(VerbTable.commands.allSatisfy { HelpText.all().contains("\n  \($0.verb.rawValue) ") })
    #expect(!HelpText.all().contains("\n  quit ") && !HelpText.all().contains("\n  unwatch "))
    #expect(
      HelpText.of(.history).contains("--until-time") && HelpText.of(.send).contains("usage: confab send [--wait="))
    #expect(ExitCode.allCases.allSatisfy { HelpText.all().contains("\n  \($0.rawValue) ") })
  }

  @Test("confab log goes to the tool that reads the files")
  func log() {
    let daemon = FakeDaemon()
    #expect(daemon.run("log", "export", "--jsonl") == 7)
    #expect(daemon.logCalls == [["export", "--jsonl"]] && daemon.dials.isEmpty)
  }

  @Test("what concerns the socket is refused in front of it, and help has all commands of our own")
  func ownCommands() {
    let daemon = FakeDaemon()
    #expect(daemon.run("--json", "log", "export") == 64)
    #expect(daemon.run("--account=home", "log", "import", "--jsonl", "x") == 64)
    #expect(daemon.run("--socket", "/s", "log", "verify") == 64)
    #expect(daemon.logCalls.isEmpty && daemon.output.isEmpty)
    for command in LocalCommand.allCases {
      #expect(daemon.run("help", command.rawValue) == 0)
      #expect(daemon.output.contains("usage: confab \(command.rawValue)"))
    }
    #expect(daemon.output.contains("confab log verify|dump|export|import|scrub"))
  }
}
