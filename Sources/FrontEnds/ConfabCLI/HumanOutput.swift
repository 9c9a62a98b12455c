import Clocks
package import ConfabClient
import JSON
package import LineProtocol

/// Turns the lines of one answer into text for people; remembers between lines which day was shown last.
package struct HumanOutput {
  private let messages: MessageFormat
  private(set) var rows: RowFormat
  private let events: EventFormat
  /// Further columns of `confab history`.
  private let options: [CommandOption]
  private let isBrief: Bool
  /// Shows messages that leave later, each with its conversation.
  private let listsLater: Bool
  /// Names of accounts that are not online: the presence of their contacts is unknown.
  private var offlineAccounts: Set<String> = []
  private var shownDay: String?
  /// The first and the last id of the page: message ids, or JIDs of conversations.
  private var (first, last): (Value?, Value?) = (nil, nil)

  /// - Parameters:
  ///   - isBrief: shows accounts in a line or two.
  ///   - listsLater: shows messages that leave later, each with its conversation.
  package init(
    style: TextStyle, clock: LocalClock, options: [CommandOption] = [], isBrief: Bool = false, listsLater: Bool = false
  ) {
    messages = MessageFormat(style: style, clock: clock, showsSpoilers: options.contains(.spoilers))
    rows = RowFormat(style: style, clock: clock)
    events = EventFormat(rows: rows)
    (self.options, self.isBrief, self.listsLater) = (options, isBrief, listsLater)
  }

  /// A data or event line, as lines without the last LF; nil if there is nothing to show.
  package mutating func line(_ received: ReceivedLine) -> String? {
    if case .event = received.kind { return events.line(received) }
    note(received.object)
    if let message = received.object["message"].flatMap(MessageRow.init) {
      if listsLater { return later(message) }
      return received.object["message"]?["hits"] == nil ? self.message(message) : messages.found(message)
    }
    guard let member = received.object.members?.first(where: { $0.value.members != nil }) else { return nil }
    if isBrief, member.name == "account" { return rows.briefAccount(member.value) }
    return rows.line(member.name, member.value)
  }

  /// Takes a data line of `status`, for the contacts that follow.
  package mutating func note(account line: ReceivedLine) {
    let account = line.object["account"]
    guard let name = account?["name"]?.string, account?["state"]?.string != "online" else { return }
    offlineAccounts.insert(name)
    // Only where there are several accounts, a contact says whose it is.
    rows.presence = { [offlineAccounts] contact in
      contact.presenceWords(isOnline: !contact.key.account.isEmpty && !offlineAccounts.contains(contact.key.account))
    }
  }

  private mutating func note(_ object: JSONValue) {
    let id = object["message"]?["id"]?.integer.flatMap(UInt64.init(exactly:)).map(Value.id)
    let jid = (object["conversation"] ?? object["device"])?["jid"]?.string
    guard let shown = id ?? jid.map(Value.string) else { return }
    (first, last) = (first ?? shown, shown)
  }

  /// Hints on what the answer leaves out, one a line, for standard error.
  func hints(_ final: ReceivedLine, _ request: Request, _ invocation: Invocation) -> [String] {
    PageHints(request: request, invocation: invocation, first: first, last: last).lines(final.object)
  }

  /// `8120 2026-11-21 09:00 UTC+01:00 bob@example.org: good morning`
  private func later(_ message: MessageRow) -> String {
    let time = message.heldUntil ?? message.time
    let head = "\(message.id) \(messages.clock.stamp(time)) \(messages.clock.zone(time))"
    return messages.style.paint(head, .dim) + " \(TerminalText.clean(message.conversation)): "
      + TerminalText.clean(message.text, .kept(indent: 6))
  }

  /// A message, under the header of its section or day where that begins.
  private mutating func message(_ message: MessageRow) -> String {
    let day = messages.clock.day(message.time)
    defer { shownDay = day }
    if message.opensSection {
      let header = messages.style.paint("── \(messages.clock.stamp(message.time)) ──", .bold)
      return (shownDay == nil ? "" : "\n") + header + "\n" + line(message)
    }
    // A section goes on the next day, or a page begins inside one.
    let header = messages.style.paint("·· \(day) ··", .dim) + "\n"
    return (shownDay == day ? "" : header) + line(message)
  }

  /// `09:10 Bob: hello`, further lines of the text indented; with ids `8120 09:10 Bob: hello`.
  private func line(_ message: MessageRow) -> String {
    let time = (options.contains(.seconds) ? messages.clock.second : messages.clock.minute)(message.time)
    let head = (options.contains(.ids) ? "\(message.id) " : "") + time
    return messages.style.paint(head, .dim) + " " + messages.lines(message, indent: head.count + 1)
  }

  private static func damaged(_ damage: JSONValue?) -> String? {
    guard let places = damage?["places"]?.integer, let records = damage?["records"]?.integer else { return nil }
    let lost = records == 1 ? "1 record is lost" : "\(records) records are lost"
    let accounts = damage?["accounts"]?.integer ?? 0
    let unknown = accounts > 0 ? ", and the owner of \(RowFormat.counted(accounts, "account"))" : ""
    return "The log is damaged in \(RowFormat.counted(places, "place")): \(lost)\(unknown). "
      + "confab log verify lists each."
  }

  /// The text for a final line without an error; nil if there is nothing to say.
  package func done(_ received: ReceivedLine, _ request: Request) -> String? {
    let object = received.object
    let number = { (member: String) in object[member]?.integer ?? 0 }
    let text = { (member: String) in TerminalText.clean(object[member]?.string ?? "") }
    switch request.verb {
    case .ping: return "ok"
    case .version: return "confabd " + text("version")
    case .send, .sendFile, .retract, .react, .forward:
      return "\(number("id")) \(text("state"))"
        + (object["repeated"]?.bool == true ? " (sent before)" : leaving(request))
    case .reschedule: return text("state") + leaving(request)
    case .wait, .cancel, .release: return text("state")
    case .read, .unreadFrom, .unread:
      return "\(number("unread")) unread, \(RowFormat.counted(number("mentions"), "mention"))"
    case .draft:
      guard request.text == nil, let draft = object["text"]?.string, !draft.isEmpty else { return nil }
      return TerminalText.clean(draft, .kept(indent: 0))
    case .nick:
      guard request.text == nil, let nickname = rows.text(object, "nick") else { return nil }
      return nickname
    case .mentionWords:
      let words = (object["words"]?.array ?? []).compactMap(\.string).map { TerminalText.clean($0) }
      return words.isEmpty ? nil : words.joined(separator: "\n")
    case .topic: return rows.text(object, "topic")
    case .register: return rows.text(object, "nick") ?? "not registered"
    case .join: return object["room"].flatMap { rows.line("room", $0) }
    case .reload: return Self.reloaded(object)
    case .status:
      let lines =
        [rows.storage(object["storage"]), Self.reading(object), Self.damaged(object["damaged"])]
        + HookRow.rows(of: object).map { hook($0) }
      return lines.compactMap { $0 }.isEmpty ? nil : lines.compactMap { $0 }.joined(separator: "\n")
    default: return encryptionDone(object, request)
    }
  }

  /// The time at which a scheduled message is sent, with its zone, because the user may have typed it without one.
  private func leaving(_ request: Request) -> String {
    guard let time = request.time(.at) else { return "" }
    return ", leaves at \(messages.clock.stamp(time)) \(messages.clock.zone(time))"
  }

  /// `Hook desktop: 2 events wait; fails since 09:10: exit status 1`.
  private func hook(_ hook: HookRow) -> String {
    let waiting = hook.pending == 1 ? "1 event waits" : "\(hook.pending) events wait"
    let words = [hook.pending > 0 ? waiting : nil, hook.trouble(messages.clock.stamp)].compactMap(\.self)
    return TerminalText.clean("Hook \(hook.name): " + (words.isEmpty ? "ok" : words.joined(separator: "; ")))
  }

  private static func reading(_ object: JSONValue) -> String? {
    object["reading_log"]?.integer.map { "Reading the log: \($0) % done." }
  }

  private static func reloaded(_ object: JSONValue) -> String {
    let keys = { (member: String) in
      (object[member]?.array ?? []).compactMap { $0.string }.map { TerminalText.clean($0) }.joined(separator: ", ")
    }
    let (changed, restart) = (keys("changed"), keys("restart"))
    return (changed.isEmpty ? "nothing changed" : "changed: " + changed)
      + (restart.isEmpty ? "" : "; needs a restart: " + restart)
  }

  /// The final line of a request that was not done, for standard error.
  package func refused(_ received: ReceivedLine, _ request: Request) -> String {
    guard case .refused(let code, let reason) = received.kind else { return "" }
    let words = TerminalText.clean("\(CommandWords.spelled(reason, request)) (\(code))")
    guard let id = received.object["id"]?.integer else { return words }
    let state = TerminalText.clean(received.object["state"]?.string ?? "stored")
    let goal = request.string(.for) ?? request.string(.wait) ?? "sent"
    let hint = code == ErrorCode.timeout.rawValue ? "; see: confab wait --for=\(goal) \(id)" : ""
    return "message \(id) is \(state): \(words)\(hint)"
  }
}
