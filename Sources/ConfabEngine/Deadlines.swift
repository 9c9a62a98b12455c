import Clocks

/// Pending deadlines by key: each key has at most one. A binary heap with lazy deletion, so that setting and clearing
/// cost O(log n) however many there are.
struct Deadlines<Key: Hashable & Sendable>: Sendable {
  private var byKey: [Key: Instant] = [:]
  private var heap: [(at: Instant, key: Key)] = []

  /// The earliest deadline of all.
  var next: Instant? { heap.first?.at }

  /// Sets, moves or (nil) clears the deadline of a key.
  mutating func set(_ key: Key, at instant: Instant?) {
    guard byKey[key] != instant else { return }
    byKey[key] = instant
    if let instant { push((instant, key)) }
    dropStale()
  }

  /// Takes a key whose deadline has come; call until nil.
  mutating func takeDue(at now: Instant) -> Key? {
    guard let first = heap.first, first.at <= now else { return nil }
    pop()
    byKey[first.key] = nil
    dropStale()
    return first.key
  }

  private mutating func dropStale() {
    while let first = heap.first, byKey[first.key] != first.at { pop() }
  }

  private mutating func push(_ entry: (at: Instant, key: Key)) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0, heap[child].at < heap[(child - 1) / 2].at {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].at < heap[least].at {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
