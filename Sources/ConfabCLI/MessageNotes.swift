import JSON

/// What stands before and behind the text of a message, for people: what it answers and forwards, and what became of it.
struct MessageNotes {
  let before: String
  let behind: String

  /// At most this many characters of another message's text.
  private static let preview = 40

  init(_ message: JSONValue, _ style: Style, limit: Int?) {
    let preview = min(limit ?? Self.preview, Self.preview)
    let answered = message["reply_to"]?["text"]?.string.map {
      "(reply to \"\(TerminalText.clean($0, limit: preview))\") "
    }
    let isRetracted = message["retracted"] != nil
    before = Self.painted((answered ?? "") + (isRetracted ? "(retracted)" : ""), style)
    let forwarded = (message["forwarded"]?.array ?? []).map { inside in
      let (from, text) = (inside["from"]?.string ?? "?", inside["text"]?.string ?? "")
      let said = ([TerminalText.clean(text, limit: limit)] + Self.files(of: inside, limit: limit))
      return " (forwarded from \(TerminalText.clean(from)): \(said.filter { !$0.isEmpty }.joined(separator: " ")))"
    }
    let files = Self.files(of: message, limit: limit).map { " " + $0 }
    let edited = message["edited"] == nil ? "" : " (edited)"
    let reactions = (message["reactions"]?.array ?? []).map { reaction in
      let count = reaction["from"]?.array?.count ?? 0
      return " " + TerminalText.clean(reaction["emoji"]?.string ?? "") + (count > 1 ? " \(count)" : "")
    }
    behind = Self.painted(forwarded.joined() + files.joined() + edited, style) + reactions.joined()
  }

  private static func files(of message: JSONValue, limit: Int?) -> [String] {
    (message["attachments"]?.array ?? []).map { "[" + file($0, limit: limit) + "]" }
  }

  /// Name, type and size of a file, as far as they are known.
  private static func file(_ file: JSONValue, limit: Int?) -> String {
    let size = file["size"]?.integer.map { "\($0) bytes" }
    let parts = [file["name"]?.string ?? file["url"]?.string ?? "file", file["type"]?.string, size]
    return parts.compactMap { $0.map { TerminalText.clean($0, limit: limit) } }.joined(separator: ", ")
  }

  private static func painted(_ text: String, _ style: Style) -> String { text.isEmpty ? "" : style.paint(text, .dim) }
}
