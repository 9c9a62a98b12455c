/// The name that somebody meant who typed one that does not exist, by a slip of the fingers.
package enum NearName {
  /// The nearest of the names; nil: none is near.
  package static func of(_ word: String, among names: [String]) -> String? {
    // Nearly every word is near a short one.
    guard word.count > 2 else { return nil }
    let most = word.count < 6 ? 1 : 2
    let near = names.map { (name: $0, steps: distance(word, $0)) }.filter { $0.steps <= most }
    return near.min { $0.steps < $1.steps }?.name
  }

  /// Letters to insert, to delete, to replace, or to exchange with the next one (optimal string alignment).
  private static func distance(_ one: String, _ other: String) -> Int {
    let (from, to) = (Array(one), Array(other))
    var rows = [Array(0...to.count)]
    for i in 1...max(1, from.count) where i <= from.count {
      var row = [i]
      for j in 1...max(1, to.count) where j <= to.count {
        let replaced = rows[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)
        var best = min(replaced, rows[i - 1][j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, from[i - 1] == to[j - 2], from[i - 2] == to[j - 1] { best = min(best, rows[i - 2][j - 2] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[from.count][to.count]
  }
}
