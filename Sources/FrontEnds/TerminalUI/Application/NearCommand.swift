/// The command that somebody meant who typed one that does not exist: a name of another client's, or a slip of the fingers.
enum NearCommand {
  /// Names in other clients, and what does the same here.
  private static let elsewhere = [
    "msg": "open", "m": "open", "query": "open", "q": "quit", "chat": "open", "dm": "open",
    "win": "open",
    "away": "presence away", "afk": "presence away", "xa": "presence xa", "dnd": "presence dnd", "busy": "presence dnd",
    "back": "presence available", "online": "presence available", "available": "presence available",
    "offline": "disconnect", "info": "profile", "whois": "profile", "vcard": "profile", "names": "contacts",
    "who": "contacts", "friends": "contacts", "buddies": "contacts", "clear": "last-message", "cls": "redraw",
    "part": "close-pane", "close": "close-pane", "ignore": "block", "unignore": "unblock", "bye": "quit",
    "exit": "quit",
    "edit": "correct", "delete": "retract", "unsend": "retract", "upload": "file", "attach": "file", "send": "file",
    "find": "search", "grep": "search", "history": "search", "set": "settings", "config": "settings",
    "emoji": "emoticon", "download": "save", "subscribe": "add", "unsubscribe": "remove", "invite": "add",
    "account": "accounts", "keys": "help", "commands": "help", "w": "help", "status": "status",
  ]

  /// With its words, without the slash; nil: none is near.
  static func meant(by word: String) -> String? {
    let word = word.lowercased()
    if let known = elsewhere[word] { return known }
    // Of short words nearly everything is near.
    guard word.count > 2 else { return nil }
    let most = word.count < 6 ? 1 : 2
    let near = CommandList.rows.map { (name: $0.name, steps: distance(word, $0.name)) }.filter { $0.steps <= most }
    return near.min { $0.steps < $1.steps }?.name
  }

  /// Letters to insert, to delete, to replace, or to exchange with the next one (optimal string alignment).
  private static func distance(_ one: String, _ other: String) -> Int {
    let (from, to) = (Array(one), Array(other))
    var rows = [Array(0...to.count)]
    for i in 1...max(1, from.count) where i <= from.count {
      var row = [i]
      for j in 1...max(1, to.count) where j <= to.count {
        let replaced = rows[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)
        var best = min(replaced, rows[i - 1][j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, from[i - 1] == to[j - 2], from[i - 2] == to[j - 1] { best = min(best, rows[i - 2][j - 2] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[from.count][to.count]
  }
}
