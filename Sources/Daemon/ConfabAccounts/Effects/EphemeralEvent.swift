package import LineProtocol

/// Something that watchers hear of and that is in no record. A value says only what changed: what is encoded is how
/// things stand when a watcher is sent it, and of equal values only the newest is sent.
package enum EphemeralEvent: Hashable, Sendable {
  /// An account's connection changed its state, or its user another presence.
  case connection(account: UInt32)
  /// A resource of a contact came, went or changed, or the contact was blocked or unblocked.
  case presence(account: UInt32, contact: String)
  /// The sections of the default gap changed between two messages, by id (docs/PROTOCOL.md, `resection`); nil: from or
  /// to the end.
  case sections(account: UInt32, conversation: String, from: UInt64? = nil, to: UInt64? = nil)
  /// The disk became full, fails, or works again.
  case storage
  /// A contact's state in its conversation changed, or that of somebody in a room.
  case typing(account: UInt32, Typist)
  /// Somebody else came to a room, left it, or changed there.
  case member(account: UInt32, room: String, OccupantChange)
  /// So many others came to a room and left it in a second that each is not told by itself.
  case members(account: UInt32, room: String, joined: Int, left: Int)
  /// A file of a message moves over the network.
  case transfer(TransferProgress)

  package var kind: EventKind {
    switch self {
    case .connection: .connection
    case .presence: .presence
    case .sections: .resection
    case .storage: .storage
    case .typing: .typing
    case .member: .member
    case .members: .members
    case .transfer: .transfer
    }
  }

  /// The account that it is about; 0: the whole daemon.
  package var account: UInt32 {
    switch self {
    case .connection(let account), .presence(let account, _), .sections(let account, _, _, _), .typing(let account, _),
      .member(let account, _, _), .members(let account, _, _, _):
      account
    case .storage: 0
    case .transfer(let progress): progress.account
    }
  }

  /// The contact or conversation; nil: the account as a whole.
  package var jid: String? {
    switch self {
    case .connection, .storage: nil
    case .presence(_, let jid), .sections(_, let jid, _, _), .member(_, let jid, _),
      .members(_, let jid, _, _):
      jid
    case .typing(_, let typist): typist.conversation
    case .transfer(let progress): progress.conversation
    }
  }

  /// The event without its details, as old ones are kept; nil if it has none.
  package var coarser: EphemeralEvent? {
    guard case .sections(let account, let conversation, let from, let to) = self, from != nil || to != nil else {
      return nil
    }
    return .sections(account: account, conversation: conversation)
  }
}

/// The progress of a file of a message. Only the newest event of a file counts.
package struct TransferProgress: Hashable, Sendable {
  package let account: UInt32
  package let conversation: String
  package let id: UInt64
  package let index: Int
  package let done: UInt64
  package let total: UInt64?

  package static func == (one: Self, other: Self) -> Bool {
    (one.account, one.id, one.index) == (other.account, other.id, other.index)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(index)
  }
}
