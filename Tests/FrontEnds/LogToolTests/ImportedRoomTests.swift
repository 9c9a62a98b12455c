import JSON
import MessageLog
import Records
import TestSupport
import Testing

/// Rooms, and private messages in them, go out of one log and into another.
@Suite("rooms in exports and imports")
struct ImportedRoomTests {
  private static let room = "team@rooms.example.org"

  private static func message(_ text: String, by nick: String, id: String, after seconds: Int64) -> MessageRecord {
    var message = MessageRecord(
      account: 1, jid: room, peer: room + "/" + nick, time: Sample.time + seconds * 1_000, text: text, stanzaID: id)
    message.author = .occupant(Occupant(nick: nick, id: nick == "eve" ? nil : "id-" + nick, presence: 7))
    message.archiveID = "archive-" + id
    return message
  }

  private static var messages: [MessageRecord] {
    var mention = message("ann: look", by: "bob", id: "b1", after: 0)
    mention.isMention = true
    var mine = message("yes", by: "ann", id: "a1", after: 2)
    mine.author = .otherDevice
    mine.isOfRoom = true
    var secret = MessageRecord(
      account: 1, jid: room + "/bob", peer: room + "/bob", time: Sample.time + 3_000, text: "psst", stanzaID: "p1")
    (secret.isInPrivate, secret.occupantID) = (true, "id-bob")
    var answer = secret
    (answer.text, answer.stanzaID, answer.time, answer.peer) = ("what?", "p2", Sample.time + 4_000, "ann@example.org/c")
    answer.author = .otherDevice
    return [mention, message("same", by: "carol", id: "c1", after: 1), message("same", by: "eve", id: "e1", after: 1)]
      + [mine, secret, answer]
  }

  private func kept(in folder: ToolFolder) throws -> [MessageRecord] {
    var found: [MessageRecord] = []
    try folder.read { _, record in if case .message(let message) = record { found.append(message) } }
    return found
  }

  @Test("what is exported is the same behind the import, and a second import finds all of it")
  func roundTrip() throws {
    let (from, to) = (try ToolFolder(), try ToolFolder())
    try from.write([Sample.account] + Self.messages.map { .message($0) })
    let exported = from.run("export").output
    try to.write([Sample.account])
    try TestFiles.write(to.path + "/lines", Array(exported.utf8))
    #expect(
      to.run("import", "--jsonl", to.path + "/lines").output.hasPrefix("6 messages imported, 0 were here already"))
    let imported = try kept(in: to)
    #expect(imported.map(\.text) == Self.messages.map(\.text))
    #expect(imported.map(\.kind) == Self.messages.map(\.kind))
    #expect(imported.map(\.isMention) == Self.messages.map(\.isMention))
    #expect(imported.map(\.author.isMe) == Self.messages.map(\.author.isMe))
    for (one, other) in zip(imported, Self.messages) {
      #expect(one.isByAuthor(of: other) && one.jid == other.jid && one.archiveID == other.archiveID)
    }
    #expect(
      imported.map(\.occupantID) == Self.messages.map { $0.author.isMe && $0.kind == .room ? nil : $0.occupantID })
    #expect(
      to.run("import", "--jsonl", to.path + "/lines").output.hasPrefix("0 messages imported, 6 were here already"))
    #expect(to.run("export").output.split(separator: "\n").count == 6)
  }

  @Test("comings and goings of occupants come along")
  func events() throws {
    var event = OccupantEvent("kicked", nick: "mallory")
    (event.occupantID, event.affiliation, event.role) = ("id-mallory", "none", "participant")
    (event.by, event.reason, event.jid) = ("ann", "enough", "mallory@example.org/x")
    var message = Self.message("", by: "mallory", id: "m1", after: 5)
    (message.stanzaID, message.archiveID, message.type) = (nil, nil, "event")
    var details = MessageDetails()
    (details.event, details.plain) = (event, event.sentence)
    message.details = details
    let (from, to) = (try ToolFolder(), try ToolFolder())
    try from.write([Sample.account, .message(message)])
    try to.write([Sample.account])
    try TestFiles.write(to.path + "/lines", Array(from.run("export").output.utf8))
    #expect(to.run("import", "--jsonl", to.path + "/lines").output.hasPrefix("1 messages imported"))
    #expect(try kept(in: to).first?.details == details)
    #expect(to.run("import", "--jsonl", to.path + "/lines").output.hasPrefix("0 messages imported, 1 were here"))
  }

  @Test("what an ignored occupant said stays ignored, and its room is one that was left")
  func ignored() throws {
    var ignored = Self.message("buy", by: "mallory", id: "m1", after: 5)
    ignored.isIgnored = true
    let (from, to) = (try ToolFolder(), try ToolFolder())
    try from.write([Sample.account] + (Self.messages + [ignored]).map { .message($0) })
    try to.write([Sample.account])
    try TestFiles.write(to.path + "/lines", Array(from.run("export").output.utf8))
    #expect(to.run("import", "--jsonl", to.path + "/lines").output.hasPrefix("7 messages imported"))
    #expect(try kept(in: to).filter(\.isIgnored).map(\.text) == ["buy"])
    var rooms: [RoomRecord] = []
    try to.read { _, record in if case .room(let room) = record { rooms.append(room) } }
    #expect(rooms.map(\.jid) == [Self.room] && !rooms.contains(where: \.isWanted))
    #expect(to.run("export").output.contains("\"ignored\":true"))
  }

  @Test("what nobody had read stays unread")
  func unread() throws {
    let (from, to) = (try ToolFolder(), try ToolFolder())
    try from.write([Sample.account] + Self.messages.map { .message($0) })
    try to.write([Sample.account])
    try TestFiles.write(to.path + "/lines", Array(from.run("export").output.utf8))
    _ = to.run("import", "--jsonl", to.path + "/lines")
    var reads: [ReadRecord] = []
    try to.read { _, record in if case .read(let read) = record { reads.append(read) } }
    #expect(reads.map(\.jid).contains(Self.room))
  }

  @Test("the text of an export names occupants by their nicks")
  func text() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account] + Self.messages.map { .message($0) })
    let text = folder.run("export", "--text").output
    for line in ["< bob> ann: look", "< carol> same", "< eve> same", "< ann> yes", "< bob> psst"] {
      #expect(text.contains(line), "\(line)")
    }
  }

  @Test("a line of somebody who is not in the room, or of a kind that there is not, is wrong")
  func wrong() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account])
    let lines = [
      #""conversation":"\#(Self.room)","kind":"room","from":"other@rooms.example.org/bob""#,
      #""conversation":"\#(Self.room)","kind":"room","mine":false"#,
      #""conversation":"\#(Self.room)","kind":"private","from":"\#(Self.room)/bob""#,
      #""conversation":"\#(Self.room)/bob","kind":"private","from":"\#(Self.room)/eve""#,
      #""conversation":"\#(Self.room)/bob","kind":"room","from":"\#(Self.room)/bob""#,
      #""conversation":"\#(Self.room)","kind":"hall","from":"\#(Self.room)/bob""#,
    ]
    let whole = lines.map { "{\($0),\"time\":\"2026-11-20T09:10:10Z\",\"text\":\"x\"}" }.joined(separator: "\n")
    try TestFiles.write(folder.path + "/lines", Array(whole.utf8))
    let outcome = folder.run("import", "--jsonl", folder.path + "/lines")
    #expect(outcome.output == "0 messages imported, 0 were here already, 6 lines were wrong\n")
  }
}
