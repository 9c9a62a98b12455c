import Records

/// poezio's logs (`~/.local/share/poezio/logs`): a file for each bare JID. Authors are nicks alone: mine by the table of
/// nicks or my JID's local part, in rooms by my joining. There are no ids, and corrections are messages of their own.
enum PoezioHistory {
  private static let notHistory: Set = ["roster.log", "errors.log"]

  static func read(
    _ path: String, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
  ) throws(HistoryFailure) {
    for file in try HistoryFiles.below(path) {
      let name = HistoryFiles.name(of: file).replacing("\\", with: "/")
      guard name.contains("@"), !notHistory.contains(name) else { continue }
      let isRoom = try isRoom(file) || surroundings.isRoom(name)
      var myNick: String?
      var log = try CountedLog(file, indent: UInt8(ascii: " "))
      while let entry = try log.next(&sink) {
        if let nick = joined(entry) { myNick = nick }
        guard entry.kind == "MR", let (nick, text) = author(of: entry.text) else {
          sink.pass()
          continue
        }
        var message = ForeignMessage(
          owner: surroundings.owner, conversation: name, isMine: surroundings.isOwn(nick, surroundings.owner),
          time: entry.time, text: text, place: entry.place)
        if isRoom { (message.kind, message.nick, message.isMine) = (.room, nick, nick == myNick || message.isMine) }
        if !isRoom, name.contains("/") { message.kind = .occupant }
        try sink.take(message)
      }
    }
  }

  private static func isRoom(_ file: String) throws(HistoryFailure) -> Bool {
    var log = try CountedLog(file, indent: UInt8(ascii: " "))
    var sink: any HistorySink = NoSink()
    while let entry = try log.next(&sink) { if joined(entry) != nil { return true } }
    return false
  }

  /// The nick in `---> You (nick) joined the room`.
  private static func joined(_ entry: CountedLog.Entry) -> String? {
    guard entry.kind == "MI", let start = entry.text.firstRange(of: "> You ("),
      let end = entry.text.firstRange(of: ") joined the room"), start.upperBound <= end.lowerBound
    else { return nil }
    return String(entry.text[start.upperBound..<end.lowerBound])
  }

  /// The author and the words of `<nick> U+00A0 words`.
  private static func author(of text: String) -> (String, String)? {
    guard text.hasPrefix("<"), let end = text.firstRange(of: "> ") else { return nil }
    let words = text[end.upperBound...].drop { $0 == "\u{A0}" }
    return (String(text[text.index(after: text.startIndex)..<end.lowerBound]), String(words))
  }
}
