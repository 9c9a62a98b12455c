import Clocks
import Syscalls

/// Reports the daemon's state to systemd (sd_notify(3)), if it asks for it.
struct ServiceManager {
  /// A path, or with `@` in front a name of the abstract namespace.
  private let address: String?
  /// How long to go without `WATCHDOG=1`: half of what is allowed (sd_watchdog_enabled(3)); nil if nobody waits
  /// for it.
  let watchdogPause: Interval?

  /// - Parameter processID: of this process; a watchdog that is meant for another is none of ours.
  init(environment: [String: String], processID: Int32) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    watchdogPause = address == nil ? nil : Self.watchdogPause(environment, processID)
  }

  private static func watchdogPause(_ environment: [String: String], _ processID: Int32) -> Interval? {
    if let owner = environment["WATCHDOG_PID"], Int32(owner) != processID { return nil }
    guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0 else { return nil }
    return .milliseconds(max(1, microseconds / 2000))
  }

  /// Sends assignments such as `READY=1`, each in a line. Failures are ignored.
  ///
  /// - Parameter status: in words, for people; what of it came from outside makes no line of its own.
  func notify(_ assignments: String = "", status: String? = nil) {
    guard let address else { return }
    let lines = [assignments, status.map { "STATUS=" + PlainLine.of($0) } ?? ""].filter { !$0.isEmpty }
    try? Sockets.sendUnixDatagram(Array(lines.joined(separator: "\n").utf8), to: address)
  }
}
