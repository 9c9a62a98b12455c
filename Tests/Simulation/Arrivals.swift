import Records

/// New messages at their coming (decision 0153).
extension LogWitness {
  /// A message is unread when it comes, wherever it stands, unless its archive is still fetched backwards.
  func checkIsUnread(_ message: MessageRecord, _ sequence: UInt64) {
    let isFilling = message.isOfRoom ? !message.isNews && !isFilled(message) : isFilling(message.account)
    guard !message.author.isMe, !message.isIgnored, !message.archived || !isFilling else { return }
    world.hold(
      !reading.isRead(sequence, in: .init(message), at: sequence),
      "\(message.text) came as \(sequence), and counts as read from the beginning")
  }
}
