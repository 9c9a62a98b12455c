/// The kind of a conversation. Within an account its address is its key: a bare JID, or an occupant's full one.
public enum ConversationKind: Sendable {
  case person
  /// A room (XEP-0045), to all.
  case room
  /// One occupant of a room, in private (XEP-0045, section 7.5).
  case occupant
}

extension MessageRecord {
  /// The kind of its conversation.
  public var kind: ConversationKind { isOfRoom ? .room : isInPrivate ? .occupant : .person }
}
