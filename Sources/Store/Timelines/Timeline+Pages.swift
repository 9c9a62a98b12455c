package import Clocks

/// The position of a page of `history` (docs/PROTOCOL.md, `history`). Rows are those of messages in the timeline.
package enum PagePosition: Equatable, Sendable {
  /// The newest messages.
  case newest
  /// Messages before a row, without it.
  case before(row: Int)
  /// Messages after a row, without it.
  case after(row: Int)
  /// floor(limit / 2) before a row, then it, where it is shown, and what follows; a short side is not made up on the
  /// other.
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

/// The rows of a page of `history` if some of its messages cannot be shown: rows that belong to it in any case, and how
/// many are filled up from before and from behind them.
package struct PageFilling: Equatable, Sendable {
  package var own: Range<Int>
  package var before = 0
  package var after = 0
  /// The rows that the filters leave.
  package var shown: Range<Int>
}

extension Timeline {
  /// The page of at most `limit` messages at a position, of those with `since` <= time < `until`.
  package func page(
    _ position: PagePosition, limit: Int, since: Timestamp? = nil, until: Timestamp? = nil
  ) -> Page {
    let filling = filling(position, limit: limit, since: since, until: until)
    let (own, shown) = (filling.own, filling.shown)
    let rows = (own.lowerBound - filling.before..<own.upperBound + filling.after).clamped(to: shown)
    return Page(
      rows: rows, moreBefore: rows.lowerBound > shown.lowerBound, moreAfter: rows.upperBound < shown.upperBound)
  }

  /// The rows that make up that page.
  package func filling(
    _ position: PagePosition, limit: Int, since: Timestamp? = nil, until: Timestamp? = nil
  ) -> PageFilling {
    let lower = since.map(firstRow(notBefore:)) ?? 0
    let shown = lower..<max(lower, until.map(firstRow(notBefore:)) ?? count)
    let limit = min(max(0, limit), Self.longestPage)
    func at(_ row: Int, before: Int = 0, after: Int = 0) -> PageFilling {
      PageFilling(own: row..<row, before: before, after: after, shown: shown)
    }
    switch position {
    case .newest: return at(shown.upperBound, before: limit)
    case .before(let row): return at(min(row, shown.upperBound), before: limit)
    case .after(let row): return at(max(row + 1, shown.lowerBound), after: limit)
    case .around(let row):
      let place = max(shown.lowerBound, min(row, shown.upperBound))
      return at(place, before: limit / 2, after: limit - limit / 2)
    case .row(let row):
      let first = min(max(0, row), count)
      return PageFilling(own: first..<first + limit, shown: shown)
    }
  }

  /// More than any timeline holds: bounds the arithmetic, never a page.
  private static let longestPage = 1 << 40
}
