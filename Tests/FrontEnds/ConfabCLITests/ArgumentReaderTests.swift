import Clocks
import ConfabCLI
import LineProtocol
import Testing

@Suite("The command line")
struct ArgumentReaderTests {
  static let bob: NamedValues<ArgumentName> = [.to: .string("bob@x")]
  static let accepted: [([String], Invocation)] = [
    ([], Invocation(action: .interface(InterfaceRequest()))),
    (["--plain", "--account=home"], Invocation(action: .interface(InterfaceRequest(account: "home", isPlain: true)))),
    (["--no-ui"], Invocation(action: .overview)), (["--plain", "--no-ui"], Invocation(action: .overview)),
    (["--json"], Invocation(isJSON: true, action: .overview)),
    (["--help"], Invocation(action: .help(nil))), (["-h", "send"], Invocation(action: .help(nil))),
    (["--version"], Invocation(action: .version)),
    (["send", "--help"], Invocation(action: .help(.send))),
    (["history", "bob@x", "-h"], Invocation(action: .help(.history))),
    (["log", "verify", "--data", "x", "--json"], Invocation(action: .log(["verify", "--data", "x", "--json"]))),
    (["--socket", "/s", "ping"], Invocation(socket: "/s", action: .ask(Request(.ping), textFromInput: false))),
    (
      ["ping", "--socket=/s", "--json"],
      Invocation(socket: "/s", isJSON: true, action: .ask(Request(.ping), textFromInput: false))
    ),
    (["--account=home", "roster"], Invocation(action: .ask(Request(.roster, account: "home"), textFromInput: false))),
    (
      ["send", "bob@x", "hello", "--wait=sent", "  two  ", "-"],
      Invocation(
        action: .ask(Request(.send, arguments: bob, text: "hello --wait=sent   two   -"), textFromInput: false))
    ),
    (
      ["send", "--wait=delivered", "--timeout", "5s", "--key=k", "--account", "a", "bob@x", "hi"],
      Invocation(
        action: .ask(
          Request(
            .send, options: [.wait: .string("delivered"), .timeout: .duration(.seconds(5)), .key: .string("k")],
            arguments: bob, text: "hi", account: "a"), textFromInput: false))
    ),
    (["send", "bob@x", "-"], Invocation(action: .ask(Request(.send, arguments: bob), textFromInput: true))),
    (
      ["send", "--", "-odd", "-"],
      Invocation(action: .ask(Request(.send, arguments: [.to: .string("-odd")]), textFromInput: true))
    ),
    (
      ["send", "bob@x", "--", "--wait=sent", "x"],
      Invocation(action: .ask(Request(.send, arguments: bob, text: "--wait=sent x"), textFromInput: false))
    ),
    (
      ["send", "bob@x", "--wait=sent", "--account", "home", "hello", "--wait=sent", "--foo"],
      Invocation(
        action: .ask(
          Request(
            .send, options: [.wait: .string("sent")], arguments: bob, text: "hello --wait=sent --foo", account: "home"),
          textFromInput: false))
    ),
    (
      ["send", "--wait=sent", "bob@x", "-1"],
      Invocation(
        action: .ask(
          Request(.send, options: [.wait: .string("sent")], arguments: bob, text: "-1"), textFromInput: false))
    ),
    (
      ["send", "bob@x", "--- done ---"],
      Invocation(action: .ask(Request(.send, arguments: bob, text: "--- done ---"), textFromInput: false))
    ),
    (["send", "bob@x", "--help"], Invocation(action: .help(.send))),
    (
      ["send", "Bob", "--jid", "hi"],
      Invocation(
        options: [.jid],
        action: .ask(Request(.send, arguments: [.to: .string("Bob")], text: "hi"), textFromInput: false))
    ),
    (
      ["history", "bob@x", "--ids", "--seconds", "--ids"],
      Invocation(
        options: [.ids, .seconds],
        action: .ask(Request(.history, arguments: [.jid: .string("bob@x")]), textFromInput: false))
    ),
    (
      ["watch", "--reconnect"], Invocation(options: [.reconnect], action: .ask(Request(.watch), textFromInput: false))
    ),
    (
      ["read", "--all"],
      Invocation(action: .ask(Request(.read, options: [.all: .string("yes")]), textFromInput: false))
    ),
    (
      ["mention-words", "--clear"],
      Invocation(action: .ask(Request(.mentionWords, options: [.clear: .string("yes")]), textFromInput: false))
    ),
    (
      ["read", "bob@x", "--all=no"],
      Invocation(
        action: .ask(
          Request(.read, options: [.all: .string("no")], arguments: [.jid: .string("bob@x")]), textFromInput: false))
    ),
    (
      ["draft", "bob@x"],
      Invocation(action: .ask(Request(.draft, arguments: [.jid: .string("bob@x")]), textFromInput: false))
    ),
    (
      ["draft", "bob@x", ""],
      Invocation(action: .ask(Request(.draft, arguments: [.jid: .string("bob@x")], text: ""), textFromInput: false))
    ),
    (
      ["history", "bob@x", "--limit=5", "--until-time", "2026-11-20T09:10:00Z", "--before", "7"],
      Invocation(
        action: .ask(
          Request(
            .history,
            options: [
              .limit: .integer(5), .untilTime: .time(Timestamp(milliseconds: 1_795_165_800_000)), .before: .id(7),
            ], arguments: [.jid: .string("bob@x")]), textFromInput: false))
    ),
    (
      ["wait", "--for", "sent", "12"],
      Invocation(
        action: .ask(Request(.wait, options: [.for: .string("sent")], arguments: [.id: .id(12)]), textFromInput: false))
    ),
    (
      ["search", "--in=b@x", "hello", "--limit=5"],
      Invocation(
        action: .ask(Request(.search, options: [.in: .string("b@x")], text: "hello --limit=5"), textFromInput: false))
    ),
    (
      ["watch", "--kinds=message,state"],
      Invocation(action: .ask(Request(.watch, options: [.kinds: .list(["message", "state"])]), textFromInput: false))
    ),
    (
      ["add", "--name=Bob B", "b@x"],
      Invocation(
        action: .ask(
          Request(.add, options: [.name: .string("Bob B")], arguments: [.jid: .string("b@x")]), textFromInput: false))
    ),
    (
      ["presence", "away", "at", "lunch"],
      Invocation(
        action: .ask(Request(.presence, arguments: [.show: .string("away")], text: "at lunch"), textFromInput: false))
    ),
  ]

