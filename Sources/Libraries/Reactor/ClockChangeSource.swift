package import Syscalls

/// The cause of a jump of the wall clock.
package enum ClockChange: Hashable, Sendable {
  /// The machine was asleep.
  case woke
  /// Somebody set the clock, or it was stepped by a time server.
  case set
}

/// Tells when the machine woke from suspend, or the wall clock was set. Owned by who wants to know; it ends with it.
package final class ClockChangeSource {
  private let timer: TimerFD
  private let loop: EventLoop
  private var watch: Watch?
  private var sleep: SleepDetector

  package init(loop: EventLoop, _ handler: @escaping (ClockChange) -> Void) throws(Errno) {
    self.loop = loop
    timer = try TimerFD.watchingWallClock()
    sleep = SleepDetector(boot: SystemClock.bootMilliseconds, awake: SystemClock.monotonicMilliseconds)
    watch = try loop.watch(timer.raw, for: .read) { [unowned self] _ in
      guard case .clockChanged = timer.acknowledge() else { return }
      let slept = sleep.hasSlept(boot: SystemClock.bootMilliseconds, awake: SystemClock.monotonicMilliseconds)
      handler(slept ? .woke : .set)
    }
  }

  deinit {
    if let watch { loop.unwatch(watch) }
  }
}

/// Compares the clock that goes on in suspend with the one that does not.
struct SleepDetector {
  private var asleep: Int64

  /// The clocks are not read at the same moment.
  private static let doubt: Int64 = 100

  init(boot: Int64, awake: Int64) { asleep = boot - awake }

  /// True if the machine slept since the last call.
  mutating func hasSlept(boot: Int64, awake: Int64) -> Bool {
    let before = asleep
    asleep = boot - awake
    return asleep - before > Self.doubt
  }
}
