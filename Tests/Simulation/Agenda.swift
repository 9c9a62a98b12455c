import Clocks

/// What is to happen, by its time; what is for the same time, in the order in which it was put in. A binary heap.
struct Agenda {
  private struct Entry {
    let at: Instant
    let order: UInt64
    let what: () -> Void

    func comes(before other: Entry) -> Bool { (at, order) < (other.at, other.order) }
  }

  private var heap: [Entry] = []
  private var lastOrder: UInt64 = 0

  /// When the next thing happens.
  var next: Instant? { heap.first?.at }

  mutating func add(at: Instant, _ what: @escaping () -> Void) {
    lastOrder += 1
    heap.append(Entry(at: at, order: lastOrder, what: what))
    var child = heap.count - 1
    while child > 0, heap[child].comes(before: heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the next thing out.
  mutating func take() -> (() -> Void)? {
    guard let first = heap.first else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while let child = earlierChild(of: parent), heap[child].comes(before: heap[parent]) {
      heap.swapAt(child, parent)
      parent = child
    }
    return first.what
  }

  private func earlierChild(of parent: Int) -> Int? {
    let (left, right) = (2 * parent + 1, 2 * parent + 2)
    guard left < heap.count else { return nil }
    return right < heap.count && heap[right].comes(before: heap[left]) ? right : left
  }
}