  @Test("what is understood", arguments: accepted.indices)
  func reads(index: Int) throws {
    let (arguments, invocation) = Self.accepted[index]
    #expect(try ArgumentReader.read(arguments) == invocation)
  }

  @Test("every verb is a command, except those that need a longer connection", arguments: Verb.allCases)
  func everyVerb(verb: Verb) {
    let isCommand = ![.quit, .unwatch, .focus, .fetchStop].contains(verb)
    let read = try? ArgumentReader.read([verb.rawValue, "--help"])
    #expect(read == (isCommand ? Invocation(action: .help(verb)) : nil))
    #expect(FakeDaemon().run("help", verb.rawValue) == (isCommand ? 0 : 64))
  }

  @Test(
    "what is not",
    arguments: [
      ["nosuch", "word"], ["retract"], ["react"], ["forward", "5"], ["-x"], ["--socket"], ["--socket="], ["--account="],
      ["ping", "x"],
      ["ping", "--nosuch"],
      ["send"], ["send", "bob@x"], ["send", "--wait=never", "bob@x", "hi"], ["send", "--wait"],
      ["send", "--key=", "bob@x", "hi"],
      ["send", "--wait=sent", "--wait=sent", "bob@x", "hi"], ["send", "--reply=x", "bob@x", "hi"], ["send", "", "hi"],
      ["wait", "12"], ["wait", "--for=sent"], ["wait", "--for=sent", "x"], ["history"], ["history", "a@x", "b@x"],
      ["history", "--limit=1001", "a@x"], ["history", "--before=1", "--after=2", "a@x"], ["watch", "--as="],
      ["presence", "gone"], ["read", "a@x", "1", "2"], ["-"], ["send", "bob@x", "--foo"],
      ["send", "bob@x", "--foo=1", "x"],
      ["send", "bob@x", "--"], ["read"], ["read", "--all", "a@x"], ["read", "--all=no"], ["read", "--all=perhaps"],
      ["history", "--since=25:00", "a@x"], ["history", "--since=2026-02-30", "a@x"], ["watch", "--ids"], ["quit"],
      ["unwatch"],
    ])
  func refuses(arguments: [String]) {
    #expect(throws: UsageFailure.self) { try ArgumentReader.read(arguments) }
    #expect(FakeDaemon().run(arguments) == 64)
  }

  @Test(
    "texts that cannot be sent",
    arguments: [
      ["send", "b@x", ""], ["send", "b@x", "a\u{1}"], ["send", "b@x", "\u{FFFF}"], ["draft", "b@x", "\u{1B}[2J"],
    ])
  func badTexts(arguments: [String]) {
    #expect(FakeDaemon().run(arguments) == 65)
  }

  @Test("arguments that are not UTF-8 are never mended")
  func notUTF8() {
    #expect(FakeDaemon().run("send", "b@x", "a", nil) == 65)
    #expect(FakeDaemon().run("send", nil, "a") == 64)
    #expect(FakeDaemon().run(nil) == 64)
    #expect(FakeDaemon().run("send", "b@x", String(repeating: "a", count: 60_001)) == 65)
  }
}
