import Bytes

/// The free pages of the index. A page that a durable checkpoint may name is never written again before a later
/// checkpoint, which does not name it, is durable: pages are copied on write.
struct PageAllocator {
  /// May be written.
  private var free: [UInt32] = []
  /// Not in use any more, and perhaps named by the durable checkpoint.
  private var retired: [UInt32] = []
  /// Retired pages that the checkpoint being written does not name.
  private var leaving: [UInt32] = []
  /// From here on no page has been in use. Page 0 is the header.
  private(set) var end: UInt32 = 1
  /// A checkpoint may name some of them.
  private var areNamed = false

  init() {}

  /// The pages that a checkpoint does not name, as it says itself.
  struct Free {
    var pages: [UInt32] = []
    /// From here on no page is named.
    var end: UInt32 = 1
  }

  /// An allocator as of a checkpoint: all other pages are in use.
  init(_ free: Free) {
    (self.free, end) = (free.pages, free.end)
    areNamed = end > 1
  }

  /// The pages that a checkpoint written now does not name. `underWay` are pages that were taken and are not written
  /// yet.
  func free(with underWay: [UInt32]) -> Free {
    let all = Set(free + retired + leaving + underWay)
    var end = end
    while end > 1, all.contains(end - 1) { end -= 1 }
    return Free(pages: all.filter { $0 < end }.sorted(), end: end)
  }

  /// How many pages wait for a checkpoint.
  var retiredCount: Int { retired.count }

  /// How many pages are in use, or wait for a checkpoint.
  var count: Int { Int(end) - 1 - free.count }

  /// True if any page was ever in use.
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

// In a checkpoint: 1 the end, 2 (many) a page.
extension PageAllocator.Free {
  func write(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(end))
    for page in pages { writer.uint(2, UInt64(page)) }
  }

  static func read(_ reader: inout FieldReader) throws(FieldError) -> PageAllocator.Free {
    var free = PageAllocator.Free()
    while let field = try reader.next() {
      if field == 1 { free.end = try reader.uint(UInt32.self) }
      if field == 2 { free.pages.append(try reader.uint(UInt32.self)) }
    }
    guard free.end > 0, free.pages.allSatisfy({ $0 > 0 && $0 < free.end }) else { throw .malformed }
    return free
  }
}
