package import ConfabClient
import JSON
import LineProtocol

/// Event lines for people: each exactly one line, so that `confab watch` can be read by line in a pipe.
package struct EventFormat {
  private let messages: MessageFormat
  private let rows: RowFormat

  package init(style: CommandStyle, clock: LocalClock) {
    messages = MessageFormat(style: style, clock: clock)
    rows = RowFormat(style: style, clock: clock)
  }

  /// nil for what is nothing to look at, and for events of later versions.
  package func line(_ received: ReceivedLine) -> String? {
    guard case .event(let name) = received.kind, let kind = EventKind(rawValue: name) else { return nil }
    let event = received.object
    switch kind {
    case .message: return event["message"].map(message)
    case .edit, .retract, .reaction:
      return event["message"].map {
        about(event, "\(Self.changes[kind] ?? name) \(number(event, "id")): " + messages.oneLine($0))
      }
    case .state: return about(event, "message \(number(event, "id")): \(mark(event))")
    case .read: return about(event, "read up to \(number(event, "id"))")
    case .draft: return about(event, "draft: " + (rows.text(event, "text") ?? "(none)"))
    case .conversation: return event["conversation"].map(settings)
    case .roster: return event["contact"].flatMap { rows.line("contact", $0) }
    case .emoticonUsed: return "* emoticon \(rows.text(event, "code") ?? "?")"
    case .connection: return connection(event)
    case .presence: return presence(event)
    case .resection: return about(event, "sections changed")
    case .storage: return "* the disk: " + (rows.storage(event) ?? "?")
    case .caughtUp: return nil
    default: return about(event, rows.text(event, "state") ?? name)
    }
  }

  private static let changes: [EventKind: String] = [
    .edit: "edited", .retract: "retracted", .reaction: "reactions to",
  ]

  /// `2026-11-20 09:10 bob@example.org Bob: hello`
  private func message(_ message: JSONValue) -> String {
    let time = MessageFormat.time(of: message).map(messages.clock.stamp) ?? "?"
    let conversation = (rows.text(message, "conversation") ?? "?") + messages.account(message)
    return "\(messages.style.paint(time, .dim)) \(conversation) \(messages.oneLine(message))"
  }

  private func settings(_ conversation: JSONValue) -> String {
    let words = rows.settings(conversation)
    let name = (rows.text(conversation, "jid") ?? "?") + messages.account(conversation)
    return "* \(name) is " + (words.isEmpty ? "as usual" : words.joined(separator: ", "))
  }

  private func about(_ event: JSONValue, _ what: String) -> String {
    "* \(rows.text(event, "conversation") ?? "?")\(messages.account(event)) \(what)"
  }

  private func mark(_ event: JSONValue) -> String {
    let state = event["state"]?.string ?? "?"
    let mark = MessageFormat.mark(state: state, failure: event["failure"], messages.style)
    return state == "failed" ? mark : "\(TerminalText.clean(state)) \(mark)"
  }

  private func connection(_ event: JSONValue) -> String {
    let words = ["account", "state", "reason"].compactMap { rows.text(event, $0) }
    return "* " + words.joined(separator: " ")
  }

  private func presence(_ event: JSONValue) -> String {
    let isBlocked = event["blocked"]?.bool == true
    let words = isBlocked ? ["blocked"] : ["show", "status"].compactMap { rows.text(event, $0) }
    return "* " + ([(rows.text(event, "jid") ?? "?") + messages.account(event)] + words).joined(separator: " ")
  }

  private func number(_ event: JSONValue, _ member: String) -> Int64 { rows.number(event, member) }
}
