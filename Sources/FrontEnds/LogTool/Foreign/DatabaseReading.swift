import Syscalls

/// Databases of clients.
enum DatabaseReading {
  /// Reads a file with SQLite; its errors name the file.
  static func read(
    _ path: String, _ body: (SQLiteDatabase) throws(SQLiteError) -> Void
  ) throws(HistoryFailure) {
    guard try HistoryFiles.below(path) == [path] else {
      throw HistoryFailure(file: path, reason: "it is a directory; a database is needed")
    }
    do throws(SQLiteError) { try body(try SQLiteDatabase(path)) } catch {
      throw HistoryFailure(file: path, reason: error.reason)
    }
  }

  /// Hands on a message; what the sink throws is in the words of a database's error.
  static func take(_ message: ForeignMessage, _ sink: inout any HistorySink) throws(SQLiteError) {
    do throws(HistoryFailure) { try sink.take(message) } catch { throw SQLiteError(error.reason) }
  }
}

/// The corrections of a history, by the messages that they correct (XEP-0308).
struct CorrectionBook {
  /// A message that somebody sent in a conversation.
  struct Key: Hashable {
    var conversation: String
    var sender: String
    var id: String
  }

  private var corrections: [Key: [ForeignMessage]] = [:]
  /// The first message of a chain, by the corrections in it.
  private var roots: [Key: Key] = [:]

  /// Adds a correction. They must come oldest first.
  mutating func add(_ message: ForeignMessage, by sender: String, of id: String) {
    let key = Key(conversation: message.conversation, sender: sender, id: id)
    let root = roots[key] ?? key
    corrections[root, default: []].append(message)
    guard let own = message.stanzaID else { return }
    roots[Key(conversation: message.conversation, sender: sender, id: own)] = root
  }

  /// Gives a message its corrections, which leave the book.
  mutating func correct(_ message: inout ForeignMessage, by sender: String) {
    guard !corrections.isEmpty, let id = message.stanzaID else { return }
    let key = Key(conversation: message.conversation, sender: sender, id: id)
    for correction in corrections.removeValue(forKey: key) ?? [] {
      message.earlierTexts.append(.init(time: message.edited ?? message.time, text: message.text))
      (message.text, message.edited) = (correction.text, correction.time)
      if let id = correction.stanzaID { message.editIDs.append(id) }
    }
  }

  /// The corrections of messages that the history lacks: each is a message of its own.
  var rest: [ForeignMessage] {
    corrections.values.flatMap(\.self).sorted { ($0.time, $0.place.line) < ($1.time, $1.place.line) }
  }
}
