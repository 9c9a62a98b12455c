package import Clocks
import Conversations
import Records

extension Conversation.Place {
  /// Of the read position if nothing is read.
  package static let beforeAll = Self(time: Timestamp(milliseconds: .min), id: 0)
}

// How the read position moves.
extension Conversation {
  /// That the user moved the read position back.
  package struct MovedBack: Sendable, Equatable {
    /// Up to where all had been read before.
    package var furthest: Place
    package var at: Timestamp
  }

  /// Up to where all was read at some time; nil: nothing was.
  package var furthestRead: Place? { movedBack?.furthest ?? read }

  /// Whether a message stands behind all that was ever read: what other devices and imports say of others is no news.
  package func isNews(_ place: Place) -> Bool { furthestRead.map { Self.precedes($0, place) } ?? true }

  /// Where the read position stands right before the message of a row: at a message that is before it by time and
  /// number. Nil: at none.
  package func place(beforeRow row: Int) -> Place? {
    let message = Place(timeline[row])
    return (0..<row).reversed().lazy.map { Place(self.timeline[$0]) }.first { Self.precedes($0, message) }
  }

  /// Moves the read position: forward, where that is not behind the present one, or back.
  func apply(_ record: ReadRecord) {
    let place = Place(record)
    guard let at = record.movedBackAt else { return markRead(place) }
    guard let read, let furthest = furthestRead, Self.precedes(place, read) else { return }
    movedBack = MovedBack(furthest: furthest, at: Timestamp(milliseconds: at))
    self.read = record.id == 0 ? nil : place
    unread = countUnread(after: place)
  }

  private func markRead(_ place: Place) {
    guard read.map({ Self.precedes($0, place) }) ?? true else { return }
    read = place
    if let movedBack, !Self.precedes(place, movedBack.furthest) { self.movedBack = nil }
    unread = countUnread(after: place)
  }

  /// Counts from the newest backwards: the cost is the number of messages after the place.
  private func countUnread(after place: Place) -> Int {
    var count = 0
    var row = timeline.count - 1
    while row >= 0, Self.precedes(place, Place(timeline[row])) {
      if !timeline[row].flags.contains(.mine) { count += 1 }
      row -= 1
    }
    return count
  }
}
