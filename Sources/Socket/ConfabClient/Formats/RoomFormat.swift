package import JSON

/// Rooms and who is in them, a line each.
extension RowFormat {
  /// `joined  Team <team@rooms.example.org>  3 members, 2 unread, 1 mention  as alice  Lunch at noon`
  package func room(_ object: JSONValue) -> String {
    let counts = [
      object["members"] == nil ? nil : Self.counted(number(object, "members"), "member"),
      number(object, "unread") == 0 ? nil : "\(number(object, "unread")) unread",
      number(object, "mentions") == 0 ? nil : Self.counted(number(object, "mentions"), "mention"),
    ].compactMap { $0 }
    let requests = (object["requests"]?.array ?? []).compactMap { text($0, "nick") }.joined(separator: ", ")
    let address = text(object, "jid") ?? ""
    let name = text(object, "name").map { style.isSpoken ? "\($0), \(address)" : "\($0) <\(address)>" } ?? address
    return style.row([
      text(object, "state").map { style.paint($0, .bold) }, name, counts.isEmpty ? nil : counts.joined(separator: ", "),
      text(object, "nick").map { "as " + $0 }, text(object, "reason"), text(object, "moved_to").map { "now at " + $0 },
      text(object, "topic"), text(object, "description"), requests.isEmpty ? nil : "asking to speak: " + requests,
    ])
  }

  /// `team@rooms.example.org  mallory  mallory@example.org`
  func ignored(_ object: JSONValue) -> String {
    style.row([text(object, "room"), text(object, "nick").map { style.paint($0, .bold) }, text(object, "jid")])
  }

  /// `bob  bob@example.org  moderator, owner  away  at lunch`
  func member(_ object: JSONValue) -> String {
    let rights = [text(object, "role"), text(object, "affiliation")].compactMap { $0 }.filter { $0 != "none" }
    return style.row([
      text(object, "nick").map { style.paint($0, .bold) }, text(object, "jid"),
      rights.isEmpty ? nil : rights.joined(separator: ", "), text(object, "show"), text(object, "status"),
    ])
  }

  /// `muc#roomconfig_whois = moderators  Who sees the JIDs  (moderators, anyone)`, a text to read as it is; nil for
  /// hidden ones.
  func field(_ object: JSONValue) -> String? {
    let type = text(object, "type") ?? ""
    guard type != "hidden" else { return nil }
    let value = type == "text-private" && text(object, "value") != nil ? "(not shown)" : value(object["value"])
    guard let name = text(object, "name"), type != "fixed" else { return value }
    let options = (object["options"]?.array ?? []).compactMap { text($0, "value") }
    let words = "\(style.paint(name, .bold)) = \(value)"
    return style.row([
      words, text(object, "label"), options.isEmpty ? nil : "(\(options.joined(separator: ", ")))",
    ])
  }

  private func value(_ value: JSONValue?) -> String {
    switch value {
    case .bool(let isSet)?: isSet ? "yes" : "no"
    case .array(let values)?: values.compactMap(\.string).map { style.clean($0) }.joined(separator: ", ")
    default: style.clean(value?.string ?? "")
    }
  }
}
