import Clocks

/// The results of one page of an archive.
struct ArchivePage {
  /// Results that one page may have.
  static let size = 250

  private(set) var count = 0
  /// The last result; of the page before while this one has brought none.
  private(set) var newest: (id: String, time: Timestamp)?
  private(set) var oldest: Timestamp?

  /// A result came; false if there are more than were requested.
  mutating func note(_ id: String, stamp: Timestamp?) -> Bool {
    count += 1
    newest = (id, stamp ?? newest?.time ?? Timestamp(milliseconds: 0))
    oldest = oldest ?? stamp
    return count <= Self.size
  }

  /// The page that follows is counted, or this one once more.
  mutating func recount() { count = 0 }
}
