package import Clocks

/// Where a page of `history` lies (CONTRACT, "Verbs": `history`). Rows are of messages in the timeline.
package enum PagePosition: Equatable, Sendable {
  /// The newest messages.
  case newest
  /// What stands before a row, which is left out.
  case before(row: Int)
  /// What stands after a row, which is left out.
  case after(row: Int)
  /// floor(limit / 2) before a row, then it and what follows; a short side is not made up on the other.
  case around(row: Int)
  /// From a row on, be it there or not.
  case row(Int)
}

/// A page of `history`: which rows, and whether there are more of them within the filters.
package struct Page: Equatable, Sendable {
  package var rows: Range<Int>
  package var moreBefore: Bool
  package var moreAfter: Bool
}

extension Timeline {
  /// The page of at most `limit` messages at a position, of those with `since` <= time < `until`.
  package func page(
    _ position: PagePosition, limit: Int, since: Timestamp? = nil, until: Timestamp? = nil
  ) -> Page {
    let lower = since.map(firstRow(notBefore:)) ?? 0
    let shown = lower..<max(lower, until.map(firstRow(notBefore:)) ?? count)
    let rows = wanted(position, limit: min(max(0, limit), Self.longestPage), of: shown).clamped(to: shown)
    return Page(
      rows: rows, moreBefore: rows.lowerBound > shown.lowerBound, moreAfter: rows.upperBound < shown.upperBound)
  }

  /// More than any timeline holds: bounds the arithmetic, never a page.
  private static let longestPage = 1 << 40

  /// The rows that a position asks for; they may lie beyond `shown`.
  private func wanted(_ position: PagePosition, limit: Int, of shown: Range<Int>) -> Range<Int> {
    switch position {
    case .newest: Self.rows(endingAt: shown.upperBound, limit)
    case .before(let row): Self.rows(endingAt: min(row, shown.upperBound), limit)
    case .after(let row): Self.rows(from: max(row + 1, shown.lowerBound), limit)
    case .around(let row): Self.rows(from: row - limit / 2, limit)
    case .row(let row): Self.rows(from: min(max(0, row), count), limit)
    }
  }

  private static func rows(endingAt end: Int, _ limit: Int) -> Range<Int> {
    (end - limit)..<end
  }

  private static func rows(from start: Int, _ limit: Int) -> Range<Int> {
    start..<(start + limit)
  }
}
