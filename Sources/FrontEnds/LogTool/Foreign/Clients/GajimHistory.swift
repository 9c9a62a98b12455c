import Records
import JSON

/// Gajim's database (`~/.local/share/gajim/logs.db`, 1.0 to 1.7). Times are UTC. Of a correction there is the first text.
enum GajimHistory {
  private static let columns = [
    "l.log_line_id", "l.account_id", "j.jid", "j.type", "l.contact_name", "l.time", "l.kind", "l.message",
    "l.additional_data", "l.stanza_id",
  ]

  static func read(
    _ path: String, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
  ) throws(HistoryFailure) {
    var copy: any HistorySink = sink
    try DatabaseReading.read(path) { (database) throws(SQLiteError) in
      try read(database, path, surroundings, &copy)
    }
    sink = copy
  }

  private static func read(
    _ database: SQLiteDatabase, _ file: String, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
  ) throws(SQLiteError) {
    try database.require("jids", ["jid_id", "jid", "type"])
    try database.require(
      "logs",
      [
        "log_line_id", "account_id", "jid_id", "contact_name", "time", "kind", "message", "additional_data",
        "stanza_id",
      ])
    let hasMessageID = try database.columns(of: "logs").contains("message_id")
    let rows = try SQLiteStatement(
      "SELECT \(columns.joined(separator: ", ")), \(hasMessageID ? "l.message_id" : "NULL"), a.jid FROM logs l "
        + "LEFT JOIN jids j ON j.jid_id = l.jid_id LEFT JOIN jids a ON a.jid_id = l.account_id ORDER BY l.log_line_id",
      in: database)
    while try rows.next() {
      guard let message = message(rows, file, &sink) else { continue }
      try DatabaseReading.take(message, &sink)
    }
  }

  /// Gajim's numbers of kinds of lines, as far as they are messages.
  private enum Kind: Int64 {
    case room = 2
    case singleReceived = 3
    case received = 4
    case singleSent = 5
    case sent = 6

    var isSent: Bool { self == .sent || self == .singleSent }
  }

  private static func message(
    _ row: SQLiteStatement, _ file: String, _ sink: inout any HistorySink
  ) -> ForeignMessage? {
    let place = ForeignPlace(file: file, line: Int(clamping: row.integer(0)))
    guard let kind = Kind(rawValue: row.integer(6)), let text = row.name(7) else {
      sink.pass()
      return nil
    }
    guard let jid = row.name(2), let time = milliseconds(row.real(5)) else {
      sink.reject(place, "a row of logs has no JID or time")
      return nil
    }
    var message = ForeignMessage(
      owner: row.name(11), conversation: jid, isMine: kind.isSent, time: time, text: text, place: place)
    (message.archiveID, message.stanzaID) = (row.name(9), row.name(10))
    if kind == .room {
      (message.kind, message.nick) = (.room, row.name(4))
      guard message.nick != nil else {
        sink.pass()
        return nil
      }
    } else if jid.contains("/") {
      message.kind = .occupant
    }
    correct(&message, row.text(8))
    return message
  }

  /// Gives a message the text that it had before its correction, out of Gajim's `additional_data`.
  private static func correct(_ message: inout ForeignMessage, _ data: String?) {
    guard let data, data.contains("original_text"), let value = try? JSONParser.parse(Array(data.utf8)),
      let text = value["corrected"]?["original_text"]?.string, text != message.text
    else { return }
    message.earlierTexts = [.init(time: message.time, text: text)]
    message.edited = message.time
  }

  private static func milliseconds(_ seconds: Double) -> Int64? {
    guard seconds.isFinite, seconds > 0, seconds < 200_000_000_000 else { return nil }
    return Int64((seconds * 1000).rounded())
  }
}
