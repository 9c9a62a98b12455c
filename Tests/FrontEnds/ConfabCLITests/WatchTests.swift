import ConfabClient
import LineProtocol
import Syscalls
import Testing

@Suite("confab watch, and the overview")
struct WatchTests {
  private static let message =
    #"{"event":"message","seq":8,"message":{"id":8,"conversation":"b@x","from":"b@x/r","mine":false,"time":"2026-11-20T08:00:00Z","text":"a\nb"}}"#

  @Test("each event is one line, each as it comes; a daemon that goes away ends it")
  func events() {
    let daemon = FakeDaemon([
      FakeDaemon.greeting, .takes, .lines([#"{"ok":true,"seq":5}"#]),
      .lines([
        Self.message, #"{"event":"state","seq":9,"conversation":"b@x","id":7,"state":"sent"}"#,
        #"{"event":"state","seq":10,"conversation":"b@x","id":7,"state":"failed","failure":{"condition":"gone"}}"#,
        #"{"event":"caught-up","seq":10}"#, #"{"event":"draft","seq":11,"conversation":"b@x","text":""}"#,
        #"{"event":"connection","account":"home","state":"waiting","reason":"no\nroute"}"#,
        #"{"event":"presence","jid":"b@x/r","show":"away","status":"\u001b"}"#,
        #"{"event":"presence","jid":"c@x","show":"away","status":"","blocked":true}"#, #"{"event":"of-later","x":1}"#,
      ]), .closes,
    ])
    #expect(daemon.run("watch", "--since=5") == 69)
    #expect(
      daemon.output == """
        2026-11-20 09:00 b@x b@x: a↵b
        * b@x message 7: sent ✓
        * b@x message 7: ✗ Not delivered: the address has moved. Ask for the new one. (gone)
        * b@x draft: (none)
        * home waiting no↵route
        * b@x/r away \u{FFFD}
        * c@x blocked

        """)
    #expect(daemon.dials.first?.watching == true && daemon.requests.first?.id(.since) == 5)
  }

  @Test("in JSON every line is passed on")
  func json() {
    let daemon = FakeDaemon([
      FakeDaemon.greeting, .takes, .lines([#"{"ok":true,"seq":5}"#, Self.message, #"{"event":"of-later"}"#]), .closes,
    ])
    _ = daemon.run("watch", "--json")
    #expect(
      daemon.output == [#"{"ok":true,"seq":5}"#, Self.message, #"{"event":"of-later"}"#, ""].joined(separator: "\n"))
  }

  @Test("when nobody reads any more it ends quietly")
  func closedOutput() {
    let script: [FakeDaemon.Step] = [FakeDaemon.greeting, .takes, .lines([#"{"ok":true,"seq":5}"#, Self.message])]
    let writing = FakeDaemon(script)
    writing.outputLimit = 3
    #expect(writing.run("watch") == 0 && writing.complaints.isEmpty)
    let waiting = FakeDaemon(script + [.outputCloses])
    #expect(waiting.run("watch") == 0 && waiting.complaints.isEmpty)
  }

  @Test("a refused watch says why")
  func refused() {
    #expect(
      FakeDaemon(answers: #"{"ok":false,"error":"other-log","reason":"not this log"}"#).run("watch", "--since=9") == 1)
  }

  @Test("a query that is cut off can be repeated; a command cannot be known")
  func cuts() {
    #expect(FakeDaemon([FakeDaemon.greeting, .takes, .closes]).run("status") == 75)
    #expect(FakeDaemon([FakeDaemon.greeting, .takes, .closes]).run("remove", "b@x") == 69)
    #expect(FakeDaemon([FakeDaemon.greeting, .cutsWriting]).run("remove", "b@x") == 75)
  }

  @Test("the overview: accounts, then conversations")
  func overview() {
    let daemon = FakeDaemon([
      FakeDaemon.greeting, .takes,
      .lines([#"{"account":{"name":"home","jid":"a@x","state":"online"}}"#, #"{"ok":true}"#]), .takes,
      .lines([#"{"conversation":{"jid":"b@x","unread":1}}"#, #"{"ok":true}"#]), .takes,
      .lines([#"{"conversation":{"jid":"s@y","unread":2}}"#, #"{"ok":true}"#]),
    ])
    #expect(daemon.run() == 0)
    #expect(
      daemon.output == """
        home  a@x  online

          1                    b@x
        Strangers, neither in the roster nor ever written to:
          2                    s@y

        """)
    #expect(daemon.requests.map(\.verb) == [.status, .conversations, .conversations] && daemon.dials.count == 1)
    #expect(daemon.requests.compactMap { $0.string(.known) } == ["yes", "no"])
  }

  @Test("a long last message is cut in the list")
  func preview() {
    let last = { (text: String) in
      #"{"conversation":{"jid":"b@x","unread":0,"last":{"id":1,"time":"2026-11-20T08:00:00Z","from":"b@x","text":"\#(text)"}}}"#
    }
    for (text, shown) in [
      (String(repeating: "é", count: 60), String(repeating: "é", count: 60)),
      (String(repeating: "é", count: 61), String(repeating: "é", count: 60) + "…"),
    ] {
      let daemon = FakeDaemon(answers: last(text), #"{"ok":true}"#)
      #expect(daemon.run("conversations") == 0 && daemon.output.hasSuffix("b@x: \(shown)\n"))
    }
  }

  @Test("the overview of nothing, and without a daemon")
  func emptyOverview() {
    let daemon = FakeDaemon([
      FakeDaemon.greeting, .takes, .lines([#"{"ok":true}"#]), .takes, .lines([#"{"ok":true}"#]), .takes,
      .lines([#"{"ok":true}"#]),
    ])
    #expect(daemon.run() == 0 && daemon.output.contains("No account is configured."))
    #expect(FakeDaemon([.absent]).run() == 69)
  }

  @Test(
    "where the socket is looked for",
    arguments: [
      ("/o", ["CONFAB_SOCKET": "/c", "XDG_RUNTIME_DIR": "/r"], true, "/o"),
      (nil, ["CONFAB_SOCKET": "/c", "XDG_RUNTIME_DIR": "/r"], true, "/c"),
      (nil, ["CONFAB_SOCKET": "", "XDG_RUNTIME_DIR": "/r"], true, "/r/confab/socket"),
      (nil, ["XDG_RUNTIME_DIR": "/r"], false, "/run/confab/socket"), (nil, [:], true, "/run/confab/socket"),
    ] as [(String?, [String: String], Bool, String)])
  func socketPath(option: String?, environment: [String: String], exists: Bool, path: String) {
    #expect(SocketPath.choose(option: option, variable: { environment[$0] }, exists: { _ in exists }).path == path)
  }

  @Test("if no daemon is there, the path of one's own is named before the system's")
  func noSocket() {
    let choice = SocketPath.choose(option: nil, variable: { ["XDG_RUNTIME_DIR": "/r"][$0] }, exists: { _ in false })
    let failure = choice.failure(.missing("socket"))
    #expect(failure.hasPrefix("/r/confab/socket and /run/confab/socket: "))
    let told = SocketPath.choose(option: "/o", variable: { _ in nil }, exists: { _ in false })
    #expect(told.failure(.missing("socket")).hasPrefix("/o: "))
  }
}
