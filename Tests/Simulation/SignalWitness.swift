import Records

/// How far messages of the user's got, by the durable records.
extension LogWitness {
  private typealias Place = ReadingWitness.Place

  /// True if a message has become what was said of it. A marker is about all before its message, and what comes later from
  /// another device may stand there.
  func hasBecome(_ said: DeliveryState, _ sequence: UInt64) -> Bool {
    if state(of: sequence).satisfies(said) { return true }
    guard let message = messages[sequence], message.author == .otherDevice else { return false }
    let place = place(message, sequence)
    return messages.contains { id, other in
      other.author.isMe && other.jid == message.jid && other.account == message.account && state(of: id) == .displayed
        && place < self.place(other, id)
    }
  }

  private func place(_ message: MessageRecord, _ id: UInt64) -> Place {
    Place(time: message.time, order: message.archiveOrder, id: id)
  }
}
