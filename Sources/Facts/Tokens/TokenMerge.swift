import Conversations

/// Neighbouring runs that become one, head by head: what the new one has leaves the old ones.
struct TokenMerge {
  /// The places of the old ones; behind them stands the new one.
  let old: Range<Int>
  var cursor: TokenCursor
  var output = TokenPages()
  /// Pages that were handed out and that no head of the new one names.
  var unnamed: [UInt32] = []
  var isAtEnd = false

  /// So many runs are too many, even while much else is going on.
  static let manyRuns = 12

  /// The next merge there is to do; nil where there is none.
  init?(of runs: [TokenRun]) {
    guard let old = Self.mergeable(runs) else { return nil }
    self.old = old
    cursor = TokenCursor(runs[old])
  }

  var new: Int { old.upperBound }

  /// Fills so many pages, or all that there are.
  mutating func fill(pages: Int, _ ledger: inout PageLedger, _ read: (IndexPage) -> [UInt8]?) {
    while !isAtEnd, output.full.count < pages {
      if let token = cursor.next(read) {
        output.append(token, &ledger)
      } else {
        isAtEnd = true
        output.close(&ledger)
      }
    }
  }

  /// The newest neighbours that are about as large, each, as the one behind it. Many at once: each token is written less often.
  private static func mergeable(_ runs: [TokenRun]) -> Range<Int>? {
    let counts = runs.map(\.count)
    let joins = { counts[$0] < 4 * counts[$0 + 1] }
    guard let newest = counts.indices.dropLast().last(where: joins) else { return nil }
    let apart = counts[..<newest].indices.last { !joins($0) }
    return max(apart.map { $0 + 1 } ?? 0, newest + 1 - manyRuns)..<newest + 2
  }
}
