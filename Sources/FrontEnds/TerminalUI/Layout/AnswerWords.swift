import Clocks
import JSON

/// The lines of an answer for people, for what has no view of its own: commands that ask, and the plain mode.
struct AnswerWords {
  let words: DateWords
  /// Date of a time in the user's time zone.
  let date: (Timestamp) -> CivilDate
  let now: Timestamp
  /// The presence of a contact; empty if it is not known.
  let presence: (ContactRow) -> String

  /// - Parameter objects: the answer's data lines, then its final line.
  func lines(_ objects: [JSONValue]) -> [String] {
    let lines = objects.flatMap(lines)
    return lines.isEmpty ? ["There is nothing to show."] : lines
  }

  private func lines(_ object: JSONValue) -> [String] {
    if object["ok"] != nil { return final(object) }
    if let row = object["message"].flatMap(MessageRow.init) { return [message(row)] }
    if let row = object["conversation"].flatMap(ConversationRow.init) { return [conversation(row)] }
    if let row = object["contact"].flatMap(ContactRow.init) { return [contact(row)] }
    if let row = object["section"].flatMap(SectionRow.init) { return [section(row)] }
    if let account = object["account"], let row = AccountRow(account) { return self.account(row, account) }
    if let group = object["group"] { return [self.group(group)] }
    if let version = object["version"], version["time"] != nil { return [self.version(version)] }
    if let blocked = object["blocked"] { return [Self.text(blocked, "jid")] }
    if let profile = object["profile"] { return members(of: profile) }
    if let verb = object["verb"] { return ["/\(Self.text(verb, "usage"))", "  " + Self.text(verb, "summary")] }
    return others(object)
  }

  // MARK: Data lines

  /// `Today 9:55, in the conversation with bob@example.org, Bob: how are you?`
  private func message(_ row: MessageRow) -> String {
    return "\(when(row.time)), with \(row.conversation), \(row.author): \(Self.oneLine(row.preview))"
  }

  /// `Bob, bob@example.org`; the address alone if there is no other name.
  static func who(_ name: String, _ jid: String) -> String { name.isEmpty || name == jid ? jid : "\(name), \(jid)" }

  func conversation(_ row: ConversationRow) -> String {
    let unread = row.unread > 0 ? ", \(row.unread) unread" : ""
    let muted = row.notify == .never ? ", muted" : ""
    let last = row.last.map { ", last: " + Self.oneLine(String($0.preview.prefix(60))) } ?? ""
    return Self.who(row.name, row.key.jid) + unread + muted + last
  }

  func contact(_ row: ContactRow) -> String {
    guard !row.isRequest else {
      return "\(row.key.jid) asks to see when you are online: /accept or /deny \(row.key.jid)"
    }
    return [Self.who(row.name, row.key.jid), presence(row)].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// - Parameter name: of somebody whom I had asked, and who asked me.
  static func accepted(_ name: String) -> String { "\(name) asked for the same: each sees when the other is online." }

  private func section(_ row: SectionRow) -> String {
    "\(when(row.start)), \(row.count) message\(row.count == 1 ? "" : "s")"
  }

  private func group(_ group: JSONValue) -> String {
    let (contacts, unread) = (group["contacts"]?.integer ?? 0, group["unread"]?.integer ?? 0)
    return "\(Self.text(group, "name")): \(contacts) contact\(contacts == 1 ? "" : "s")"
      + (unread > 0 ? ", \(unread) unread" : "")
  }

  /// `Today 9:55: how are yuo?`
  private func version(_ version: JSONValue) -> String {
    let time = version["time"]?.string.flatMap { Timestamp(rfc3339: $0) }.map { when($0) + ": " } ?? ""
    return time + Self.oneLine(Self.text(version, "text"))
  }

  /// The state in a sentence, then what may matter of how it is connected.
  private func account(_ row: AccountRow, _ account: JSONValue) -> [String] {
    let since = account["since"]?.string.flatMap { Timestamp(rfc3339: $0) }.map { " since \(when($0))" } ?? ""
    let isOnline = row.state == "online"
    let server = [Self.text(account, "server"), Self.text(account, "tls"), Self.text(account, "sasl")]
      .filter { !$0.isEmpty }.joined(separator: ", ")
    func count(_ member: String) -> Int64 { account[member]?.integer ?? 0 }
    // `queued` counts the others, too.
    let waiting = [
      (count("queued") - count("held") - count("unacked"), "waiting to be sent"), (count("held"), "kept back"),
      (count("unacked"), "not confirmed by the server"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let presence = account["presence"].map { [Self.text($0, "show"), Self.text($0, "status")] } ?? []
    let facts = [
      (isOnline ? "" : "why", row.reason),
      ("shown to contacts as", presence.filter { !$0.isEmpty }.joined(separator: ", ")),
      ("server", server), ("messages", waiting.joined(separator: ", ")),
    ]
    return ["\(row.name), \(row.jid): \(row.words)\(since)"]
      + facts.filter { !$0.0.isEmpty && !$0.1.isEmpty }.map { "  \($0.0): \($0.1)" }
  }

  /// `full name: Bob Builder`, a line for each, and for each value of those that have several.
  private func members(of object: JSONValue) -> [String] {
    (object.members ?? []).flatMap { member in
      let name = member.name.replacing("_", with: " ")
      return (member.value.array ?? [member.value]).map { "\(name): \(Self.oneLine(Self.text($0)))" }
    }
  }

  // MARK: Final lines

  private func final(_ object: JSONValue) -> [String] {
    guard object["ok"]?.bool == true else { return [SocketModel.reason(object)] }
    if let text = object["text"]?.string { return text.isEmpty ? [] : text.split(separator: "\n").map(String.init) }
    if let nick = object["nick"]?.string { return nick.isEmpty ? [] : [Self.oneLine(nick)] }
    if let unread = object["unread"]?.integer { return ["\(unread) unread message\(unread == 1 ? "" : "s")"] }
    if let version = object["version"]?.string { return ["Confab \(version)"] }
    return []
  }

  /// `name: value, name: value`
  private func others(_ object: JSONValue) -> [String] {
    let members = (object.members ?? []).filter { $0.name != "tag" }
    return members.map { member in
      guard let inner = member.value.members else { return "\(member.name): \(Self.text(member.value))" }
      return inner.map { "\($0.name): \(Self.text($0.value))" }.joined(separator: ", ")
    }
  }

  // MARK: Parts

  private func when(_ time: Timestamp) -> String {
    words.day(date(time), today: date(now)) + " " + words.time(date(time))
  }

  private static func oneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

  private static func text(_ object: JSONValue, _ member: String) -> String { object[member]?.string ?? "" }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "-"
    case .bool(let flag): flag ? "yes" : "no"
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .string(let text): text
    case .array(let elements): elements.map(text).joined(separator: " ")
    case .object(let members): members.map { "\($0.name) \(text($0.value))" }.joined(separator: " ")
    }
  }
}
