import JSON

/// Notes before and behind the text of a message, for people: the messages that it answers and forwards, and its later
/// changes. Each part is joined with the text by a space.
struct MessageNotes {
  let before: [String]
  let behind: [String]

  /// At most this many characters of another message's text.
  private static let preview = 40

  init(_ message: JSONValue, _ style: CommandStyle, limit: Int?) {
    let preview = min(limit ?? Self.preview, Self.preview)
    let answered = message["reply_to"]?["text"]?.string.map {
      "(reply to \"\(TerminalText.clean($0, limit: preview))\")"
    }
    let retracted = message["retracted"].map { _ in "(retracted)" }
    before = Self.painted([answered, retracted].compactMap(\.self), style)
    let forwarded = (message["forwarded"]?.array ?? []).map { inside in
      let (from, text) = (inside["from"]?.string ?? "?", inside["text"]?.string ?? "")
      let said = ([TerminalText.clean(text, limit: limit)] + Self.files(of: inside, limit: limit))
      return "(forwarded from \(TerminalText.clean(from)): \(said.filter { !$0.isEmpty }.joined(separator: " ")))"
    }
    let edited = message["edited"].map { _ in "(edited)" }
    let reactions = (message["reactions"]?.array ?? []).map { reaction in
      let count = reaction["from"]?.array?.count ?? 0
      return TerminalText.clean(reaction["emoji"]?.string ?? "") + (count > 1 ? " \(count)" : "")
    }
    let notes = forwarded + Self.files(of: message, limit: limit) + [edited].compactMap(\.self)
    behind = Self.painted(notes, style) + reactions
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

  private static func painted(_ notes: [String], _ style: CommandStyle) -> [String] {
    notes.isEmpty ? [] : [style.paint(notes.joined(separator: " "), .dim)]
  }
}
