import Clocks
import JSON
import TerminalUI
import Testing

@Suite("The plain mode")
struct PlainTests {
  private let ui: PlainApplication
  private var now = Moment(instant: Instant(milliseconds: 0), wall: Harness.start)
  private var said: [String] = []
  private var sent: [JSONValue] = []

  init() {
    let environment = ApplicationEnvironment(offset: { _ in 0 }, words: .english, token: "run", socket: "/s")
    ui = PlainApplication(environment, now: now)
    handle(.lines([Array(#"{"confab":1,"log":"L","limits":{"text":60000}}"#.utf8)]))
    handle(Harness.noAccounts(sent))
  }

  private mutating func handle(_ event: PlainEvent) {
    let (lines, actions) = ui.handle(event, at: now)
    said += lines
    for case .send(let bytes) in actions {
      sent += bytes.split(separator: 0x0A).compactMap { try? JSONParser.parse(Array($0), maximumDepth: 9) }
    }
  }

  private mutating func answer(
    _ verb: String, _ data: [String], _ final: String = #""ok":true"#, known: String? = nil
  ) throws {
    let request = try #require(sent.last { $0["verb"]?.string == verb && $0["known"]?.string == known })
    let tag = request["tag"]?.integer ?? 0
    for line in data + [final] { handle(.lines([Array(#"{\#(line),"tag":\#(tag)}"#.utf8)])) }
  }

  @Test("a daemon that hangs is said once, and that it answers again")
  mutating func hanging() {
    handle(.typed("/open bob@example.org"))
    for seconds: Int64 in [4, 5, 6] {
      now = Moment(instant: Instant(milliseconds: 1000 * seconds), wall: Harness.start)
      handle(.deadline)
      #expect(said.count { $0.hasPrefix("The daemon does not answer.") } == (seconds < 5 ? 0 : 1))
    }
    #expect(ui.deadline == nil, "nothing wakes up for it any more")
    handle(.lines([Array(#"{"event":"caught-up"}"#.utf8)]))
    #expect(said.last == "The daemon answers again.")
  }

  @Test("answers are said in words for people, and help names no command of machines")
  mutating func answers() throws {
    handle(.typed("/search lunch"))
    #expect(sent.last?["text"]?.string == "lunch")
    try answer("search", [#""message":\#(Harness.message(7, "Lunch\\nat noon?", minutes: -65))"#])
    #expect(said.last == "Today 8:55, bob@example.org, Bob: Lunch at noon?")
    handle(.typed("/search nothing"))
    try answer("search", [])
    #expect(said.last == "There is nothing to show.")
    handle(.typed("/status"))
    try answer(
      "status",
      [
        #""account":{"name":"home","jid":"a@example.org","state":"waiting","reason":"no route","queued":2,"held":0,"carbons":true}"#
      ])
    #expect(
      said.suffix(3) == [
        "home, a@example.org: offline, tries again soon", "  reason: no route", "  messages: 2 waiting to be sent",
      ])
    handle(.typed("/presence away"))
    try answer("presence", [])
    #expect(said.last == "Done: /presence away.")
    handle(.typed("/help"))
    for machine in ["/ack", "/watch", "/cursors", "/ping"] { #expect(!said.contains { $0.hasPrefix(machine) }) }
    #expect(said.contains { $0.hasPrefix("/presence") })
    #expect(!said.contains { $0.contains("{") || $0.contains("\"") })
  }

  @Test("a text that is too long is refused, and nothing waits for it")
  mutating func tooLong() throws {
    handle(.typed("/open bob@example.org"))
    try answer("history", [])
    let text = String(repeating: "q", count: 60_001)
    for command in ["//", "/search ", "/file /a ", ""] { handle(.typed(command + text)) }
    #expect(!sent.contains { ["send", "search"].contains($0["verb"]?.string) })
    #expect(said.count { $0.hasPrefix("Not sent: the text has 6000") } == 4)
    #expect(said.last == "Not sent: the text has 60001 bytes; at most 60000 can be sent.")
    handle(.typed(String(text.dropLast())))
    #expect(sent.last { $0["verb"]?.string == "send" }?["text"]?.string?.utf8.count == 60_000)
  }

  @Test("a command without a connection is refused, and so is one that the cut left without an answer")
  mutating func offline() {
    handle(.typed("/presence dnd"))
    handle(.disconnected("gone"))
    #expect(said.last == "/presence dnd: the connection to the daemon was cut")
    handle(.typed("/presence away"))
    #expect(said.last == "/presence away: there is no connection to the daemon")
    handle(.typed("/search lunch"))
    #expect(said.last == "there is no connection to the daemon")
  }

  @Test("a request that is too long is refused before it is sent, and nothing waits for it")
  mutating func tooLongRequest() throws {
    handle(.typed("/open bob@example.org"))
    try answer("history", [#""message":\#(Harness.message(7, "Lunch?"))"#])
    for request in sent { handle(.lines([Array(#"{"ok":true,"tag":\#(request["tag"]?.integer ?? 0)}"#.utf8)])) }
    #expect(!ui.isBusy)
    sent = []
    handle(.typed("/react 1 " + Array(repeating: "👍", count: 16_000).joined(separator: " ")))
    #expect(said.last?.hasPrefix("react: the request has 1") == true)
    #expect(said.last?.hasSuffix(" bytes; at most 65536 can be sent") == true)
    #expect(!ui.isBusy && sent.isEmpty)
    handle(.typed("/profile " + String(repeating: "q", count: 65_510) + "@example.org"))
    #expect(said.last?.contains("can be sent") == true && !ui.isBusy && sent.isEmpty)
    handle(.typed("/react 1 👍"))
    #expect(sent.count == 1 && ui.isBusy)
  }

  @Test(
    "an answer whose tag is a string is one, as that of a text whose escapes are too long for JSON")
  mutating func wordTags() throws {
    handle(.typed("/open bob@example.org"))
    handle(.typed("hi"))
    #expect(ui.isBusy)
    var answered = 0
    while answered < sent.count {
      let tag = try #require(sent[answered]["tag"]?.integer)
      handle(.lines([Array(#"{"ok":true,"id":5,"tag":"\#(tag)"}"#.utf8)]))
      answered += 1
    }
    #expect(sent.contains { $0["verb"]?.string == "send" } && !ui.isBusy)
  }

  @Test("what cannot be taken back is asked about first")
  mutating func asking() throws {
    handle(.typed("/remove bob@example.org"))
    #expect(!sent.contains { $0["verb"]?.string == "remove" })
    handle(.typed("/yes"))
    #expect(sent.last?["verb"]?.string == "remove")
  }

  @Test("lines are said and sent, without any control character")
  mutating func conversation() throws {
    try answer(
      "conversations", [#""conversation":\#(Harness.conversation("bob@example.org", name: "Bob", unread: 1))"#],
      known: "yes")
    let eve = Harness.conversation("eve@evil.example", name: "eve@evil.example", unread: 3).replacing(
      #""draft""#, with: #""known":false,"draft""#)
    try answer("conversations", [#""conversation":\#(eve)"#], known: "no")
    #expect(
      said.suffix(3) == [
        "1. Bob, bob@example.org, 1 unread", "People you do not know:", "2. eve@evil.example, 3 unread",
      ])
    handle(.typed("1"))
    try answer("history", [#""message":\#(Harness.message(1, "hello", opens: true))"#])
    #expect(said.suffix(3) == ["Today:", "Unread from here:", "Bob: hello 10:00 #1"])
    handle(.typed("hi there"))
    #expect(sent.last { $0["verb"]?.string == "send" }?["text"]?.string == "hi there")
    #expect(sent.contains { $0["verb"]?.string == "read" }, "what was said while somebody typed was read")
    handle(.typed("/quiet"))
    #expect(said.last?.contains("no command /quiet") == true)
  }
}
