import Simulation
import Syscalls

/// Many seeds, and their sums.
enum Tally {
  /// Runs seeds until one finds something, all are done, or the seconds are over; false where something was found.
  static func run(_ seeds: Range<UInt64>, for seconds: Int64?, _ bug: Mistake?) -> Bool {
    let start = SystemClock.monotonicMilliseconds
    var sums = Sums()
    for seed in seeds {
      if let seconds, SystemClock.monotonicMilliseconds - start >= seconds * 1000 { break }
      let outcome = runOne(seed, bug)
      sums.add(outcome)
      guard let broken = outcome.broken else { continue }
      print("NOT KEPT with seed \(seed): \(broken)")
      let mistake = bug.map { " --bug \($0)" } ?? ""
      print("to see it: .build/release/confab-simulate --seed \(seed) --trace\(mistake)")
      sums.report(SystemClock.monotonicMilliseconds - start)
      return false
    }
    sums.report(SystemClock.monotonicMilliseconds - start)
    return true
  }

  static func runOne(_ seed: UInt64, _ bug: Mistake?) -> Simulation.Outcome {
    CrashNotice.seed = seed
    return Simulation(seed: seed, bug: bug).run()
  }
}

/// What many runs came to.
private struct Sums {
  private var seeds = 0
  private var events = 0
  private var faults: [Fault: Int] = [:]
  private var seen: [Behaviour: Int] = [:]
  private var digest: UInt64 = 0

  mutating func add(_ outcome: Simulation.Outcome) {
    seeds += 1
    events += outcome.events
    faults.merge(outcome.faults, uniquingKeysWith: +)
    seen.merge(outcome.seen, uniquingKeysWith: +)
    digest = digest &* 31 &+ outcome.digest
  }

  func report(_ milliseconds: Int64) {
    let rate = Int64(seeds) * 1000 / max(milliseconds, 1)
    let count = faults.values.reduce(0, +)
    print(
      "\(seeds) seeds, \(rate) a second; \(events) events, \(count) of what goes wrong; digest \(String(digest, radix: 16))"
    )
    for fault in Fault.allCases {
      if let count = faults[fault] { print("  \(count) times \(fault.rawValue)") }
    }
    for behaviour in Behaviour.allCases { print("  \(seen[behaviour] ?? 0) times \(behaviour.rawValue)") }
  }
}
