import Clocks
import Settings
import Syscalls

/// The daemon's journal: one line an event on standard error, in the form that journald reads (`<6>…`,
/// sd-daemon(3)). Under systemd the journal stamps the time; elsewhere each line carries its own.
final class Journal {
  var level: LogLevel
  private let isStamped: Bool
  private let now: () -> Timestamp

  init(level: LogLevel, environment: [String: String], now: @escaping () -> Timestamp) {
    self.level = level
    self.now = now
    isStamped = environment["JOURNAL_STREAM"] == nil
  }

  /// Writes a line, if its level is wanted. What came from outside cannot break it: controls are shown as `?`.
  func write(_ level: LogLevel, _ line: String) {
    guard level <= self.level else { return }
    let stamp = isStamped ? now().rfc3339 + " " : ""
    // Where standard error is gone there is nobody to tell.
    try? Descriptors.writeAll(2, Array("<\(level.rawValue)>\(stamp)\(PlainLine.of(line))\n".utf8))
  }
}
