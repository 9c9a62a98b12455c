import ConfabClient
import Bytes
import Clocks
import JSON
import Records

extension ImportedObject {
  /// Returns the rare parts of a message: replies, forwarded messages, later changes; nil if there are none.
  func details(of message: MessageRecord, own: String) throws(LineProblem) -> MessageDetails? {
    var details = MessageDetails()
    details.plain = try text("plain")
    details.reply = try reply()
    for value in try list("forwarded") { details.forwarded.append(try Self.forwarded(value)) }
    for value in try list("attachments") { details.attachments.append(try Self.attachment(value)) }
    try readHashes(into: &details)
    details.replaces = try name("replaces")
    details.spoiler = try text("spoiler")
    details.unreadable = try member("encrypted").flatMap { value throws(LineProblem) in
      value["error"] == nil ? nil : try Self.text(in: value, "scheme", of: "encrypted")
    }
    details.seal = try seal()
    details.change = try change(of: message, own: own)
    if message.type == "event" { details.event = try event() }
    return details == MessageDetails() ? nil : details
  }

  private func reply() throws(LineProblem) -> MessageReply? {
    guard let value = member("reply_to") else { return nil }
    var reply = MessageReply(stanzaID: try name("reply_id") ?? "")
    reply.author = try Self.text(in: value, "from", of: "reply_to")
    reply.quote = try Self.text(in: value, "text", of: "reply_to")
    return reply
  }

  /// The coming or going of an occupant.
  private func event() throws(LineProblem) -> OccupantEvent {
    guard let change = try name("change"), let member = member("member"),
      let nick = try Self.text(in: member, "nick", of: "member")
    else { throw LineProblem("'change' and 'member.nick' are missing in an event") }
    guard OccupantEvent.changes.contains(change) else {
      throw LineProblem("'change' is \(TerminalText.quoted(change)), not a change of a member")
    }
    var event = OccupantEvent(change, nick: nick)
    event.jid = try Self.text(in: member, "jid", of: "member")
    event.affiliation = try Self.text(in: member, "affiliation", of: "member")
    event.role = try Self.text(in: member, "role", of: "member")
    event.occupantID = try Self.text(in: member, "occupant", of: "member")
    (event.was, event.by, event.reason) = (try name("was"), try name("by"), try name("reason"))
    return event
  }

  private static func forwarded(_ value: JSONValue) throws(LineProblem) -> ForwardedText {
    var forwarded = ForwardedText()
    forwarded.from = try text(in: value, "from", of: "forwarded") ?? ""
    forwarded.text = try text(in: value, "text", of: "forwarded") ?? ""
    forwarded.time = try time(in: value, of: "forwarded")
    for file in value["attachments"]?.array ?? [] { forwarded.attachments.append(try attachment(file)) }
    return forwarded
  }

  private static func attachment(_ value: JSONValue) throws(LineProblem) -> Attachment {
    var attachment = Attachment()
    // As from the network: an invalid address, name or type is left out.
    attachment.url = try text(in: value, "url", of: "attachments").flatMap(FileURL.read) ?? ""
    attachment.name = try text(in: value, "name", of: "attachments").flatMap(FileName.cleaned)
    attachment.type = try text(in: value, "type", of: "attachments").flatMap(MediaType.cleaned)
    attachment.size = value["size"]?.integer.flatMap { UInt64(exactly: $0) }
    attachment.width = value["width"]?.integer.flatMap { UInt32(exactly: $0) }
    attachment.height = value["height"]?.integer.flatMap { UInt32(exactly: $0) }
    attachment.isAnimated = value["animated"]?.bool == true
    // An export has no keys.
    if value["encrypted"]?.bool == true { attachment.key = .unknown }
    return attachment
  }

  private func change(of message: MessageRecord, own: String) throws(LineProblem) -> MessageChange? {
    var change = MessageChange(.edit)
    change.edited = try time("edited")
    for value in try list("edit_ids") { change.editIDs.append(try Self.text(value, "edit_ids")) }
    for value in try list("versions") {
      let text = try Self.text(in: value, "text", of: "versions") ?? ""
      change.texts.append(.init(time: try Self.time(in: value, of: "versions") ?? message.time, text: text))
    }
    change.orderTexts()
    if let value = member("retracted") {
      change.kind = .retraction
      change.retraction = MessageChange.Retraction(
        time: try Self.time(in: value, of: "retracted") ?? message.time,
        by: try Self.text(in: value, "by", of: "retracted") ?? "",
        reason: try Self.text(in: value, "reason", of: "retracted"))
    }
    for value in try list("reactions") {
      guard let emoji = try Self.text(in: value, "emoji", of: "reactions") else { continue }
      for person in value["from"]?.array ?? [] {
        change.note(
          emoji, from: try Self.text(person, "reactions.from"), own: own, in: message.kind, at: message.time)
      }
    }
    return change == MessageChange(.edit) ? nil : change
  }

  /// The values of an array; empty if there is none.
  func list(_ name: String) throws(LineProblem) -> [JSONValue] {
    guard let value = member(name) else { return [] }
    guard let array = value.array else { throw LineProblem("'\(name)' is not an array") }
    return array
  }

  static func text(in value: JSONValue, _ member: String, of name: String) throws(LineProblem) -> String? {
    try value[present: member].map { value throws(LineProblem) in try text(value, "\(name).\(member)") }
  }

  private static func time(in value: JSONValue, of name: String) throws(LineProblem) -> Int64? {
    guard let text = try text(in: value, "time", of: name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else { throw LineProblem("'\(name).time' is not an RFC 3339 time") }
    return time.milliseconds
  }
}

extension MessageChange {
  /// Orders earlier texts of one time as the file has them, oldest first.
  fileprivate mutating func orderTexts() {
    var next = editPlace
    for index in texts.indices.reversed() {
      if let next, texts[index].time == next.time { texts[index].depth = next.depth + 1 }
      next = texts[index].place
    }
  }

  fileprivate mutating func note(
    _ emoji: String, from person: String, own: String, in kind: ConversationKind, at time: Int64
  ) {
    guard let index = reactions.firstIndex(where: { $0.from == person }) else {
      var one = Reactions(from: person, time: time)
      one.author = person == own ? .otherDevice : kind == .person ? .person : .occupant(Occupant(nick: person))
      one.emoji = [emoji]
      return reactions.append(one)
    }
    if !reactions[index].emoji.contains(emoji) { reactions[index].emoji.append(emoji) }
  }
}
