package import JSON

/// Conversations, sections, contacts, groups, accounts and what else an answer lists for people, a line each.
package struct RowFormat {
  /// At most this many characters of a conversation's last message, its subject and its draft in a list.
  private static let preview = 60

  package var messages: MessageFormat
  /// The presence of a contact in words; empty if it is not known.
  package var presence: (ContactRow) -> String = { $0.presenceWords(isOnline: true) }

  var style: TextStyle { messages.style }
  var clock: LocalClock { messages.clock }

  package init(style: TextStyle, clock: LocalClock) {
    messages = MessageFormat(style: style, clock: clock)
  }

  /// The value of a data line by its name, `{"NAME":{...}}`; nil for an unknown name.
  package func line(_ name: String, _ object: JSONValue) -> String? {
    switch name {
    case "conversation": ConversationRow(object).map(conversation)
    case "section": section(object)
    case "contact": ContactRow(object).map(contact)
    case "group": group(object)
    case "room": room(object)
    case "member": member(object)
    case "field": field(object)
    case "ignored": ignored(object)
    case "blocked": text(object, "jid")
    case "profile": profile(object)
    case "account": AccountFormat(rows: self).lines(object)
    case "pack":
      style.row([text(object, "name"), text(object, "title"), Self.counted(number(object, "count"), "emoticon")])
    case "emoticon":
      style.row([text(object, "text") ?? text(object, "picture"), text(object, "code"), text(object, "name")])
    case "version": style.row([MessageFormat.time(of: object).map(clock.stamp), text(object, "text")])
    case "device": DeviceRow(object).map(device)
    case "cursor": style.row([text(object, "name"), String(number(object, "seq"))])
    default: nil
    }
  }

  /// `  2  2026-11-20 09:10  Bob <bob@example.org>  Bob: hello ✓`, spoken
  /// `Bob, bob@example.org, 2 unread, last: Bob: hello`; behind the name `@1` if a message of a room names me.
  package func conversation(_ row: ConversationRow) -> String {
    let last = row.last.map { messages.oneLine($0, limit: Self.preview) }
    let person = person(row.name, row.key)
    let draft = row.draft.isEmpty ? nil : style.paint("draft: " + style.clean(row.draft, limit: Self.preview), .yellow)
    let settings = settings(row)
    if style.isSpoken {
      let unread = row.unread > 0 ? "\(row.unread) unread" : nil
      let mentions = row.mentions > 0 ? Self.counted(Int64(row.mentions), "mention") : nil
      return style.row([person, unread, mentions] + settings + [last.map { "last: " + $0 }, draft])
    }
    let count =
      String(repeating: " ", count: max(0, 3 - String(row.unread).count)) + (row.unread == 0 ? " " : String(row.unread))
    let time = row.last.map { clock.stamp($0.time) } ?? String(repeating: " ", count: 16)
    let marks = settings.isEmpty ? nil : style.paint("[\(settings.joined(separator: ", "))]", .dim)
    let mentions = row.mentions > 0 ? style.paint("@\(row.mentions)", .bold) : nil
    return style.row([style.paint(count, .bold), style.paint(time, .dim), person, mentions, marks, last, draft])
  }

  private func section(_ object: JSONValue) -> String {
    let start = MessageFormat.time(of: object, "start").map(clock.stamp) ?? text(object, "title") ?? "?"
    let end = MessageFormat.time(of: object, "end").map { "to " + clock.stamp($0) }
    let count = Self.counted(number(object, "count"), "message")
    return style.row([style.paint(start, .bold), end, count, style.isSpoken ? nil : "id \(number(object, "id"))"])
  }

  /// `away: lunch  Bob <bob@example.org>  [Friends]  both`, spoken `Bob, bob@example.org, away: lunch`
  package func contact(_ row: ContactRow) -> String {
    let person = person(row.name, row.key)
    let words = style.clean(presence(row))
    if style.isSpoken {
      return row.isRequest
        ? "\(person) asks to see your presence: /accept or /deny \(style.clean(row.key.jid))"
        : style.row([person, words] + row.groups.map { style.clean($0) })
    }
    let request = row.isRequest ? style.paint("asks to see your presence: accept or deny", .yellow) : nil
    let ink: TextStyle.Ink =
      switch row.isBlocked ? .blocked : row.availability {
      case .available, .chatty: .green
      case .away, .extendedAway, .busy: .yellow
      case .offline, .blocked, nil: .dim
      }
    return style.row(
      [style.paint(words.isEmpty ? "unknown" : words, ink), person] + row.groups.map { "[\(style.clean($0))]" }
        + [style.paint(style.clean(row.subscription), .dim), request])
  }

  private func group(_ object: JSONValue) -> String {
    let unread = number(object, "unread")
    let contacts = Self.counted(number(object, "contacts"), "contact")
    return style.row([text(object, "name"), contacts, unread == 0 ? nil : style.paint("\(unread) unread", .bold)])
  }
}

// MARK: - Parts

extension RowFormat {
  /// A line for each value: `full name: Bob Builder`.
  private func profile(_ object: JSONValue) -> String {
    let lines = (object.members ?? []).filter { $0.name != "jid" && $0.name != "account" }.flatMap { member in
      (member.value.array ?? [member.value]).compactMap(\.string).map {
        let text = style.isSpoken ? style.clean($0) : TerminalText.clean($0, .kept(indent: 4))
        return "\(style.clean(member.name.replacing("_", with: " "))): \(text)"
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension RowFormat {
  /// The settings of a conversation in words: `pinned`, `muted until 2026-11-20 09:10`, `archived`.
  package func settings(_ row: ConversationRow) -> [String] {
    let until = row.notifyUntil.map { " until " + clock.stamp($0) } ?? ""
    let level: String? =
      switch row.notify {
      case .never: "muted" + until
      case .mentions: "mentions only" + until
      case .always: until.isEmpty ? nil : "not muted" + until
      }
    return [row.isPinned ? "pinned" : nil, level, row.isArchived ? "archived" : nil].compactMap { $0 }
  }

  /// `Bob <bob@example.org> via home`, spoken `Bob, bob@example.org, account home`; the address alone if there is no
  /// other name, and the account only if several are configured.
  package func person(_ name: String, _ key: ConversationKey) -> String {
    let isNamed = !name.isEmpty && name != key.jid
    if style.isSpoken { return style.row([isNamed ? style.clean(name) : nil, address(key)]) }
    guard isNamed else { return address(key, .green) }
    return style.paint(style.clean(name), .green) + " <\(style.clean(key.jid))>" + account(key)
  }

  /// `bob@example.org via home`
  package func address(_ key: ConversationKey, _ ink: TextStyle.Ink? = nil) -> String {
    let jid = style.clean(key.jid)
    return (ink.map { style.paint(jid, $0) } ?? jid) + account(key)
  }

  private func account(_ key: ConversationKey) -> String {
    key.account.isEmpty ? "" : (style.isSpoken ? ", account " : " via ") + style.clean(key.account)
  }

  /// A member that is a non-empty string, cleaned, and cut after `limit` characters.
  package func text(_ object: JSONValue, _ member: String, limit: Int? = nil) -> String? {
    object[member]?.string.flatMap { $0.isEmpty ? nil : style.clean($0, limit: limit) }
  }

  package func number(_ object: JSONValue, _ member: String) -> Int64 { object[member]?.integer ?? 0 }

  /// `1 message`, `2 messages`
  package static func counted(_ count: Int64, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
}
