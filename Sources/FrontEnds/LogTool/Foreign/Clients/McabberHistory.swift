import Records

/// mcabber's logs (`~/.mcabber/histo`): a file for each bare JID. A room's begins with my joining; its authors stand in
/// `<nick>`. There are no ids, and corrections are messages of their own.
enum McabberHistory {
  static func read(
    _ path: String, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
  ) throws(HistoryFailure) {
    for file in try HistoryFiles.below(path) where HistoryFiles.name(of: file).contains("@") {
      var room = try room(file, surroundings)
      var log = try CountedLog(file)
      while let entry = try log.next(&sink) { try take(entry, file, &room, surroundings, &sink) }
    }
  }

  /// The state of a room's log.
  struct Room {
    /// My nick, which the log names when I join.
    var nick: String?
  }

  /// Nil if the log is of a person.
  private static func room(_ file: String, _ surroundings: HistorySurroundings) throws(HistoryFailure) -> Room? {
    var log = try CountedLog(file)
    var sink: any HistorySink = NoSink()
    for _ in 0..<100 {
      guard let entry = try log.next(&sink) else { break }
      if entry.kind == "MI", let nick = joined(entry.text) { return Room(nick: nick) }
      if entry.kind == "MS" { return nil }
    }
    return surroundings.isRoom(HistoryFiles.name(of: file)) ? Room() : nil
  }

  /// The nick in `You have joined as "nick"`.
  private static func joined(_ text: String) -> String? {
    let start = "You have joined as \""
    guard text.hasPrefix(start), text.hasSuffix("\"") else { return nil }
    return String(text.dropFirst(start.count).dropLast())
  }

  private static func take(
    _ entry: CountedLog.Entry, _ file: String, _ room: inout Room?, _ surroundings: HistorySurroundings,
    _ sink: inout any HistorySink
  ) throws(HistoryFailure) {
    if entry.kind == "MI", room != nil, let nick = joined(entry.text) { room?.nick = nick }
    guard entry.kind == "MR" || entry.kind == "MS" else { return sink.pass() }
    var message = ForeignMessage(
      owner: surroundings.owner, conversation: HistoryFiles.name(of: file), isMine: entry.kind == "MS",
      time: entry.time, text: entry.text, place: entry.place)
    if let room {
      guard let (nick, text) = Self.author(of: entry.text) else { return sink.pass() }
      (message.kind, message.nick, message.text) = (.room, nick, text)
      message.isMine = nick == room.nick
    }
    try sink.take(message)
  }

  /// The author and the words of `<nick> words`.
  private static func author(of text: String) -> (String, String)? {
    guard text.hasPrefix("<"), let end = text.firstRange(of: "> ") else { return nil }
    return (String(text[text.index(after: text.startIndex)..<end.lowerBound]), String(text[end.upperBound...]))
  }
}

/// Drops all that it gets, for a reader that only looks.
struct NoSink: HistorySink {
  mutating func take(_ message: ForeignMessage) {}
  mutating func reject(_ place: ForeignPlace, _ reason: String) {}
  mutating func pass() {}
}
