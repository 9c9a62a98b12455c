import ConfabAccounts
import Reactor
import ConfabConfiguration
import Syscalls

/// Changes of the machine as events of the engine: network, sleep, clock.
///
/// If the kernel does not report them (a sandbox may forbid it), the daemon notices them later.
final class MachineEvents {
  private var network: NetworkChangeSource?
  private var clock: ClockChangeSource?

  init(loop: EventLoop, journal: Journal, _ handler: @escaping (Event) -> Void) {
    do throws(Errno) {
      network = try NetworkChangeSource(loop: loop) { handler(.networkChanged) }
      clock = try ClockChangeSource(loop: loop) { handler($0 == .woke ? .woke : .clockSet) }
    } catch {
      journal.write(
        .warning, "network and clock changes will be noticed late: \(error)", JournalFields(errno: error.code))
    }
  }

  /// Stops reporting.
  func end() { (network, clock) = (nil, nil) }
}
