import Clocks
package import JSON

/// An account as `confab status` shows it: a line with its state, then one line for each fact, wrapped to the terminal.
package struct AccountFormat {
  /// The column where the values begin.
  private static let indent = 13

  let rows: RowFormat

  /// `home  alice@example.org  online  since 2026-11-20 09:00`, and `  server     host:5223` and the like.
  package func lines(_ account: JSONValue) -> String {
    ([head(account)] + facts(account).compactMap(line)).joined(separator: "\n")
  }

  /// The first line, and the reason if the account is not online.
  func brief(_ account: JSONValue) -> String {
    let isOnline = rows.text(account, "state") == "online"
    let facts = [("presence", unusualPresence(account)), ("reason", isOnline ? nil : rows.text(account, "reason"))]
    return ([head(account)] + facts.compactMap(line)).joined(separator: "\n")
  }

  private func head(_ account: JSONValue) -> String {
    let state = rows.text(account, "state") ?? "?"
    let who = rows.style.row([
      rows.text(account, "name").map { rows.style.paint($0, .bold) }, rows.text(account, "jid"),
    ])
    let since = time(account, "since").map { "since " + $0 }
    if rows.style.isSpoken { return "\(who): \(rows.style.row([Self.words(ofState: state), since]))" }
    let ink: TextStyle.Ink = state == "online" ? .green : state == "refused" ? .red : .yellow
    return rows.style.row([who, rows.style.paint(state, ink), since])
  }

  /// A state of an account, as `status` says it, in words with what it means.
  package static func words(ofState state: String) -> String {
    switch state {
    case "waiting": "offline, tries again soon"
    case "stopped": "disconnected by you"
    case "refused": "refused: needs your help"
    default: state
    }
  }

  private func facts(_ account: JSONValue) -> [(String, String?)] {
    let security = ["tls", "sasl"].compactMap { rows.text(account, $0) }.joined(separator: ", ")
    return [
      // Of an account that is online, the sentence gives no reason for anything.
      ("presence", presence(account)),
      (rows.text(account, "state") == "online" ? "state" : "reason", rows.text(account, "reason")),
      ("storage", rows.storage(account["storage"])), ("server", rows.text(account, "server")), ("security", security),
      ("pinned", pinned(account)), ("roster", rows.text(account, "roster")), ("archive", archive(account["archive"])),
      ("messages", waiting(account)), ("rooms", rooms(account["rooms"])),
      ("last heard", rows.text(account, "state") == "online" ? nil : time(account, "last_heard")),
      ("next try", MessageFormat.time(of: account, "retry_at").map(rows.clock.second)),
      ("missing", gap(account["gap"])),
    ]
  }

  private func line(_ fact: (name: String, words: String?)) -> String? {
    guard let words = fact.words, !words.isEmpty else { return nil }
    let label = "  " + fact.name
    if rows.style.isSpoken { return label + ": " + words }
    let padding = String(repeating: " ", count: max(1, Self.indent - label.count))
    let lines = TextLines.wrapped(words, indent: Self.indent)
    return rows.style.paint(label, .dim) + padding + TextLines.indented(lines, Self.indent)
  }
}

// MARK: - Facts

extension AccountFormat {
  /// `team@rooms.example.org refused: members only`, one after the other.
  private func rooms(_ value: JSONValue?) -> String? {
    value?.array?.map { room in
      let reason = rows.text(room, "reason").map { ": " + $0 } ?? ""
      return (rows.text(room, "jid") ?? "") + " " + (rows.text(room, "state") ?? "") + reason
    }.joined(separator: ", ")
  }

  /// `2 queued, 1 held`: each message in one count only, while the member `queued` counts all of them.
  private func waiting(_ account: JSONValue) -> String {
    let (held, unacked) = (rows.number(account, "held"), rows.number(account, "unacked"))
    let words =
      rows.style.isSpoken
      ? ["waiting to be sent", "kept back", "not confirmed by the server"] : ["queued", "held", "unacked"]
    let counts = zip([rows.number(account, "queued") - held - unacked, held, unacked], words)
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// `away (back at ten)`
  private func presence(_ account: JSONValue) -> String? {
    guard let presence = account["presence"], let show = rows.text(presence, "show") else { return nil }
    return show + (rows.text(presence, "status").map { " (\($0))" } ?? "")
  }

  private func unusualPresence(_ account: JSONValue) -> String? {
    presence(account).flatMap { $0 == "available" ? nil : $0 }
  }

  /// The mechanism of earlier logins, unless the account is logged in by it.
  private func pinned(_ account: JSONValue) -> String? {
    rows.text(account, "pinned").flatMap { $0 == rows.text(account, "sasl") ? nil : $0 }
  }

  private func archive(_ archive: JSONValue?) -> String? {
    guard let archive, let state = rows.text(archive, "state"), state != "unknown" else { return nil }
    let taken = rows.number(archive, "taken")
    let words = [state, taken > 0 ? RowFormat.counted(taken, "message") + " taken" : nil, rows.text(archive, "reason")]
    return words.compactMap { $0 }.joined(separator: ", ")
  }

  private func gap(_ gap: JSONValue?) -> String? {
    guard let gap, let since = time(gap, "since"), let until = time(gap, "until") else { return nil }
    return "messages from \(since) to \(until) may be missing: nothing could be stored then"
  }

  private func time(_ object: JSONValue, _ member: String) -> String? {
    MessageFormat.time(of: object, member).map(rows.clock.stamp)
  }
}

extension RowFormat {
  package func briefAccount(_ account: JSONValue) -> String { AccountFormat(rows: self).brief(account) }

  /// The state of the disk if it is full or fails; the daemon gives a sentence, or an object with one.
  package func storage(_ storage: JSONValue?) -> String? {
    guard let storage else { return nil }
    if let words = storage.string { return words.isEmpty ? nil : style.clean(words) }
    let since = MessageFormat.time(of: storage, "since").map { "since " + clock.stamp($0) }
    let words = [text(storage, "state"), text(storage, "reason"), since].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
