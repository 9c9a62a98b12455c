import Records

/// My own messages that come back to me.
extension Session {
  /// It is one message, and it is known; one to my own JID is delivered now, which no copy says of it. False where it is
  /// another.
  func takeEcho(_ message: MessageRecord, _ way: IncomingMessage.Way) -> Bool {
    guard message.mine, let known = sentFromHere(message) else { return false }
    if way == .live { deliveries.advance(DeliveryRecord(known, .delivered)) }
    return true
  }
}
