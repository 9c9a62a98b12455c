import Clocks
import JSON
import TerminalUI
import Testing

@Suite("The plain mode")
struct PlainTests {
  @Test("lines are said and sent, without any control character")
  func conversation() throws {
    let now = Moment(instant: Instant(milliseconds: 0), wall: Harness.start)
    let environment = ApplicationEnvironment(offset: { _ in 0 }, words: .english, token: "run", socket: "/s")
    let ui = PlainApplication(environment, now: now)
    var said: [String] = []
    var sent: [JSONValue] = []
    func handle(_ event: PlainEvent) {
      let (lines, actions) = ui.handle(event, at: now)
      said += lines
      for case .send(let bytes) in actions {
        sent += bytes.split(separator: 0x0A).compactMap { try? JSONParser.parse(Array($0), maximumDepth: 9) }
      }
    }
    func answer(_ verb: String, _ data: [String], _ final: String = #""ok":true"#) throws {
      let request = try #require(sent.last { $0["verb"]?.string == verb })
      let tag = request["tag"]?.integer ?? 0
      for line in data + [final] { handle(.line(Array(#"{\#(line),"tag":\#(tag)}"#.utf8))) }
    }
    handle(.line(Array(#"{"confab":1,"log":"L","limits":{"text":60000}}"#.utf8)))
    try answer(
      "conversations", [#""conversation":\#(Harness.conversation("bob@example.org", name: "Bob", unread: 1))"#])
    #expect(said.contains("1. Bob, bob@example.org, 1 unread"))
    handle(.typed("1"))
    try answer("history", [#""message":\#(Harness.message(1, "hello", opens: true))"#])
    #expect(said.contains("Today. Bob: hello 10:00"))
    handle(.typed("hi there"))
    #expect(sent.last { $0["verb"]?.string == "send" }?["text"]?.string == "hi there")
    #expect(sent.contains { $0["verb"]?.string == "read" }, "what was said while somebody typed was read")
    handle(.typed("/quiet"))
    #expect(said.last?.contains("no command /quiet") == true)
  }
}
