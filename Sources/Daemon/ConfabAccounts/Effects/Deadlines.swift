package import Clocks

/// Pending deadlines by key: each key has at most one. A binary heap with lazy deletion, so that setting and clearing
/// cost O(log n) however many there are; what was cleared is never more than half of it. Equal deadlines come in the
/// order of their keys.
package struct Deadlines<Key: Hashable & Comparable & Sendable>: Sendable {
  private struct Entry {
    let at: Instant
    let key: Key

    func comes(before other: Entry) -> Bool { (at, key) < (other.at, other.key) }
  }

  private var byKey: [Key: Instant] = [:]
  private var heap: [Entry] = []

  package init() {}

  /// The earliest deadline of all.
  package var next: Instant? { heap.first?.at }

  /// How many keys have a deadline, and how many entries they take.
  var count: Int { byKey.count }
  var heapCount: Int { heap.count }

  /// Sets, moves or (nil) clears the deadline of a key.
  package mutating func set(_ key: Key, at instant: Instant?) {
    guard byKey[key] != instant else { return }
    byKey[key] = instant
    if let instant { push(Entry(at: instant, key: key)) }
    dropStale()
  }

  /// Takes a key whose deadline has come; call until nil.
  package mutating func takeDue(at now: Instant) -> Key? {
    guard let first = heap.first, first.at <= now else { return nil }
    pop()
    byKey[first.key] = nil
    dropStale()
    return first.key
  }

  private func isStale(_ entry: Entry) -> Bool { byKey[entry.key] != entry.at }

  private mutating func dropStale() {
    while let first = heap.first, isStale(first) { pop() }
    if heap.count > 2 * byKey.count + 64 { compact() }
  }

  /// Far deadlines that were cleared would stay below a near one for as long as they are far.
  private mutating func compact() {
    let entries = byKey.map { Entry(at: $0.value, key: $0.key) }
    // A sorted array is a heap.
    heap = entries.sorted { $0.comes(before: $1) }
  }

  private mutating func push(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0, heap[child].comes(before: heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while let least = leastChild(of: parent), heap[least].comes(before: heap[parent]) {
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func leastChild(of parent: Int) -> Int? {
    let (left, right) = (2 * parent + 1, 2 * parent + 2)
    guard left < heap.count else { return nil }
    return right < heap.count && heap[right].comes(before: heap[left]) ? right : left
  }
}

extension Optional where Wrapped == Instant {
  /// The earlier of two deadlines, where there are any. Asked after each event, so it makes no array of them.
  package func orEarlier(_ other: Instant?) -> Instant? {
    guard let self, let other else { return self ?? other }
    return Swift.min(self, other)
  }
}
