import Glibc
import Simulation

/// Shows that each mistake made on purpose is found.
enum BugHunt {
  /// Seeds for each mistake.
  private static let patience = 600

  /// False where one is not found.
  static func run(_ only: Mistake?) -> Bool {
    var allFound = true
    for bug in Mistake.allCases where only == nil || bug == only {
      if let (seeds, words) = find(bug) {
        print("\(bug): found with seed \(seeds)\n  the mistake: \(bug.rawValue)\n  what was seen: \(words)")
      } else {
        print("\(bug): NOT FOUND in \(patience) seeds: \(bug.rawValue)")
        allFound = false
      }
      // Seen at once, also through a pipe.
      fflush(nil)
    }
    return allFound
  }

  private static func find(_ bug: Mistake) -> (UInt64, String)? {
    for seed in seeds(for: bug) { if let broken = Tally.runOne(seed, bug).broken { return (seed, broken) } }
    return nil
  }

  /// Mistakes of rooms, and of encryption, show in worlds with these, which would only keep the others waiting.
  private static func seeds(for bug: Mistake) -> some Sequence<UInt64> {
    ((1 as UInt64)...).lazy.filter { bug.mayShow(seed: $0) }.prefix(patience)
  }
}
