import Clocks
import Records

/// profanity's databases (`~/.local/share/profanity/database/ACCOUNT/chatlog.db`, since 0.11), one for each account. Times
/// have a zone. My nick in rooms is not in them.
enum ProfanityHistory {
  private static let columns = [
    "id", "from_jid", "to_jid", "from_resource", "to_resource", "message", "timestamp", "type", "stanza_id",
    "archive_id", "replace_id",
  ]

  static func read(
    _ path: String, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
  ) throws(HistoryFailure) {
    let files = try HistoryFiles.below(path)
    for file in files where files.count == 1 && file == path || HistoryFiles.name(of: file) == "chatlog.db" {
      var copy: any HistorySink = sink
      try DatabaseReading.read(file) { (database) throws(SQLiteError) in
        try read(database, file, surroundings, &copy)
      }
      sink = copy
    }
  }

  private static func read(
    _ database: SQLiteDatabase, _ file: String, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
  ) throws(SQLiteError) {
    try database.require("ChatLogs", columns)
    let folder = HistoryFiles.folder(of: file)
    let owner =
      folder.contains("_at_") ? folder.replacing("_at_", with: "@") : try commonest(database) ?? surroundings.owner
    var book = CorrectionBook()
    let reader = Reader(file: file, owner: owner)
    for isCorrection in [true, false] {
      let rows = try SQLiteStatement(
        "SELECT \(columns.joined(separator: ", ")) FROM ChatLogs WHERE coalesce(replace_id, '') \(isCorrection ? "!=" : "=") ''"
          + " ORDER BY id", in: database)
      while try rows.next() {
        guard let read = reader.message(rows, &sink) else { continue }
        let sender = read.1
        var message = read.0
        if isCorrection, let replaced = rows.name(10) {
          book.add(message, by: sender, of: replaced)
        } else {
          book.correct(&message, by: sender)
          try DatabaseReading.take(message, &sink)
        }
      }
    }
    for message in book.rest { try DatabaseReading.take(message, &sink) }
  }

  /// The JID that all rows have, as sender or recipient; nil if two do.
  private static func commonest(_ database: SQLiteDatabase) throws(SQLiteError) -> String? {
    let rows = try SQLiteStatement(
      "SELECT jid, count(*) FROM (SELECT from_jid AS jid FROM ChatLogs UNION ALL SELECT to_jid FROM ChatLogs) "
        + "GROUP BY jid ORDER BY count(*) DESC LIMIT 2", in: database)
    guard try rows.next(), let jid = rows.text(0) else { return nil }
    let count = rows.integer(1)
    return try rows.next() && rows.integer(1) == count ? nil : jid
  }

  private struct Reader {
    let file: String
    /// The bare JID; nil: the path does not name it.
    let owner: String?

    /// The message of a row, and who sent it.
    func message(_ row: SQLiteStatement, _ sink: inout any HistorySink) -> (ForeignMessage, String)? {
      let place = ForeignPlace(file: file, line: Int(clamping: row.integer(0)))
      guard let from = row.name(1), let to = row.name(2), let time = row.text(6).flatMap(Self.time) else {
        sink.reject(place, "a row of ChatLogs has no sender, recipient or time")
        return nil
      }
      guard let text = row.name(5) else {
        sink.pass()
        return nil
      }
      let isMine = owner.map { from.lowercased() == $0.lowercased() } ?? (row.name(3) != nil && row.name(4) == nil)
      var message = ForeignMessage(
        owner: owner ?? (isMine ? from : to), conversation: isMine ? to : from, isMine: isMine, time: time, text: text,
        place: place)
      message.resource = row.name(3)
      (message.stanzaID, message.archiveID) = (row.name(8), row.name(9))
      setRoom(&message, row)
      return (message, from + "/" + (message.kind == .person ? "" : row.name(3) ?? ""))
    }

    private func setRoom(_ message: inout ForeignMessage, _ row: SQLiteStatement) {
      guard let type = row.text(7), type != "chat" else { return }
      message.resource = nil
      message.kind = type == "muc" ? .room : .occupant
      message.nick = message.isMine ? nil : row.name(3)
      if message.kind == .occupant, let nick = row.name(message.isMine ? 4 : 3) { message.conversation += "/" + nick }
    }

    /// ISO 8601 with a zone, as GLib writes it.
    private static func time(_ text: String) -> Int64? {
      var digits = TimeDigits(Array(text.utf8)[...])
      guard let day = digits.date("-"), digits.skip("T"), let seconds = digits.timeOfDay(":") else { return nil }
      let fraction = digits.fraction()
      guard let zone = digits.zone(), digits.rest.isEmpty else { return nil }
      return (day + seconds - zone) * 1000 + fraction
    }
  }
}
