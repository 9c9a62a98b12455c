import ConfabAccounts
import JSON
import LineProtocol
import Records
import State
import XMPPCore
import XMPPExtensions

/// `mention-words`, `ignore`, `ignored` and `noise`: what is news in rooms.
extension Command {
  static let roomNews: [Verb: Handler] = [
    .mentionWords: { try $0.mentionWords() },
    .ignore: { try $0.ignore() },
    .ignored: { try $0.listIgnored() },
    .noise: { try $0.setNoise() },
  ]

  private static let mostWords = 100
  /// Bytes of one word.
  private static let longestWord = 256

  private func mentionWords() throws(RequestFailure) {
    let isCleared = request.string(.clear) != nil
    guard let words = request.list(.words) ?? (isCleared ? [] : nil) else {
      return answer(words: context.state.accounts.mentionWords.words)
    }
    if isCleared, !words.isEmpty {
      throw RequestFailure(.badArgument, "words cannot be set and cleared at once", argument: "clear")
    }
    guard words.count <= Self.mostWords else {
      throw RequestFailure(.badArgument, "more than \(Self.mostWords) words", argument: "words")
    }
    let isWord = { (word: String) in
      word.utf8.count <= Self.longestWord && word.contains { !$0.isWhitespace && !$0.isNewline }
    }
    if let other = words.first(where: { !isWord($0) }) {
      throw RequestFailure(
        .badArgument, "'\(other)' is no word of at most \(Self.longestWord) bytes", argument: "words")
    }
    try context.checkStorage()
    store(.mentionWords(MentionWordsRecord(words: words)))
  }

  private func answer(words: [String]) {
    answerOK { $0.array("words") { array in words.forEach { array.value($0) } } }
  }

  private func ignore() throws(RequestFailure) {
    try context.checkStorage()
    let jid = try roomAddress().room
    guard let room = try account().parts.messaging.rooms[jid.description], !room.record.isUnused else {
      throw noRoom(jid)
    }
    let nick = request.string(ArgumentName.nick) ?? ""
    guard request.string(.value) == "yes" else {
      let records = room.ignored(as: nick)
      for var record in records {
        record.isIgnored = false
        context.storage.appendUrgently(.ignore(record))
      }
      return answer(whenDurable: records.isEmpty ? 0 : context.storage.queue.last)
    }
    store(.ignore(try ignoring(nick, in: room)))
  }

  private func ignoring(_ nick: String, in room: Room) throws(RequestFailure) -> IgnoreRecord {
    guard let member = room.occupants[nick], room.machine.isJoined else {
      throw RequestFailure(.notFound, "nobody in the room has the nick '\(nick)'", argument: "nick")
    }
    let own = try account().state.record.jid
    if nick == room.nick || member.jid == own {
      throw RequestFailure(.badArgument, "you are '\(nick)'", argument: "nick")
    }
    guard try account().state.ignored[room.jid.description].count < IgnoredOccupants.mostOfRoom else {
      throw RequestFailure(.limit, "\(IgnoredOccupants.mostOfRoom) occupants of the room are ignored")
    }
    return room.ignoring(member)
  }

  private func setNoise() throws(RequestFailure) {
    try context.checkStorage()
    let jid = try roomAddress().room
    guard let room = try account().parts.messaging.rooms[jid.description], !room.record.isUnused else {
      throw noRoom(jid)
    }
    answer(whenDurable: room.setNoise(RoomNoise.allCases.first { $0.word == request.string(.level) }))
  }

  private func listIgnored() throws(RequestFailure) {
    let room = request.string(.room) == nil ? nil : try roomAddress().room.description
    var lines: [UInt8] = []
    for account in try context.accounts(of: request) {
      let lists = account.state.ignored.byRoom.filter { room == nil || $0.key == room }
      for record in lists.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
        lines += request.data("ignored") { context.write(record, into: &$0) }
      }
    }
    answer(lines + request.ok())
  }
}

extension RequestContext {
  fileprivate func write(_ record: IgnoreRecord, into writer: inout JSONWriter) {
    writer.member("room", record.room)
    if let account = shownName(of: record.account) { writer.member("account", account) }
    writer.member("nick", record.nick)
    if let jid = record.jid { writer.member("jid", jid) }
    if let occupant = record.occupantID { writer.member("occupant", occupant) }
  }
}
