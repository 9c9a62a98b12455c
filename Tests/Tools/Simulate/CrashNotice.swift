import Glibc
import Synchronization

/// Says which seed was running when the program traps: a crash of the engine is a find, too.
enum CrashNotice {
  private static let current = Atomic<UInt64>(0)

  static var seed: UInt64 {
    get { current.load(ordering: .relaxed) }
    set { current.store(newValue, ordering: .relaxed) }
  }

  static func install() {
    for trap in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
      signal(trap) { number in
        // Nothing but what a handler may call.
        CrashNotice.write(CrashNotice.seed)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  private static func write(_ seed: UInt64) {
    say("\nTRAPPED with seed ")
    var divisor: UInt64 = 10_000_000_000_000_000_000
    while divisor > 1, seed / divisor == 0 { divisor /= 10 }
    while divisor > 0 {
      say(digits[Int(seed / divisor % 10)])
      divisor /= 10
    }
    say("\n")
  }

  private static let digits: [StaticString] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]

  private static func say(_ text: StaticString) {
    _ = unsafe Glibc.write(2, text.utf8Start, text.utf8CodeUnitCount)
  }
}
