import LineProtocol

/// The command that somebody meant who typed one that does not exist: a name of another client's, or a slip of the fingers.
enum NearCommand {
  /// Names in other clients, and what does the same here.
  private static let elsewhere = [
    "q": "quit", "chat": "open", "dm": "open",
    "win": "open",
    "afk": "presence away", "xa": "presence xa", "dnd": "presence dnd", "busy": "presence dnd",
    "back": "presence available", "online": "presence available", "available": "presence available",
    "offline": "disconnect", "info": "profile", "whois": "profile", "vcard": "profile", "who": "contacts",
    "friends": "contacts", "buddies": "contacts", "clear": "last-message", "cls": "redraw",
    "close": "close-pane", "ignore": "block", "unignore": "unblock", "bye": "quit",
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
    return NearName.of(word, among: CommandList.rows.map(\.name))
  }
}
