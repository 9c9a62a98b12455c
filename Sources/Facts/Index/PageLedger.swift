/// Which pages of the index are free. A page that a durable checkpoint may name is never written again before a later
/// checkpoint, which does not name it, is durable: pages are copied on write.
struct PageLedger {
  /// May be written.
  private var free: [UInt32] = []
  /// Not in use any more, and perhaps named by the durable checkpoint.
  private var retired: [UInt32] = []
  /// The same, and not named by the checkpoint that is being written.
  private var leaving: [UInt32] = []
  /// From here on no page has been in use. Page 0 is the header.
  private(set) var end: UInt32 = 1
  /// A checkpoint may name some of them.
  private var areNamed = false

  init() {}

  /// A ledger in which just these pages are in use.
  init(using pages: Set<UInt32>) {
    end = (pages.max() ?? 0) + 1
    free = (1..<end).filter { !pages.contains($0) }
    areNamed = !pages.isEmpty
  }

  /// How many pages wait for a checkpoint.
  var retiredCount: Int { retired.count }

  /// How many pages are in use, or wait for a checkpoint.
  var count: Int { Int(end) - 1 - free.count }

  /// Whether any page has ever been in use.
  var isUsed: Bool { end > 1 }

  /// A page to write.
  mutating func take() -> UInt32 {
    if let page = free.popLast() { return page }
    defer { end += 1 }
    return end
  }

  /// A page that was in use is not any more.
  mutating func retire(_ page: UInt32) {
    if areNamed { retired.append(page) } else { free.append(page) }
  }

  /// A page that was taken is not named by any checkpoint, and not wanted.
  mutating func giveBack(_ page: UInt32) { free.append(page) }

  /// A checkpoint is being written, which names the pages that are in use now.
  mutating func checkpointBegins() {
    areNamed = true
    leaving += retired
    retired = []
  }

  /// It is durable, or it is not.
  mutating func checkpointEnds(isDurable: Bool) {
    if isDurable { free += leaving } else { retired += leaving }
    leaving = []
  }
}
