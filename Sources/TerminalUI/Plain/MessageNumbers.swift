/// The numbers by which messages are called in the plain mode: the first one that was said is 1, and each keeps its number.
struct MessageNumbers {
  struct Message: Equatable {
    let key: ConversationKey
    let id: UInt64
    let isMine: Bool
    let files: [FileTarget]
  }

  private var messages: [Message] = []
  private var numbers: [UInt64: Int] = [:]

  /// The message of a number; nil if none has it.
  subscript(number: Int) -> Message? { messages.indices.contains(number - 1) ? messages[number - 1] : nil }

  func isKnown(_ id: UInt64) -> Bool { numbers[id] != nil }

  /// The number of a message, which is given to it now if it has none.
  mutating func number(of row: MessageRow, in key: ConversationKey) -> Int {
    if let number = numbers[row.id] { return number }
    messages.append(Message(key: key, id: row.id, isMine: row.isMine, files: row.files(in: key)))
    numbers[row.id] = messages.count
    return messages.count
  }

  /// Another log: ids of before mean nothing.
  mutating func forgetAll() { self = MessageNumbers() }
}
