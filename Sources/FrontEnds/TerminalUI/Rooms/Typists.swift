package import ConfabClient

/// The people who are typing, by conversation, as the daemon says.
package struct Typists: Equatable, Sendable {
  /// Nicks, in the order in which they began; an empty one is the contact of a conversation of two.
  private var nicks: [ConversationKey: [String]] = [:]

  package init() {}

  package func isAny(in key: ConversationKey) -> Bool { nicks[key] != nil }

  mutating func take(_ nick: String, in key: ConversationKey, isTyping: Bool) {
    var left = nicks[key]?.filter { $0 != nick } ?? []
    if isTyping { left.append(nick) }
    nicks[key] = left.isEmpty ? nil : left
  }

  /// A message ends what its author was typing.
  mutating func wrote(_ message: MessageRow, in key: ConversationKey) {
    if !message.isMine { take(nicks[key]?.contains("") == true ? "" : message.nick ?? "", in: key, isTyping: false) }
  }

  /// `Bob is`, `bob and carol are`, `bob, carol and 2 others are`; nil: nobody is typing.
  ///
  /// - Parameter name: that of the contact.
  package func words(in key: ConversationKey, name: String) -> (who: String, verb: String)? {
    guard let nicks = nicks[key] else { return nil }
    let names = nicks.map { $0.isEmpty ? name : $0 }
    switch names.count {
    case 1: return (names[0], "is")
    case 2: return ("\(names[0]) and \(names[1])", "are")
    default:
      let others = names.count - 2
      return ("\(names[0]), \(names[1]) and \(others) other\(others == 1 ? "" : "s")", "are")
    }
  }
}
