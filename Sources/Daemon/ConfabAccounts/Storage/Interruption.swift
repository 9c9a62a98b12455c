import Clocks

/// A decision of an account needed a record that the disk refused to read. Nothing more is decided, appended or
/// acknowledged then: a message that is known would be stored a second time. Links are dropped, all accounts begin anew
/// from what is durable, and connect after a pause, so that the server delivers again what was not taken
/// (docs/decisions/0151-a-refused-read-puts-decisions-off.md).
package final class Interruption {
  package private(set) var isOn = false
  /// No account connects before.
  private var connectsAt: Instant?
  private var pause = RetryPause()

  func begin(at now: Instant) {
    isOn = true
    connectsAt = now.advanced(by: pause.next(at: now))
  }

  package func end() { isOn = false }

  /// How long accounts do not connect yet; nil: they may.
  func remaining(at now: Instant) -> Interval? { connectsAt.flatMap { $0 > now ? $0 - now : nil } }
}
