import Bytes
import Names

extension TextMatcher {
  /// Bytes of which some must stand in every text that matches: what is to be looked for first. Nil where there are none.
  ///
  /// They are made of a few neighbouring scalars of the needle, those that are met most seldom: each in every form from which
  /// folding makes it, what becomes several scalars one of which is among them, and, where one of them can be composed, the
  /// marks of it: who wrote it decomposed has written one of those. A needle of nothing but marks has no such bytes.
  var fragments: FragmentSet? {
    var best: (rarity: Double, fragments: [[UInt8]])?
    for start in needle.indices.prefix(64) {
      for width in 1...3 where start + width <= needle.count {
        let window = needle[start..<start + width]
        guard !window.contains(where: CaseFolding.joins), let made = Self.fragments(of: window) else { break }
        if best.map({ made.rarity < $0.rarity }) ?? true { best = made }
      }
    }
    return best.flatMap { FragmentSet($0.fragments) }
  }

  /// All forms of some neighbouring scalars, and how often they are met, about; nil where there are too many.
  private static func fragments(of window: ArraySlice<UInt32>) -> (rarity: Double, fragments: [[UInt8]])? {
    var made: [(bytes: [UInt8], rarity: Double)] = [([], 1)]
    for scalar in window {
      let sources = FoldSources.all.sources(of: scalar)
      made = made.flatMap { before in
        sources.map { (before.bytes + utf8($0), before.rarity * rarity(of: $0)) }
      }
      guard made.count <= FragmentSet.most else { return nil }
    }
    let marks = window.flatMap { FoldSources.all.marks(in: $0) }
    for scalar in FoldSources.all.expanding(to: window) + marks { made.append((utf8(scalar), rarity(of: scalar) / 8)) }
    guard made.count <= FragmentSet.most else { return nil }
    return (made.reduce(0) { $0 + $1.rarity }, made.map(\.bytes))
  }

  private static func utf8(_ scalar: UInt32) -> [UInt8] {
    Unicode.Scalar(scalar).map { Array(String($0).utf8) } ?? []
  }

  /// Letters of Latin by how often they are met, the most frequent first.
  private static let frequent = Array(" etaoinsrhldcumfpgwybvk0123456789.,xjqz".utf8)

  /// The share of this scalar in texts, by a rule of thumb.
  private static func rarity(of scalar: UInt32) -> Double {
    guard scalar < 0x80 else { return scalar < 0x800 ? 0.008 : 0.001 }
    let byte = UInt8(truncatingIfNeeded: scalar)
    let isUpper = (0x41...0x5A).contains(byte)
    let rank = frequent.firstIndex(of: isUpper ? byte | 0x20 : byte) ?? frequent.count
    return 0.15 / Double(rank + 1) * (isUpper ? 0.2 : 1)
  }
}
