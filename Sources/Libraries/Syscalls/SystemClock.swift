import CLinux
import Glibc

/// The two clocks, as milliseconds. clock_gettime(2), which the kernel answers without a system call.
package enum SystemClock {
  /// Milliseconds since boot, the time asleep included (CLOCK_BOOTTIME).
  ///
  /// After a suspend every time-out that has passed meanwhile is due at once, which is what a network connection
  /// needs; CLOCK_MONOTONIC would let a dead link live on for as long as it had still to wait.
  package static var bootMilliseconds: Int64 { milliseconds(CLOCK_BOOTTIME) }

  /// Milliseconds of CLOCK_MONOTONIC, in which systemd counts.
  package static var monotonicMilliseconds: Int64 { milliseconds(CLOCK_MONOTONIC) }

  /// Milliseconds since 1970-01-01T00:00:00Z by the wall clock, which people may set.
  package static var wallMilliseconds: Int64 { milliseconds(CLOCK_REALTIME) }

  /// Seconds east of UTC at a time (milliseconds since 1970), in the zone of `TZ`, else the system's. localtime_r(3)
  package static func utcOffset(atWallMilliseconds milliseconds: Int64) -> Int {
    clinux_utc_offset(milliseconds.quotientRoundingDown(1000))
  }

  /// True if the wall clock is synchronised (NTP or PTP), as far as the kernel knows; nil if it does not say.
  /// adjtimex(2)
  package static var isKept: Bool? {
    let answer = try? systemCall("adjtimex") { clinux_clock_is_kept() }
    return answer.map { $0 == 1 }
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
  }
}

extension Int64 {
  fileprivate func quotientRoundingDown(_ divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
