import Clocks
import JSON
import TerminalUI
import Testing

@Suite("Conversations in the plain mode")
struct PlainConversationTests {
  private let ui: PlainApplication
  private let now = Moment(instant: Instant(milliseconds: 0), wall: Harness.start)

  /// The daemon lists Bob Marsh, Bob Reed and Zoe.
  init() {
    let environment = ApplicationEnvironment(offset: { _ in 0 }, words: .english, token: "run", socket: "/s")
    ui = PlainApplication(environment, now: now)
    let asked = handle(.lines([Array(#"{"confab":1,"log":"L","limits":{"text":60000}}"#.utf8)])).sent
    let rows = [
      ("bob@example.org", "Bob Marsh", 2), ("reed@example.org", "Bob Reed", 0), ("zoe@example.org", "Zoe", 0),
    ]
    .map { #""conversation":\#(Harness.conversation($0, name: $1, unread: $2, count: 3))"# }
    for request in asked where request["verb"]?.string == "conversations" {
      _ = answer(request, request["known"]?.string == "yes" ? rows : [])
    }
    _ = handle(Harness.noAccounts(asked))
  }

  private func handle(_ event: PlainEvent) -> (said: [String], sent: [JSONValue]) {
    let (lines, actions) = ui.handle(event, at: now)
    var sent: [JSONValue] = []
    for case .send(let bytes) in actions {
      sent += bytes.split(separator: 0x0A).compactMap { try? JSONParser.parse(Array($0), maximumDepth: 9) }
    }
    return (lines, sent.filter { !["read", "focus"].contains($0["verb"]?.string) })
  }

  private func type(_ text: String) -> [String] { handle(.typed(text)).said }

  private func verb(_ text: String) -> String? { handle(.typed(text)).sent.first?["verb"]?.string }

  private func answer(_ request: JSONValue?, _ data: [String], _ final: String = #""ok":true"#) -> [String] {
    let tag = request?["tag"]?.integer ?? -1
    return handle(.lines((data + [final]).map { Array(#"{\#($0),"tag":\#(tag)}"#.utf8) })).said
  }

  private func event(_ id: UInt64, _ text: String, minutes: Int = 0) -> [UInt8] {
    Array(#"{"event":"message","seq":\#(id),"message":\#(Harness.message(id, text, minutes: minutes))}"#.utf8)
  }

  @Test("in a room who is there, its topic and the rooms of its service are asked for, and said line by line")
  func room() {
    let room = RoomScene.room("joined")
    _ = handle(.lines([#"{"event":"room","seq":9,"why":"state","room":\#(room)}"#].map { Array($0.utf8) }))
    _ = type("/open \(RoomScene.jid)")
    #expect(verb("/names") == "members" && verb("/topic") == "room" && verb("/rooms") == "rooms")
  }

  // MARK: Questions

  @Test("a question says whom it is about, and only the next line answers it")
  func questions() {
    _ = type("/open zoe@example.org")
    let question = "/forget-history zoe@example.org? /yes does it, /no leaves it."
    #expect(type("/forget-history") == [question])
    #expect(type("/no") == ["Left as it is."] && type("/yes") == ["Nothing was asked."])
    #expect(type("/forget-history") == [question])
    #expect(verb("hello") == "send" && type("/yes") == ["Nothing was asked."])
    #expect(type("/forget-history") == [question] && type("").isEmpty && verb("/yes") == nil)
    #expect(type("/forget-history") == [question] && verb("/yes") == "forget-history")
  }

  // MARK: Names

  @Test("a part of a name opens the only conversation that has it")
  func partOfName() {
    #expect(type("/open marsh").first == "Conversation with Bob Marsh, bob@example.org.")
    #expect(type("/open ZO").first == "Conversation with Zoe, zoe@example.org.")
    #expect(type("/open new@example.org") == ["Conversation with new@example.org."])
  }

  @Test("a name of several lists them, and a number opens one; meanwhile no text is sent")
  func severalNames() {
    _ = type("/open zoe")
    #expect(
      type("/open bob") == [
        "2 people are called “bob”. No conversation is open.", "1. Bob Marsh, bob@example.org",
        "2. Bob Reed, reed@example.org",
      ])
    #expect(type("hello")[0].hasPrefix("Not sent: no conversation is open."))
    #expect(type("2").first == "Conversation with Bob Reed, reed@example.org.")
    #expect(verb("hello") == "send")
  }

  @Test("a name of nobody closes the open conversation, and what follows is neither sent nor taken for a name")
  func unknownName() {
    _ = type("/open zoe")
    #expect(type("/open carl") == ["Nobody is called “carl”. No conversation is open."])
    let (said, sent) = handle(.typed("Bob Reed"))
    #expect(said[0].hasPrefix("Not sent: no conversation is open.") && sent.isEmpty)
    #expect(type("/open zoe").first == "Conversation with Zoe, zoe@example.org.")
  }

  @Test("a number is a text while a conversation is open, unless the line before listed them")
  func numbers() {
    _ = type("1")
    #expect(verb("2") == "send")
    #expect(type("/list").first?.hasPrefix("1. Bob Marsh") == true)
    #expect(type("3").first == "Conversation with Zoe, zoe@example.org.")
  }

  @Test("a command without its slash is pointed out", arguments: ["help", "quit", "list"])
  func bareCommand(word: String) {
    #expect(type(word) == ["Nobody is called “\(word)”. The command is /\(word)."])
  }

  // MARK: Messages

  @Test("a queued message is called so in the list and in its line only while an account is offline")
  func queued() {
    let last = Harness.message(9, "hi", mine: true, state: "queued")
    let row = Harness.conversation("zoe@example.org", name: "Zoe", unread: 0, count: 4).replacing(
      #""draft""#, with: #""last":\#(last),"draft""#)
    _ = handle(.disconnected("gone"))
    let asked = handle(.lines([Array(#"{"confab":1,"log":"L","limits":{"text":60000}}"#.utf8)])).sent
    for request in asked where request["verb"]?.string == "conversations" && request["known"]?.string == "yes" {
      _ = answer(request, [#""conversation":\#(row)"#])
    }
    #expect(type("/list").first == "1. Zoe, zoe@example.org, last: me: hi")
    let status = asked.first { $0["verb"]?.string == "status" }
    _ = answer(status, [#""account":{"name":"home","jid":"a@example.org","state":"waiting"}"#])
    #expect(type("/list").first == "1. Zoe, zoe@example.org, last: me: hi, queued")
  }

  @Test("a page is said with its days and where the unread messages begin; older ones are said once")
  func pages() {
    let history = handle(.typed("/open marsh")).sent.first
    let rows = [(5, -2880), (6, -1440), (7, 0)].map {
      #""message":\#(Harness.message(UInt64($0), "line \($0)", minutes: $1))"#
    }
    #expect(
      answer(history, rows, #""ok":true,"count":5,"first_row":2,"more_before":true"#) == [
        "5 messages, 2 unread.", "Wednesday:", "Bob: line 5 10:00 #1", "Yesterday:", "Unread from here:",
        "Bob: line 6 10:00 #2", "Today:", "Bob: line 7 10:00 #3",
      ])
    let older = #""message":\#(Harness.message(4, "line 4", minutes: -2881))"#
    let page = handle(.typed("/more")).sent.first
    #expect(answer(page, [older], #""ok":true,"count":5,"first_row":1"#) == ["Wednesday:", "Bob: line 4 9:59 #4"])
    #expect(type("/more") == ["That was the first message."])
    #expect(
      handle(.lines([event(8, "next day", minutes: 900)])).said == ["21 November 2026:", "Bob: next day 1:00 #5"])
  }

  @Test("of a page that is asked for again after a cut, only new messages are said")
  func reconnection() {
    func page(_ ids: ClosedRange<UInt64>) -> [String] {
      ids.map { #""message":\#(Harness.message($0, "line \($0)"))"# }
    }
    let history = handle(.typed("/open marsh")).sent.first
    #expect(answer(history, page(5...5), #""ok":true,"count":1"#).first == "1 message, 2 unread.")
    _ = handle(.disconnected("gone"))
    let again = handle(.lines([Array(#"{"confab":1,"log":"L","limits":{"text":60000}}"#.utf8)])).sent
    let request = again.last { $0["verb"]?.string == "history" }
    #expect(answer(request, page(5...6), #""ok":true,"count":2"#) == ["Bob: line 6 10:00 #2"])
  }

  @Test("a message that failed is said with a sentence")
  func failure() {
    let history = handle(.typed("/open zoe")).sent.first
    let row = Harness.message(5, "hi", mine: true, state: "failed").replacing(
      #""opens_section""#, with: #""failure":{"condition":"service-unavailable"},"opens_section""#)
    let said = answer(history, [#""message":\#(row)"#], #""ok":true,"count":1"#)
    #expect(
      said.last == "me: hi 10:00, failed. Not delivered: the receiver is offline or takes no messages from you. "
        + "Send it again later. #1")
  }

  @Test("what is typed without a daemon is kept, says so, and goes out with the next connection")
  func kept() {
    _ = type("/open zoe")
    #expect(handle(.disconnected("gone")).said == ["The daemon is gone: gone. Waiting for it."])
    #expect(type("hello") == ["Kept: it goes out when the daemon is back."])
    let asked = handle(.lines([Array(#"{"confab":1,"log":"L","limits":{"text":60000}}"#.utf8)])).sent
    #expect(!asked.contains { $0["verb"]?.string == "send" })
    #expect(!handle(.typed("again")).sent.contains { $0["verb"]?.string == "send" })
    let sent = handle(Harness.noAccounts(asked)).sent.filter { $0["verb"]?.string == "send" }
    #expect(sent.map { $0["text"]?.string } == ["hello", "again"], "in order, and once")
  }

  @Test("messages of another conversation are said with its name once; of many that come together the number is")
  func elsewhere() {
    #expect(handle(.lines([event(5, "hi")])).said == ["In Bob Marsh, bob@example.org: Bob: hi 10:00 #1"])
    let named = String(decoding: event(6, "hi", minutes: -1440), as: UTF8.self).replacing(
      "\"Bob\"", with: "\"Bob Marsh\"")
    #expect(handle(.lines([Array(named.utf8)])).said == ["In Bob Marsh, bob@example.org: hi Yesterday 10:00 #2"])
    let said = handle(.lines((10..<413).map { event($0, "spam") })).said
    #expect(said == ["403 new from Bob Marsh, bob@example.org."])
    _ = type("/open marsh")
    #expect(handle(.lines((500..<520).map { event($0, "spam") })).said.count == 20, "the open one is read")
  }

  @Test("the conversation is muted, and what was set is said")
  func muting() {
    #expect(type("/mute") == ["Open the conversation first."])
    _ = type("/open zoe")
    let mute = handle(.typed("/mute")).sent.first
    #expect(mute?["level"]?.string == "never" && mute?["jid"]?.string == "zoe@example.org")
    #expect(answer(mute, []) == ["Done: mute zoe@example.org."])
    let notify = handle(.typed("/notify mentions")).sent.first
    #expect(answer(notify, []) == ["Done: /notify zoe@example.org mentions."])
  }

  @Test("the answer to a question is never sent, with or without a slash")
  func answers() {
    _ = type("/open zoe@example.org")
    _ = type("/forget-history")
    #expect(type("no") == ["Left as it is."])
    _ = type("/forget-history")
    #expect(verb("Y") == "forget-history")
    #expect(verb("no") == "send")
  }

  @Test("lines that come at once are one message, behind a question, and no commands")
  func pasted() {
    #expect(handle(.pasted(["/quit", "two"])).sent.isEmpty)
    _ = type("/open zoe@example.org")
    let (asked, sent) = handle(.pasted(["/quit", "two"]))
    #expect(asked.first?.hasPrefix("Send the 2 lines") == true && sent.isEmpty)
    _ = handle(.pasted(["three"]))
    #expect(handle(.typed("/yes")).sent.first?["text"]?.string == "/quit\ntwo\nthree")
  }

  @Test("who asks to be a contact is said, once")
  func asked() {
    let event = Array(
      #"{"event":"roster","contact":{"jid":"eve@example.org","subscription":"none","request":true}}"#.utf8)
    #expect(handle(.lines([event])).said.first?.hasPrefix("eve@example.org asks") == true)
    #expect(handle(.lines([event])).said.isEmpty)
  }

  @Test("/open takes a number of the list, whatever names have it in them")
  func openNumber() {
    _ = type("/list")
    #expect(type("/open 2") == ["Conversation with Bob Reed, reed@example.org."])
    #expect(type("/open 7") == ["Nobody is called “7”. No conversation is open."])
  }
}
