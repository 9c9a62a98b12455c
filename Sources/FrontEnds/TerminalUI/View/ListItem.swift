package import ConfabClient

/// The subject of a row of the list.
package enum ListItem: Hashable, Sendable {
  /// Somebody invites me to a room.
  case invitation(ConversationKey)
  /// Somebody asks for the right to speak in a room of mine.
  case voiceRequest(ConversationKey, nick: String)
  case conversation(ConversationKey)
  /// The heading above the rooms, where they stand apart.
  case rooms
  /// The heading above the people whom I do not know.
  case strangers

  /// True if the row is there until somebody answers it.
  package var waitsForAnswer: Bool {
    switch self {
    case .invitation, .voiceRequest: true
    case .conversation, .rooms, .strangers: false
    }
  }

  /// The conversation that the row leads to; nil: none, or one that is not mine yet.
  package var key: ConversationKey? { if case .conversation(let key) = self { key } else { nil } }
}

/// The rows of the list in their order, as far as the model decides it: nothing is kept of what was shown before.
struct ListOrder {
  let conversations: ConversationList
  let rooms: RoomList
  let sorting: UISettings.Order
  let showsArchive: Bool

  /// All that waits for an answer, the people whom I know, and my rooms: among them, or behind them.
  func known(roomsApart: Bool) -> [ListItem] {
    let rows = sorted { $0.isKnown }
    guard roomsApart else { return waiting + rows }
    let (apart, people) = (rows.filter(isRoom), rows.filter { !isRoom($0) })
    return waiting + people + (apart.isEmpty ? [] : [.rooms]) + apart
  }

  var strangers: [ListItem] { sorted { !$0.isKnown } }

  /// Invitations and requests that are shown: of a flood the first ones tell enough.
  private static let waitingLimit = 5

  private var waiting: [ListItem] {
    let requests = rooms.requests.map { ListItem.voiceRequest($0.room, nick: $0.nick) }
    return Array((rooms.invitations.map { ListItem.invitation($0.key) } + requests).prefix(Self.waitingLimit))
  }

  private func isRoom(_ item: ListItem) -> Bool { item.key.map { rooms[$0] != nil } ?? false }

  private func sorted(_ isMeant: (ConversationRow) -> Bool) -> [ListItem] {
    let rows = conversations.recency.compactMap { conversations[$0] }.filter {
      isMeant($0) && (showsArchive || !$0.isArchived) && rooms[$0.key]?.state != .invited
    }
    let ranks = rows.enumerated().map { position, row in
      let isNews = sorting == .unread && row.unread > 0 && row.notify != .never
      return (rank: row.isArchived ? 3 : row.isPinned ? 0 : isNews ? 1 : 2, position: position, key: row.key)
    }
    return ranks.sorted { ($0.rank, $0.position) < ($1.rank, $1.position) }.map { .conversation($0.key) }
  }
}
