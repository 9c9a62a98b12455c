package import ConfabClient
import JSON
import LineProtocol

/// How a message was changed.
package enum RowChange: Equatable, Sendable {
  case edit, retraction, reaction
  /// A message of mine was not delivered.
  case failure
}

/// Messages that are changed, by us or by others.
extension SocketModel {
  /// An event with the whole message as it is now.
  mutating func takeChange(_ object: JSONValue, _ change: RowChange) -> [ModelEvent] {
    guard let message = object["message"], let row = MessageRow(message) else { return [] }
    let key = ConversationKey(account: object["account"]?.string ?? "", jid: row.conversation)
    take(row, in: key)
    if change == .retraction, !row.isMine { askUnread(key) }
    return [.changed(key, row, change)]
  }

  /// A message as it is now.
  mutating func take(_ row: MessageRow, in key: ConversationKey) {
    windows[key]?.change(row)
    windows[key]?.changeAnswers(to: row)
    conversations.change(key) { if $0.last?.id == row.id { $0.last = row } }
    search?.change(row)
    if row.details.retraction != nil { dropAnswers(about: row.id) }
  }

  /// Asks whether a message is still there, and how it is: `current` or `forgotten` follows.
  mutating func check(_ id: UInt64, in key: ConversationKey) {
    guard !questions.contains(.message(key, id)) else { return }
    ask(PageRequest.around(id).request(key, limit: 1), .message(key, id))
  }

  /// Removes the message from what is shown of an answer.
  mutating func dropAnswers(about id: UInt64) {
    answer.removeAll { $0["message"]?["id"]?.integer == Int64(clamping: id) }
  }

  /// My reactions to a message are these and no others.
  package mutating func react(_ emoji: [String], to id: UInt64, in key: ConversationKey) {
    var request = Request(.react, arguments: [.id: .id(id)])
    if !emoji.isEmpty { request.arguments[.emoji] = .list(emoji) }
    request.account = key.accountName
    command(request, "react")
  }
}

extension RowWindow {
  /// Messages that quote another one quote it as it is now.
  mutating func changeAnswers(to row: MessageRow) {
    for answer in rows where answer.details.reply?.id == row.id {
      update(answer.id) { $0.details.reply?.text = row.text }
    }
  }
}
