package import Clocks
package import Timelines
package import Records

extension Entry.Key {
  /// The read position before the first message.
  package static let beforeAll = Self(time: Timestamp(milliseconds: .min), id: 0)

  /// The position that a record reads up to.
  package init(_ read: ReadRecord, archiveOrder: UInt32 = 0) {
    self.init(time: Timestamp(milliseconds: read.time), id: read.id, archiveOrder: archiveOrder)
  }
}

// How the read position moves, in the order in which the messages stand: within a stamp's second that is the archive's,
// and no number of theirs tells it.
extension Conversation {
  /// The last move of the read position back by the user.
  package struct MovedBack: Sendable, Equatable {
    /// The furthest read position before the move.
    package var furthest: Entry.Key
    package var at: Timestamp
  }

  /// The furthest read position there ever was; nil: nothing was read.
  package var furthestRead: Entry.Key? { movedBack?.furthest ?? read }

  /// True if a message follows all that was ever read: reports of other devices and imports about earlier messages are
  /// no news.
  package func isNews(_ place: Entry.Key) -> Bool {
    place.id > readThrough && (furthestRead.map { $0 < place } ?? true)
  }

  /// The key of a stored message; `known` if the message is not stored.
  package func key(of known: Entry.Key) -> Entry.Key {
    timeline.row(ofTime: known.time, id: known.id).map { timeline[$0].key } ?? known
  }

  /// Moves the read position: forward, where that is not behind the present one, or back.
  func apply(_ record: ReadRecord) {
    let place = key(of: Entry.Key(record))
    if let through = record.staysReadThrough { return leaveFuture(for: place, through) }
    guard let at = record.movedBackAt else { return markRead(place) }
    let read = read ?? .beforeAll
    guard place < read || place == read && readThrough > 0 else { return }
    movedBack = furthestRead.map { MovedBack(furthest: $0, at: Timestamp(milliseconds: at)) }
    self.read = record.id == 0 ? nil : place
    readThrough = 0
    unread = countUnread(after: place)
  }

  /// The record by which the read position leaves the future, in which it is by a clock that was ahead and was put
  /// right since: it moves to the last message that is not in the future, and what was read stays so. Nil: it is in
  /// none.
  ///
  /// - Parameter now: what is not later than this is in no future.
  package func leavingFuture(asOf now: Timestamp) -> ReadRecord? {
    guard let read, read.time > now else { return nil }
    let first = timeline.firstRow(notBefore: now.advanced(by: .milliseconds(1)))
    let behind = (first..<timeline.count).map { timeline[$0] }
    let unread = behind.filter { $0.flags.isNews && isUnread($0) }.map(\.id).min() ?? .max
    let through = behind.map(\.id).filter { $0 < unread }.max() ?? 0
    let place = first > 0 ? timeline[first - 1].key : .beforeAll
    var record = ReadRecord(account: account, jid: jid, time: place.time.milliseconds, id: place.id)
    record.staysReadThrough = through
    return record
  }

  private func leaveFuture(for place: Entry.Key, _ through: UInt64) {
    guard let read, place < read else { return }
    self.read = place.id == 0 ? nil : place
    readThrough = max(readThrough, through)
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
      if timeline[row].flags.isNews, timeline[row].id > readThrough { count += 1 }
      row -= 1
    }
    return count
  }
}
