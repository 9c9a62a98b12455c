package import Clocks
package import Conversations
package import Records

extension Entry.Key {
  /// Of the read position if nothing is read.
  package static let beforeAll = Self(time: Timestamp(milliseconds: .min), id: 0)

  /// Of the message that a record reads up to.
  package init(_ read: ReadRecord, archiveOrder: UInt32 = 0) {
    self.init(time: Timestamp(milliseconds: read.time), id: read.id, archiveOrder: archiveOrder)
  }
}

// How the read position moves, in the order in which the messages stand: within a stamp's second that is the archive's,
// and no number of theirs tells it.
extension Conversation {
  /// That the user moved the read position back.
  package struct MovedBack: Sendable, Equatable {
    /// Up to where all had been read before.
    package var furthest: Entry.Key
    package var at: Timestamp
  }

  /// Up to where all was read at some time; nil: nothing was.
  package var furthestRead: Entry.Key? { movedBack?.furthest ?? read }

  /// Whether a message stands behind all that was ever read: what other devices and imports say of others is no news.
  package func isNews(_ place: Entry.Key) -> Bool { furthestRead.map { $0 < place } ?? true }

  /// Where a message stands; of one that is not here, as it is known otherwise.
  package func key(of known: Entry.Key) -> Entry.Key {
    timeline.row(ofTime: known.time, id: known.id).map { timeline[$0].key } ?? known
  }

  /// Moves the read position: forward, where that is not behind the present one, or back.
  func apply(_ record: ReadRecord) {
    let place = key(of: Entry.Key(record))
    guard let at = record.movedBackAt else { return markRead(place) }
    guard let read, let furthest = furthestRead, place < read else { return }
    movedBack = MovedBack(furthest: furthest, at: Timestamp(milliseconds: at))
    self.read = record.id == 0 ? nil : place
    unread = countUnread(after: place)
  }

  private func markRead(_ place: Entry.Key) {
    guard read.map({ $0 < place }) ?? true else { return }
    read = place
    if let movedBack, place >= movedBack.furthest { self.movedBack = nil }
    unread = countUnread(after: place)
  }

  /// Counts from the newest backwards: the cost is the number of messages after the place.
  private func countUnread(after place: Entry.Key) -> Int {
    var count = 0
    var row = timeline.count - 1
    while row >= 0, place < timeline[row].key {
      if timeline[row].flags.isNews { count += 1 }
      row -= 1
    }
    return count
  }
}
