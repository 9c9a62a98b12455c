package import Clocks
package import Timelines
package import Records

// Messages are read in the order in which they arrived, by their numbers: a late one is unread, though it stands above
// what was read (docs/decisions/0153-unread-by-arrival.md).
extension Conversation {
  /// The last move of the read position back by the user.
  package struct MovedBack: Sendable, Equatable {
    /// The furthest read position before the move.
    package var furthest: UInt64
    package var at: Timestamp
  }

  /// True if a message is unread: it is news, and arrived behind the read position.
  package func isUnread(_ entry: Entry) -> Bool { entry.flags.isNews && entry.id > read }

  /// The furthest read position there ever was; 0: nothing was read.
  package var furthestRead: UInt64 { movedBack?.furthest ?? read }

  /// The message that arrived last, of those that are unread and the newest one; nil: there is none.
  package var lastArrived: Entry? { newestEntry.map { unreadEntries.reduce($0) { $0.id > $1.id ? $0 : $1 } } }

  /// The unread messages, the newest first. The cost is the number of messages behind the oldest of them, because the
  /// search goes backwards: as far as all are unread, and from there on.
  package var unreadEntries: [Entry] {
    var (entries, end) = ([Entry](), timeline.count)
    while entries.count < unread, end > 0 {
      let start = max(0, end - max(unread - entries.count, 16))
      entries += timeline.entries(of: start..<end).reversed().filter(isUnread)
      end = start
    }
    return entries
  }

  /// How many unread messages name me.
  package var mentions: Int { unread == 0 ? 0 : unreadEntries.count { $0.flags.contains(.mention) } }

  /// The read position at which all is unread that stands at a row or below it, or arrived later: the number of a
  /// message, or 0.
  package func position(before row: Int) -> UInt64 {
    let first = (row..<timeline.count).reduce(UInt64.max) { min($0, timeline[$1].id) }
    return (0..<timeline.count).reduce(0) { timeline[$1].id < first ? max($0, timeline[$1].id) : $0 }
  }

  /// True if there is history at a row or below it.
  package func hasHistory(from row: Int) -> Bool {
    (row..<timeline.count).contains { timeline[$0].flags.contains(.history) }
  }

  /// Moves the read position.
  func apply(_ record: ReadRecord) {
    guard record.isByArrival else { return applyEarlier(record) }
    if record.historyFrom != nil { return makeHistory(record) }
    guard let at = record.movedBackAt else { return markRead(record.id) }
    let time = Timestamp(milliseconds: record.time)
    for row in timeline.firstRow(notBefore: time)..<timeline.count { change(row) { $0.remove(.history) } }
    moveBack(to: min(record.id, read), at: Timestamp(milliseconds: at))
  }

  /// Moves the read position as a record of an earlier version says, by which all messages up to a place in the
  /// conversation were read, and with `staysReadThrough` others by their numbers.
  private func applyEarlier(_ record: ReadRecord) {
    let key = key(of: record)
    let behind = (timeline.firstRow(notBefore: key.time)..<timeline.count).map { timeline[$0] }.filter { key < $0.key }
    let through = record.staysReadThrough ?? 0
    let unread = behind.filter { $0.flags.isNews && $0.id > through }.map(\.id).min() ?? .max
    let position = behind.map(\.id).filter { $0 < unread }.reduce(record.id < unread ? record.id : 0, max)
    guard let at = record.movedBackAt else { return markRead(position) }
    if position < read { moveBack(to: position, at: Timestamp(milliseconds: at)) }
  }

  private func markRead(_ position: UInt64) {
    guard position > read else { return }
    let entries = unreadEntries
    read = position
    if let movedBack, position >= movedBack.furthest { self.movedBack = nil }
    unread = entries.count { $0.id > position }
  }

  private func moveBack(to position: UInt64, at time: Timestamp) {
    if furthestRead > 0 { movedBack = MovedBack(furthest: furthestRead, at: time) }
    read = position
    unread = (0..<timeline.count).count { isUnread(timeline[$0]) }
  }

  /// True if a record makes history of something that is unread.
  package func hasUnread(in history: ReadRecord) -> Bool { rows(in: history).contains { isUnread(timeline[$0]) } }

  private func makeHistory(_ record: ReadRecord) {
    for row in rows(in: record) { change(row) { $0.insert(.history) } }
    unread = (0..<timeline.count).count { isUnread(timeline[$0]) }
  }

  /// The rows up to the message of a record, of messages with numbers from its first one on.
  private func rows(in history: ReadRecord) -> [Int] {
    let (first, last) = (history.historyFrom ?? .max, key(of: history))
    return (0..<timeline.count).filter { timeline[$0].id >= first && timeline[$0].key <= last }
  }

  /// The place of the message of a record in the conversation.
  private func key(of record: ReadRecord) -> Entry.Key {
    let time = Timestamp(milliseconds: record.time)
    return timeline.row(ofTime: time, id: record.id).map { timeline[$0].key } ?? Entry.Key(time: time, id: record.id)
  }

  private func change(_ row: Int, _ body: (inout EntryFlags) -> Void) {
    var flags = timeline[row].flags
    body(&flags)
    if flags != timeline[row].flags { move { $0.change(row: row) { $0.flags = flags } } }
  }
}
