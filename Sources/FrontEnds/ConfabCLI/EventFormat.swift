import ConfabClient
import JSON
import LineProtocol

/// Event lines for people: each exactly one line, so that `confab watch` can be read by line in a pipe.
struct EventFormat {
  let rows: RowFormat

  private var messages: MessageFormat { rows.messages }

  /// nil for what is nothing to look at, and for events of later versions.
  func line(_ received: ReceivedLine) -> String? {
    guard case .event(let name) = received.kind, let kind = EventKind(rawValue: name) else { return nil }
    let event = received.object
    switch kind {
    case .message: return event["message"].flatMap(MessageRow.init).map(message)
    case .edit, .retract, .reaction, .decrypted:
      return event["message"].flatMap(MessageRow.init).map {
        about(event, "\(Self.changes[kind] ?? name) \(number(event, "id")): " + messages.oneLine($0))
      }
    case .state: return about(event, "message \(number(event, "id")): \(mark(event))")
    case .read: return about(event, "read up to \(number(event, "id"))")
    case .draft: return about(event, "draft: " + (rows.text(event, "text") ?? "(none)"))
    case .conversation: return event["conversation"].flatMap(ConversationRow.init).map(settings)
    case .roster: return event["contact"].flatMap { rows.line("contact", $0) }
    case .room: return event["room"].map { rows.room($0) }
    case .invitation:
      let from = rows.text(event, "from").map { " from " + $0 } ?? ""
      let reason = rows.text(event, "reason").map { ": " + $0 } ?? ""
      return "* invitation to \(rows.text(event, "room") ?? "?")\(from)\(reason)"
    case .voiceRequest: return voiceRequest(event)
    case .readBy: return about(event, "\(rows.text(event, "nick") ?? "?") has read up to \(number(event, "id"))")
    case .member: return member(event)
    case .members:
      let counts = "\(number(event, "joined")) joined, \(number(event, "left")) left, \(number(event, "count")) there"
      return "* \(rows.text(event, "room") ?? "?"): \(counts)"
    case .emoticonUsed: return "* emoticon \(rows.text(event, "code") ?? "?")"
    case .connection: return connection(event)
    case .presence: return presence(event)
    case .resection: return about(event, "sections changed")
    case .storage: return "* the disk: " + (rows.storage(event) ?? "?")
    case .device:
      let change = rows.text(event, "change") ?? "trust"
      return event["device"].flatMap(DeviceRow.init).map {
        "* \(address(event, "jid")) \(rows.change(of: $0, change))"
      }
    case .encryption: return about(event, "encryption: \(rows.text(event, "encrypt") ?? "?")")
    case .caughtUp: return nil
    default: return about(event, rows.text(event, "state") ?? name)
    }
  }

  /// `* team@rooms.example.org bob: kicked by ann: too loud`
  private func member(_ event: JSONValue) -> String {
    let nick = event["member"].flatMap { rows.text($0, "nick") } ?? "?"
    let was = rows.text(event, "was").map { ", was " + $0 } ?? ""
    let by = rows.text(event, "by").map { " by " + $0 } ?? ""
    let reason = rows.text(event, "reason").map { ": " + $0 } ?? ""
    return "* \(rows.text(event, "room") ?? "?") \(nick): \(rows.text(event, "change") ?? "?")\(was)\(by)\(reason)"
  }

  /// `* team@rooms.example.org bob (bob@example.org) asks for the right to speak`
  private func voiceRequest(_ event: JSONValue) -> String {
    let jid = rows.text(event, "jid").map { " (\($0))" } ?? ""
    return "* \(rows.text(event, "room") ?? "?") \(rows.text(event, "nick") ?? "?")\(jid) asks for the right to speak"
  }

  private static let changes: [EventKind: String] = [
    .edit: "edited", .retract: "retracted", .reaction: "reactions to", .decrypted: "decrypted",
  ]

  /// `2026-11-20 09:10 bob@example.org Bob: hello`
  private func message(_ message: MessageRow) -> String {
    let time = messages.style.paint(messages.clock.stamp(message.time), .dim)
    let key = ConversationKey(account: message.account, jid: message.conversation)
    return "\(time) \(rows.address(key)) \(messages.oneLine(message))"
  }

  private func settings(_ conversation: ConversationRow) -> String {
    let words = rows.settings(conversation)
    return "* \(rows.address(conversation.key)) is " + (words.isEmpty ? "as usual" : words.joined(separator: ", "))
  }

  private func about(_ event: JSONValue, _ what: String) -> String { "* \(address(event, "conversation")) \(what)" }

  private func address(_ event: JSONValue, _ member: String) -> String {
    rows.address(ConversationKey(account: event["account"]?.string ?? "", jid: event[member]?.string ?? "?"))
  }

  private func mark(_ event: JSONValue) -> String {
    guard let delivery = event["state"]?.string.flatMap(MessageRow.Delivery.init(rawValue:)) else {
      return rows.text(event, "state") ?? "?"
    }
    let failure = event["failure"].flatMap(MessageRow.failure)
    let mark = messages.mark(delivery, MessageRow.failureWords(failure, namesCondition: true))
    return delivery == .failed ? mark : "\(delivery.rawValue) \(mark)"
  }

  private func connection(_ event: JSONValue) -> String {
    let words = ["account", "state", "reason"].compactMap { rows.text(event, $0) }
    return "* " + words.joined(separator: " ")
  }

  private func presence(_ event: JSONValue) -> String {
    let isBlocked = event["blocked"]?.bool == true
    let words = isBlocked ? ["blocked"] : ["show", "status"].compactMap { rows.text(event, $0) }
    return "* " + ([address(event, "jid")] + words).joined(separator: " ")
  }

  private func number(_ event: JSONValue, _ member: String) -> Int64 { rows.number(event, member) }
}
