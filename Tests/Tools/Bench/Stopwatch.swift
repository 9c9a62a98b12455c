import Glibc

/// Monotonic time in microseconds, for what is shorter than the clocks of the daemon care for.
enum Stopwatch {
  static var now: Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// How long a piece of work takes.
  static func measure(_ work: () throws -> Void) rethrows -> Double {
    let start = now
    try work()
    return now - start
  }
}

extension [Double] {
  /// The middle one; 0 of none.
  var median: Double {
    isEmpty ? 0 : sorted()[count / 2]
  }
}
