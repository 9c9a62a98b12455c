import Syscalls

/// When waiting ends in failure. Nothing waits for time to pass: a deadline only bounds the wait for an event, and is
/// generous, because machines that run tests are busy.
package struct Deadline: Sendable {
  private let boot: Int64

  /// So many seconds from now.
  package static func seconds(_ seconds: Int64) -> Deadline {
    Deadline(boot: SystemClock.bootMilliseconds + seconds * 1000)
  }

  /// So many milliseconds from now.
  package static func milliseconds(_ milliseconds: Int64) -> Deadline {
    Deadline(boot: SystemClock.bootMilliseconds + milliseconds)
  }

  /// What is left, as poll(2) takes it; 0 when it has passed.
  package var remainingMilliseconds: CInt {
    CInt(clamping: max(0, boot - SystemClock.bootMilliseconds))
  }

  package var hasPassed: Bool { remainingMilliseconds == 0 }
}
