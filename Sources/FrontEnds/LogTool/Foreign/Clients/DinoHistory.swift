import Records

/// Dino's database (`~/.local/share/dino/dino.db`, 0.2 to 0.4). Times are UTC, in seconds.
enum DinoHistory {
  static func read(
    _ path: String, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
  ) throws(HistoryFailure) {
    var copy: any HistorySink = sink
    try DatabaseReading.read(path) { (database) throws(SQLiteError) in try read(database, path, &copy) }
    sink = copy
  }

  private static func read(
    _ database: SQLiteDatabase, _ file: String, _ sink: inout any HistorySink
  ) throws(SQLiteError) {
    try database.require("account", ["id", "bare_jid"])
    try database.require("jid", ["id", "bare_jid"])
    try database.require(
      "message",
      [
        "id", "stanza_id", "server_id", "account_id", "counterpart_id", "our_resource", "counterpart_resource",
        "direction", "type", "time", "body",
      ])
    let hasCorrections = try database.hasTable("message_correction")
    var book = CorrectionBook()
    for isCorrection in hasCorrections ? [true, false] : [false] {
      let rows = try SQLiteStatement(query(isCorrection, hasCorrections), in: database)
      while try rows.next() {
        guard var message = message(rows, file, &sink) else { continue }
        let sender = message.isMine ? "" : message.nick ?? "/"
        if isCorrection, let id = rows.name(12) {
          book.add(message, by: sender, of: id)
        } else {
          book.correct(&message, by: sender)
          try DatabaseReading.take(message, &sink)
        }
      }
    }
    for message in book.rest { try DatabaseReading.take(message, &sink) }
  }

  private static func query(_ isCorrection: Bool, _ hasCorrections: Bool) -> String {
    let join = isCorrection ? "JOIN" : "LEFT JOIN"
    let corrections = hasCorrections ? "\(join) message_correction c ON c.message_id = m.id" : ""
    let isPlain = hasCorrections && !isCorrection ? "WHERE c.to_stanza_id IS NULL" : ""
    return "SELECT m.id, a.bare_jid, j.bare_jid, m.stanza_id, m.server_id, m.our_resource, m.counterpart_resource, "
      + "m.direction, m.type, m.time, m.body, m.account_id, \(hasCorrections ? "c.to_stanza_id" : "NULL") "
      + "FROM message m LEFT JOIN account a ON a.id = m.account_id LEFT JOIN jid j ON j.id = m.counterpart_id "
      + "\(corrections) \(isPlain) ORDER BY m.id"
  }

  private static func message(
    _ row: SQLiteStatement, _ file: String, _ sink: inout any HistorySink
  ) -> ForeignMessage? {
    let place = ForeignPlace(file: file, line: Int(clamping: row.integer(0)))
    guard let jid = row.name(2), row.integer(9) > 0, row.integer(9) < 200_000_000_000 else {
      sink.reject(place, "a row of message has no JID or time")
      return nil
    }
    guard let text = row.name(10), let kind = kind(row.integer(8)) else {
      sink.pass()
      return nil
    }
    var message = ForeignMessage(
      owner: row.name(1), conversation: jid, kind: kind, isMine: row.integer(7) == 1, time: row.integer(9) * 1000,
      text: text, place: place)
    (message.stanzaID, message.archiveID) = (row.name(3), row.name(4))
    switch kind {
    case .person: message.resource = row.name(message.isMine ? 5 : 6)
    case .room: message.nick = row.name(message.isMine ? 5 : 6)
    case .occupant: message.conversation += "/" + (row.text(6) ?? "")
    }
    guard kind != .room || message.isMine || message.nick != nil else {
      sink.pass()
      return nil
    }
    return message
  }

  /// The kind of a conversation by Dino's number of a message's type.
  private static func kind(_ type: Int64) -> ConversationKind? {
    switch type {
    case 1: .person
    case 2: .room
    case 3: .occupant
    default: nil
    }
  }
}
