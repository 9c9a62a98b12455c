import Glibc
import Simulation
import Syscalls

/// `confab-simulate`: runs seeds, or shows one.
@main
enum Main {
  private static let usage = """
    usage: confab-simulate --seconds N          seeds from a fresh random start, for so long
           confab-simulate --from N --count M   the seeds from N on
           confab-simulate --seed N [--trace]   one seed, and what happens in it
           confab-simulate --bugs [NAME]        how many seeds it takes to find each mistake made on purpose
                           --bug NAME           (with the others) makes one of them

    """

  static func main() {
    guard let options = Options(ProcessArguments.mended()) else {
      print(usage)
      exit(64)
    }
    CrashNotice.install()
    switch options.mode {
    case .one(let seed): exit(show(seed, options) ? 0 : 1)
    case .range(let first, let count): exit(Tally.run(first..<first &+ count, for: nil, options.bug) ? 0 : 1)
    case .time(let seconds):
      // Room for as many seeds as there can be.
      let first = UInt64.random(in: 0..<1 << 40)
      exit(Tally.run(first..<first + 1 << 32, for: seconds, options.bug) ? 0 : 1)
    case .bugs: exit(BugHunt.run(options.bug) ? 0 : 1)
    }
  }

  private static func show(_ seed: UInt64, _ options: Options) -> Bool {
    CrashNotice.seed = seed
    let outcome = Simulation(seed: seed, bug: options.bug, print: options.isTracing ? { print($0) } : nil).run()
    print("seed \(seed): \(outcome.events) events, digest \(String(outcome.digest, radix: 16))")
    for fault in Fault.allCases {
      if let count = outcome.faults[fault] { print("  \(count) times \(fault.rawValue)") }
    }
    if let broken = outcome.broken { print("NOT KEPT: \(broken)") }
    return outcome.broken == nil
  }

}
