import ConfabClient

/// The numbers by which messages are called in the plain mode: the first one that was said is 1, and each keeps its number.
struct MessageNumbers {
  struct Entry: Equatable {
    let key: ConversationKey
    let id: UInt64
    let isMine: Bool
    /// The begin of its text.
    let begin: String
    let files: [FileTarget]
  }

  private var messages: [Entry] = []
  private var numbers: [UInt64: Int] = [:]

  /// The message of a number; nil if none has it.
  subscript(number: Int) -> Entry? { messages.indices.contains(number - 1) ? messages[number - 1] : nil }

  func isKnown(_ id: UInt64) -> Bool { numbers[id] != nil }

  /// The number of a message, which is given to it now if it has none.
  mutating func number(of row: MessageRow, in key: ConversationKey) -> Int {
    let message = Entry(
      key: key, id: row.id, isMine: row.isMine, begin: Self.short(row.preview), files: row.files(in: key))
    if let number = numbers[row.id] {
      messages[number - 1] = message
      return number
    }
    messages.append(message)
    numbers[row.id] = messages.count
    return messages.count
  }

  /// A text on one line, cut after 60 characters.
  static func short(_ text: String) -> String {
    let line = String(text.prefix(60).map { $0.isNewline ? " " : $0 })
    return text.count > 60 ? line + "…" : line
  }

  /// Another log: ids of before mean nothing.
  mutating func forgetAll() { self = MessageNumbers() }
}
