import Clocks
import ConfabClient
import JSON
import Screen
import TerminalUI

/// The UI with a daemon, a clock and a terminal of the test's own: lines and keys in, frames and requests out.
final class Harness {
  let app: Application
  private(set) var now: Moment
  /// Requests that the UI made and that are not taken yet.
  private(set) var requests: [JSONValue] = []
  private(set) var actions: [ApplicationAction] = []
  private var lastMessageID: UInt64 = 0

  /// 2026-11-20 10:00 UTC, a Friday.
  static let start = Timestamp(milliseconds: 1_795_168_800_000)

  init(
    columns: Int = 80, lines: Int = 24, settings: UISettings = UISettings(),
    capabilities: Capabilities = Capabilities(), socket: String = "/run/confab/socket", who: String = "",
    home: String = "", configuration: String = "~/.config/confab/confab.conf", panes: [ConversationKey] = []
  ) {
    now = Moment(instant: Instant(milliseconds: 1_000_000), wall: Self.start)
    let environment = ApplicationEnvironment(
      offset: { _ in 0 }, words: .english, token: "run", socket: socket, who: who, home: home,
      configuration: configuration, panes: panes)
    app = Application(
      environment, settings: settings, columns: columns, lines: lines, capabilities: capabilities, now: now)
  }

  // MARK: In

  func handle(_ event: ApplicationEvent) {
    for action in app.handle(event, at: now) {
      if case .send(let bytes) = action {
        requests += bytes.split(separator: 0x0A).compactMap { try? JSONParser.parse(Array($0), maximumDepth: 16) }
      } else {
        actions.append(action)
      }
    }
  }

  func line(_ text: String) { handle(.lines([Array(text.utf8)])) }

  /// Lines that come together.
  func lines(_ texts: [String]) { handle(.lines(texts.map { Array($0.utf8) })) }

  func wait(_ interval: Interval) {
    now = Moment(instant: now.instant.advanced(by: interval), wall: now.wall.advanced(by: interval))
    handle(.deadline)
  }

  /// Keys as they are written in help, one after the other.
  func press(_ keys: String...) {
    for text in keys {
      for key in KeySequence(text)?.keys ?? [] { handle(.input(.key(key))) }
    }
  }

  /// Letters.
  func type(_ text: String) {
    for letter in text { handle(.input(.key(Key(.character(letter))))) }
  }

  // MARK: Out

  /// The screen as text, line by line, without spaces at their ends.
  var screen: [String] {
    let frame = app.frame()
    return (0..<frame.height).map { line in
      let text = frame.cells(line: line).map(\.text).joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  func shows(_ text: String) -> Bool { screen.contains { $0.contains(text) } }

  /// The last request of a verb; the older ones are taken with it.
  func take(_ verb: String) -> JSONValue? {
    guard let index = requests.lastIndex(where: { $0["verb"]?.string == verb }) else { return nil }
    return requests.remove(at: index)
  }

  /// All requests of a verb.
  func takeAll(_ verb: String) -> [JSONValue] {
    defer { requests.removeAll { $0["verb"]?.string == verb } }
    return requests.filter { $0["verb"]?.string == verb }
  }

  func forgetRequests() { requests = [] }

  // MARK: The daemon

  /// Answers a request: data lines, then the final line.
  func answer(_ request: JSONValue?, _ data: [String] = [], final: String = #""ok":true"#) {
    let tag = request?["tag"]?.integer ?? -1
    for line in data { self.line(#"{\#(line),"tag":\#(tag)}"#) }
    line(#"{\#(final),"tag":\#(tag)}"#)
  }

  /// Greets, and answers what the UI asks first.
  func connect(
    conversations: [String] = [], strangers: [String] = [], contacts: [String] = [], more: Bool = false,
    moreStrangers: Bool = false, rooms: [String] = [],
    accounts: [String] = [#""account":{"name":"home","jid":"alice@example.org","state":"online"}"#]
  ) {
    handle(.connected)
    line(#"{"confab":1,"version":"0.1.0","log":"L","last":10,"rights":"full","limits":{"line":65536,"text":60000}}"#)
    answer(take("watch"), final: #""ok":true,"seq":10"#)
    answer(take("status"), accounts)
    for (request, rows) in zip(takeAll("conversations"), [conversations, strangers]) {
      let hasMore = request["known"]?.string == "no" ? moreStrangers : more
      answer(request, rows.map { #""conversation":\#($0)"# }, final: #""ok":true,"more_before":\#(hasMore)"#)
    }
    answer(take("roster"), contacts.map { #""contact":\#($0)"# })
    answer(take("rooms"), rooms.map { #""room":\#($0)"# })
  }

  /// Answers `history` with so many messages, of which the ids begin with `first`.
  func answerHistory(_ rows: [String], count: Int? = nil, firstRow: Int = 0, before: Bool = false, after: Bool = false)
  {
    answer(
      take("history"), rows.map { #""message":\#($0)"# },
      final:
        #""ok":true,"count":\#(count ?? rows.count),"first_row":\#(firstRow),"more_before":\#(before),"more_after":\#(after)"#
    )
  }

  static func conversation(_ jid: String, name: String = "", unread: Int = 0, count: Int = 1, read: UInt64 = 0)
    -> String
  {
    #"{"jid":"\#(jid)","name":"\#(name)","kind":"chat","unread":\#(unread),"mentions":0,"count":\#(count),"draft":"","read":\#(read)}"#
  }

  /// A message object; minutes count from the start of the test's clock.
  static func message(
    _ id: UInt64, _ text: String, mine: Bool = false, minutes: Int = 0, opens: Bool = false,
    from: String = "bob@example.org",
    nick: String = "Bob", state: String? = nil
  ) -> String {
    let time = start.advanced(by: .minutes(Int64(minutes))).rfc3339
    let rest = mine ? #","state":"\#(state ?? "sent")""# : #","nick":"\#(nick)""#
    return
      #"{"id":\#(id),"conversation":"bob@example.org","from":"\#(mine ? "alice@example.org" : from)","mine":\#(mine),"time":"\#(time)","text":"\#(text)","opens_section":\#(opens),"section":\#(opens ? id : 1)\#(rest)}"#
  }
}
