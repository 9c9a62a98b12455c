import Clocks
import LineProtocol
import Syscalls

/// Checks the wall clock, on which certificates and the times of messages depend. Asks no other computer; a clock that
/// runs ahead shows in certificates that seem to have ended.
enum ClockCheck {
  /// Seconds by which files may be newer than now: another machine may have written them.
  private static let slack: Int64 = 60

  /// - Parameter data: the data directory, whose files cannot have been written in the future.
  static func run(data: String?) -> Check {
    let now = SystemClock.wallMilliseconds / 1000
    let time = Timestamp(milliseconds: now * 1000).rfc3339.prefix(19).replacing("T", with: " ") + " UTC"
    let known = ["/proc/self/exe"] + (data.map { [$0 + "/checkpoint", $0 + "/log", $0 + "/lock"] } ?? [])
    for path in known {
      guard let written = (try? Paths.status(path))?.modified, written > now + slack else { continue }
      let name = path == "/proc/self/exe" ? "this program" : path
      return Check(
        .clock, .wrong, "the clock says \(time), but \(name) was written \((written - now) / 60) minutes later",
        advice: advice)
    }
    return switch SystemClock.isKept {
    case true?: Check(.clock, .ok, "\(time), synchronised by NTP")
    case false?: Check(.clock, .warning, "\(time), not synchronised (no NTP)", advice: advice)
    case nil: Check(.clock, .ok, "\(time); the system does not say whether it is synchronised")
    }
  }

  private static let advice = "sudo timedatectl set-ntp true (systemd-timesyncd or chrony)"
}
