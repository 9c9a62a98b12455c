package import Records

/// The rules by which conversations differ, one row for each kind.
package struct ConversationPolicy: Sendable {
  /// How far a message got is asked for and told by receipts (XEP-0184) and markers (XEP-0333).
  let isFollowed: Bool
  /// The messages of which the user is notified, unless something else is set.
  package let news: NotifyLevel
  /// The user is notified of what came while nobody was connected.
  package let notifiesOfArchived: Bool

  private static let person = Self(isFollowed: true, news: .always, notifiesOfArchived: true)
  private static let room = Self(isFollowed: false, news: .mentions, notifiesOfArchived: false)
  private static let occupant = Self(isFollowed: true, news: .always, notifiesOfArchived: true)

  package static func of(_ kind: ConversationKind) -> Self {
    switch kind {
    case .person: person
    case .room: room
    case .occupant: occupant
    }
  }
}
