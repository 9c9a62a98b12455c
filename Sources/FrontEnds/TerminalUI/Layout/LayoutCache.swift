package import Clocks
package import ConfabClient
package import Screen

/// The messages that were laid out last, so that scrolling and painting lay each one out once for a width.
package struct LayoutCache {
  /// Cells that are kept at most, some 40 bytes each; a message counts as some of them.
  package let capacity: Int
  /// How often lines were there already, and how often they had to be made.
  package private(set) var hitCount = 0
  package private(set) var missCount = 0

  private var context: LayoutContext?
  /// Used since the older ones were set aside.
  private var newer: [Key: Entry] = [:]
  private var older: [Key: Entry] = [:]

  private struct Key: Hashable {
    let id: UInt64
    let date: CivilDate
    let flags: MessageFlags
  }

  private struct Entry {
    let message: MessageRow
    let lines: [StyledLine]
  }

  /// Cells of the newer ones.
  private var newerCost = 0

  /// Memory of a message beside its cells, in cells: its row, and about as much again for its texts.
  static let messageCost = 2 * MemoryLayout<MessageRow>.stride / MemoryLayout<Cell>.stride

  package init(capacity: Int = 50_000) {
    self.capacity = capacity
  }

  package var cellCount: Int {
    (newer.values.map(\.lines) + older.values.map(\.lines)).joined().reduce(0) { $0 + $1.width }
  }

  /// Messages of which the lines are kept.
  package var messageCount: Int { newer.count + older.count }

  /// The lines of a message. A context that differs from the last one empties the cache, so each pane has a cache of its own.
  package mutating func lines(
    of message: MessageRow, _ flags: MessageFlags, date: CivilDate, in context: LayoutContext,
    dates: (Timestamp) -> CivilDate = { CivilDate($0, offsetSeconds: 0) }
  ) -> [StyledLine] {
    if self.context != context { removeAll() }
    // Equal contexts that share their arrays are compared faster the next time.
    self.context = context
    let key = Key(id: message.id, date: date, flags: flags)
    if let entry = newer[key] ?? older.removeValue(forKey: key), entry.message == message {
      hitCount += 1
      keep(entry, key)
      return entry.lines
    }
    missCount += 1
    let lines = MessageLayout.layOut(message, flags, date: date, in: context, dates: dates)
    keep(Entry(message: message, lines: lines), key)
    return lines
  }

  private mutating func removeAll() {
    newer.removeAll(keepingCapacity: true)
    older.removeAll()
    newerCost = 0
  }

  /// Half of the cells at most are those of newer layouts; then those become the older ones, and what was older goes. One that
  /// is unfolded counts as an eighth at most, so that it does not push the others out.
  private mutating func keep(_ entry: Entry, _ key: Key) {
    if newer.updateValue(entry, forKey: key) == nil {
      newerCost += min(capacity / 8, entry.lines.reduce(Self.messageCost) { $0 + $1.width })
    }
    guard newerCost >= capacity / 2 else { return }
    older = newer
    newer = [:]
    newerCost = 0
  }
}
