import Clocks
import ConfabAccounts
import JSON
import LineProtocol
import Records
import XMPPExtensions
import State
import Timelines
import XMPPCore

// The objects of rooms, as things stand now.

extension RequestContext {
  /// The members of a room.
  func write(_ record: RoomRecord, into writer: inout JSONWriter) {
    let room = accounts.numbered(record.account)?.parts.messaging.rooms[record.jid]
    let state = record.isInvited ? "invited" : room?.machine.word ?? record.word
    writer.member("jid", record.jid)
    if let account = shownName(of: record.account) { writer.member("account", account) }
    if let name = record.bookmarkName ?? record.info?.name { writer.member("name", name) }
    if let description = record.info?.description { writer.member("description", description) }
    writer.member("state", state)
    let invitation = record.isInvited ? record.invitation : nil
    let refusal = record.isInvited ? nil : room?.machine.reason ?? record.refusal?.words
    if let from = invitation?.from { writer.member("invited_by", from) }
    if let reason = invitation?.reason ?? refusal { writer.member("reason", reason) }
    if state == "waiting", let retry = room?.retryAt { writer.member("retry_at", retry) }
    if let moved = record.refusal?.movedTo { writer.member("moved_to", moved) }
    writeMine(of: record, room, into: &writer)
    if let topic = record.topic, !topic.text.isEmpty {
      writer.member("topic", topic.text.prefix(bytes: Self.longestTopic))
      if let by = topic.by { writer.member("topic_by", by) }
      if let time = topic.time { writer.member("topic_time", Timestamp(milliseconds: time)) }
    }
    if state == "joined" { writer.member("members", room?.occupants.count ?? 0) }
    if let conversation = self.state.existingConversation(record.account, record.jid) {
      writer.member("unread", conversation.unread)
      writer.member("mentions", conversation.mentions)
    }
    let level = self.state.accounts[record.account]?.settings[record.jid]?.notify(at: effects.now.wall.milliseconds)
      .level
    writer.member("notify", (level ?? ConversationPolicy.of(.room).news).word)
    if record.isWanted { writer.member("autojoin", true) }
    if let noise = record.noise { writer.member("noise", noise.word) }
    if let info = record.info { write(info, into: &writer) }
    if !record.requests.isEmpty {
      writer.array("requests") { array in
        for request in record.requests {
          array.beginObject()
          request.write(into: &array)
          array.endObject()
        }
      }
    }
    if state == "joined", let room, room.history.isKept { writer.member("caught_up", room.history.isRead) }
  }

  /// Bytes of a topic that are shown.
  private static let longestTopic = 8_192

  /// The occupant with whom a private conversation was begun; nil: none is known.
  func firstOccupant(in conversation: String, of account: Account) -> Occupant? {
    guard let timeline = account.state.conversations[conversation]?.timeline else { return nil }
    for row in 0..<min(timeline.count, 50) {
      guard let message = records.message(timeline[row]), message.occupantID != nil || message.occupantPresence > 0
      else { continue }
      let nick = String(conversation.drop { $0 != "/" }.dropFirst())
      return Occupant(nick: nick, id: message.occupantID, presence: message.occupantPresence)
    }
    return nil
  }

  private func writeMine(of record: RoomRecord, _ room: Room?, into writer: inout JSONWriter) {
    if let nick = room?.nick ?? record.usedNick ?? record.nick { writer.member("nick", nick) }
    if let affiliation = record.affiliation { writer.member("affiliation", affiliation) }
    if let role = record.role { writer.member("role", role) }
    if let occupant = record.occupantID { writer.member("occupant", occupant) }
  }

  private func write(_ info: RoomRecord.Info, into writer: inout JSONWriter) {
    if !info.has(.nonAnonymous) { writer.member("anonymous", true) }
    for (feature, name) in Self.features where info.has(feature) { writer.member(name, true) }
    if let language = info.language { writer.member("language", language) }
    if let may = info.privateMessages { writer.member("pm", may) }
    if let avatar = info.avatarHash { writer.member("avatar", avatar) }
    if info.has(.gateway) { writer.member("gateway", "irc") }
  }

  private static let features: [(RoomRecord.Feature, StaticString)] = [
    (.moderated, "moderated"), (.membersOnly, "members_only"), (.isPublic, "public"), (.persistent, "persistent"),
    (.archive, "archive"),
  ]
}

extension RoomRecord {
  /// I was invited to it, and neither joined it nor declined.
  var isInvited: Bool { invitation != nil && !isWanted }

  /// Its state as long as no stream of its account tells more.
  var word: String { refusal != nil ? "refused" : isWanted ? "waiting" : "left" }
}

extension RoomRecord.Refusal {
  /// In words for people.
  var words: String { text.map { "\(condition): \($0)" } ?? condition }
}

extension RoomRecord.VoiceRequest {
  /// Writes the members of the object.
  func write(into writer: inout JSONWriter) {
    writer.member("nick", nick)
    if let jid, let bare = try? JID(jid).bare { writer.member("jid", bare.description) }
  }
}

extension RoomOccupant {
  /// Writes the members of the object. Somebody in one of the room's lists may have no nick.
  func write(into writer: inout JSONWriter) {
    if !nick.isEmpty { writer.member("nick", nick) }
    if let jid { writer.member("jid", jid) }
    if let affiliation { writer.member("affiliation", affiliation.rawValue) }
    if let role { writer.member("role", role.rawValue) }
    if let show { writer.member("show", show.rawValue) }
    if let status { writer.member("status", status) }
    if let occupantID { writer.member("occupant", occupantID) }
    if !hats.isEmpty { writer.array("hats") { array in hats.forEach { array.value($0) } } }
  }
}

extension String {
  /// The first characters, as many as have no more bytes than that.
  fileprivate func prefix(bytes most: Int) -> String {
    if utf8.count <= most { return self }
    var (end, count) = (startIndex, 0)
    while end < endIndex {
      count += self[end].utf8.count
      if count > most { break }
      end = index(after: end)
    }
    return String(self[..<end])
  }
}
