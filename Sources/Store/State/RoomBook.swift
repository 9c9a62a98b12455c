package import Clocks
package import Records

/// The rooms of an account (XEP-0045), by bare JID: those that it is in or was in, and those that it is invited to.
package struct RoomBook {
  package private(set) var byJID: [String: RoomRecord] = [:]

  package subscript(jid: String) -> RoomRecord? { byJID.isEmpty ? nil : byJID[jid] }

  /// The rooms that the user wants to be in.
  var wanted: some Sequence<String> { byJID.values.lazy.filter(\.isWanted).map(\.jid) }

  /// True if there is a room at an address. Copies nothing.
  package func has(_ jid: String) -> Bool { !byJID.isEmpty && byJID.index(forKey: jid) != nil }

  mutating func apply(_ record: RoomRecord) { byJID[record.jid] = record }
}

extension AccountState {
  /// How far the archive is here that has a conversation: the room's, or the account's.
  package func archive(of address: String) -> ArchiveRecord? {
    server.archives[rooms.has(address) ? address : nil]
  }

  /// True if that archive is not fetched backwards any more: what comes out of it is new.
  func isArchiveFilled(_ address: String) -> Bool { archive(of: address).map { $0.floor == nil } ?? false }

  /// The kind of the conversation at an address.
  package func kind(of address: String) -> ConversationKind {
    if rooms.has(address) { return .room }
    return address.utf8.contains(UInt8(ascii: "/")) ? .occupant : .person
  }
}

extension ConversationKind {
  /// The word of the line protocol.
  package var word: String {
    switch self {
    case .person: "chat"
    case .room: "room"
    case .occupant: "private"
    }
  }
}

extension Conversation {
  /// When the last message was sent; nil: there is none.
  package var newestTime: Timestamp? { newest?.time }
}
