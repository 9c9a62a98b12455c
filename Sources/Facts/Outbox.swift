package import Clocks

/// The messages of one account that nobody has acknowledged yet, in the order in which they were queued.
package struct Outbox: Sendable {
  /// A message that was suspected so often is failed.
  package static let maximumSuspicions: UInt8 = 2

  /// One such message.
  package struct Entry: Sendable, Equatable {
    package var id: UInt64
    /// Where its record stands in the log, packed.
    package var location: UInt64
    package var jid: String
    package var time: Timestamp
    /// A durable record says that its bytes may have left.
    package var transmitted: Bool
    /// Its place among our stanzas on the present stream, where that counts them.
    package var place: UInt32?
    package var inDoubt = false
    /// Stream errors at which it was the first unacknowledged one.
    package var suspicions: UInt8 = 0
  }

  /// Ordered by id, since ids grow in the order of queueing. A slice, because they go mostly from the front, which costs
  /// nothing there however many there are.
  package private(set) var entries: ArraySlice<Entry> = []

  package var count: Int { entries.count }

  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Changes one entry in place; false where it is not (any more) in the box.
  @discardableResult
  mutating func update(_ id: UInt64, _ change: (inout Entry) -> Void) -> Bool {
    guard let index = index(of: id) else { return false }
    change(&entries[index])
    return true
  }

  mutating func remove(_ id: UInt64) {
    guard let index = index(of: id) else { return }
    if index == entries.startIndex { entries = entries.dropFirst() } else { entries.remove(at: index) }
    // What went from the front stays in memory until then.
    if entries.isEmpty && index > 1000 { entries = [] }
  }

  /// Another stream: nothing has a place on it yet.
  mutating func forgetPlaces() {
    for index in entries.indices where entries[index].place != nil { entries[index].place = nil }
  }

  /// The server has not had what stands behind this count.
  mutating func untransmit(beyond count: UInt32) {
    for index in entries.indices where entries[index].place?.isBeyond(count) == true {
      entries[index].transmitted = false
    }
  }

  package func entry(_ id: UInt64) -> Entry? { index(of: id).map { entries[$0] } }

  /// Up to `limit` entries with ids above `id`, oldest first.
  package func entries(after id: UInt64, limit: Int) -> ArraySlice<Entry> {
    let start = lowerBound(id &+ 1)
    return entries[start..<min(start + limit, entries.endIndex)]
  }

  /// How many entries have ids above `id`.
  package func count(after id: UInt64) -> Int { entries.endIndex - lowerBound(id &+ 1) }

  private func index(of id: UInt64) -> Int? {
    let index = lowerBound(id)
    return index < entries.endIndex && entries[index].id == id ? index : nil
  }

  private func lowerBound(_ id: UInt64) -> Int {
    var low = entries.startIndex
    var high = entries.endIndex
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
