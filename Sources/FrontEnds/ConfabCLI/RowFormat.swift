import Clocks
package import JSON

/// Conversations, sections, contacts, groups, accounts and verbs for people, a line each.
package struct RowFormat {
  /// At most this many characters of a conversation's last message, its subject and its draft in a list.
  private static let preview = 60

  let style: CommandStyle
  let clock: LocalClock
  /// Names of accounts that are not online: who of their contacts is there is not known.
  var offlineAccounts: Set<String> = []

  package init(style: CommandStyle, clock: LocalClock) {
    self.style = style
    self.clock = clock
  }

  /// The value of a data line by its name, `{"NAME":{...}}`; nil for a name that we do not know.
  package func line(_ name: String, _ object: JSONValue) -> String? {
    switch name {
    case "conversation": conversation(object)
    case "section": section(object)
    case "contact": contact(object)
    case "group": group(object)
    case "blocked": text(object, "jid")
    case "profile": profile(object)
    case "account": AccountFormat(rows: self).lines(object)
    case "pack":
      "\(text(object, "name") ?? "?")  \(text(object, "title") ?? "")  \(Self.counted(number(object, "count"), "emoticon"))"
    case "emoticon": emoticon(object)
    case "version":
      "\(MessageFormat.time(of: object).map(clock.stamp) ?? "?")  \(TerminalText.clean(object["text"]?.string ?? ""))"
    case "cursor": "\(text(object, "name") ?? "?")  \(number(object, "seq"))"
    default: nil
    }
  }

  /// `  2  2026-11-20 09:10  Bob <bob@example.org>  Bob: hello ✓`
  package func conversation(_ object: JSONValue) -> String {
    let unread = number(object, "unread")
    let count = String(repeating: " ", count: max(0, 3 - String(unread).count)) + (unread == 0 ? " " : String(unread))
    let last = object["last"]
    let time = last.flatMap { MessageFormat.time(of: $0) }.map(clock.stamp) ?? String(repeating: " ", count: 16)
    let message = last.map { MessageFormat(style: style, clock: clock).oneLine($0, limit: Self.preview) }
    let draft = text(object, "draft", limit: Self.preview).map { style.paint("draft: " + $0, .yellow) }
    let settings = settings(object)
    let marks = settings.isEmpty ? nil : style.paint("[\(settings.joined(separator: ", "))]", .dim)
    let parts = [style.paint(count, .bold), style.paint(time, .dim), person(object), marks, message, draft]
    return parts.compactMap { $0 }.joined(separator: "  ")
  }

  private func section(_ object: JSONValue) -> String {
    let count = number(object, "count")
    let start = MessageFormat.time(of: object, "start").map(clock.stamp) ?? text(object, "title") ?? "?"
    let end = MessageFormat.time(of: object, "end").map(clock.stamp) ?? "?"
    return "\(style.paint(start, .bold))  to \(end)  \(Self.counted(count, "message"))  id \(number(object, "id"))"
  }

  private func contact(_ object: JSONValue) -> String {
    let groups = (object["groups"]?.array ?? []).compactMap { $0.string }.map { "[\(TerminalText.clean($0))]" }
    let isAsking = object["request"]?.bool == true
    let parts =
      [shown(object), person(object)] + groups + [
        text(object, "subscription").map { style.paint($0, .dim) },
        object["ask"] == nil ? nil : style.paint("asked", .yellow),
        isAsking ? style.paint("asks to see your presence: accept or deny", .yellow) : nil,
      ]
    return parts.compactMap { $0 }.joined(separator: "  ")
  }

  /// The best presence of a contact, in words: `unknown` of one who does not show it, or while the account is not online.
  private func shown(_ contact: JSONValue) -> String {
    if contact["blocked"]?.bool == true { return style.paint("blocked", .dim) }
    guard let first = contact["presence"]?.array?.first else {
      return style.paint(isKnown(contact) ? "offline" : "unknown", .dim)
    }
    let show = text(first, "show") ?? "available"
    let status = text(first, "status").map { " (\($0))" } ?? ""
    return style.paint(show, show == "available" || show == "chat" ? .green : .yellow) + status
  }

  private func isKnown(_ contact: JSONValue) -> Bool {
    let isShown = ["to", "both"].contains(contact["subscription"]?.string)
    // Only where there are several accounts it says whose contact it is.
    let isOffline = contact["account"]?.string.map(offlineAccounts.contains) ?? !offlineAccounts.isEmpty
    return isShown && !isOffline
  }

  private func group(_ object: JSONValue) -> String {
    let unread = number(object, "unread")
    let contacts = Self.counted(number(object, "contacts"), "contact")
    return "\(text(object, "name") ?? "")  \(contacts)" + (unread == 0 ? "" : style.paint("  \(unread) unread", .bold))
  }
}

// MARK: - Parts

extension RowFormat {
  /// A line for each value: `full_name: Bob Builder`.
  private func profile(_ object: JSONValue) -> String {
    let lines = (object.members ?? []).filter { $0.name != "jid" && $0.name != "account" }.flatMap { member in
      (member.value.array ?? [member.value]).compactMap(\.string).map {
        "\(TerminalText.clean(member.name)): \(TerminalText.clean($0, .kept(indent: 4)))"
      }
    }
    return lines.joined(separator: "\n")
  }

  /// `🚀  :rocket:  rocket`
  private func emoticon(_ object: JSONValue) -> String {
    let parts = [text(object, "text") ?? text(object, "picture"), text(object, "code"), text(object, "name")]
    return parts.compactMap { $0 }.joined(separator: "  ")
  }
}

extension RowFormat {
  /// The settings of a conversation in words: `pinned`, `muted until 2026-11-20 09:10`, `archived`.
  func settings(_ conversation: JSONValue) -> [String] {
    let until = MessageFormat.time(of: conversation, "notify_until").map { " until " + clock.stamp($0) } ?? ""
    let level: String? =
      switch conversation["notify"]?.string {
      case "never": "muted" + until
      case "mentions": "mentions only" + until
      default: until.isEmpty ? nil : "not muted" + until
      }
    let isSet = { (member: String) in conversation[member]?.bool == true ? member : nil }
    return [isSet("pinned"), level, isSet("archived")].compactMap { $0 }
  }

  /// `Bob <bob@example.org>`, with the account if it is given.
  func person(_ object: JSONValue) -> String {
    let jid = text(object, "jid") ?? "?"
    let account = text(object, "account").map { " via \($0)" } ?? ""
    guard let name = text(object, "name") ?? text(object, "nick"), name != jid else {
      return style.paint(jid, .green) + account
    }
    return style.paint(name, .green) + " <\(jid)>" + account
  }

  /// A member that is a non-empty string, cleaned, and cut after `limit` characters.
  func text(_ object: JSONValue, _ member: String, limit: Int? = nil) -> String? {
    object[member]?.string.flatMap { $0.isEmpty ? nil : TerminalText.clean($0, limit: limit) }
  }

  func number(_ object: JSONValue, _ member: String) -> Int64 { object[member]?.integer ?? 0 }

  /// `1 message`, `2 messages`
  static func counted(_ count: Int64, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
}
