import Glibc
import Simulation

/// Shows that each mistake made on purpose is found.
enum BugHunt {
  /// So many seeds each; who needs more would not be found in an hour of an engineer's life.
  private static let patience: UInt64 = 600

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
    for seed in 1...patience {
      if let broken = Tally.runOne(seed, bug).broken { return (seed, broken) }
    }
    return nil
  }
}
