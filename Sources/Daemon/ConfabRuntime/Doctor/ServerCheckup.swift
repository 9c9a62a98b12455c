import Clocks
import ConfabAccounts
import LineProtocol
import Reactor
import ConfabConfiguration
import Syscalls
import Transport
import XMPPStream

/// Looks at the servers of all accounts at once: names, ports, certificates, and logins where these are wanted.
final class ServerCheckup {
  private let loop: EventLoop
  private let tell: (Check) -> Void
  private let resolver: LoopResolver
  private var running: [AccountCheckup] = []

  /// Runs until all is known, each step within its time.
  ///
  /// - Parameter tell: hears of each account's checks once it is done with.
  /// - Returns: what kept it from looking at all.
  static func run(
    _ configuration: Configuration, goal: Probe.Goal, _ tell: @escaping (Check) -> Void
  ) -> [Check] {
    SignalFD.ignoreFailedWrites()
    do {
      let checkup = try ServerCheckup(EventLoop(), dnsServers: configuration.daemon.dnsServers, tell)
      try checkup.run(configuration, goal)
      return []
    } catch {
      return [Check(.dns, .wrong, "the servers cannot be checked: \(error)", advice: "run confab doctor again")]
    }
  }

  private init(_ loop: EventLoop, dnsServers: [String], _ tell: @escaping (Check) -> Void) throws {
    (self.loop, self.tell) = (loop, tell)
    resolver = try LoopResolver(loop: loop, servers: dnsServers)
  }

  private func run(_ configuration: Configuration, _ goal: Probe.Goal) throws {
    running = try configuration.accounts.map { account in
      try AccountCheckup(
        Probe(account, goal: goal, random: SystemRandomSource()), loop: loop, resolver: resolver,
        dnsServers: configuration.daemon.dnsServers
      ) { [unowned self] in finished() }
    }
    for account in running { account.begin() }
    try loop.run()
  }

  /// Accounts are reported in the order of the file.
  private func finished() {
    while let first = running.first, first.isFinished {
      for check in first.checks { tell(check) }
      running.removeFirst()
    }
    if running.isEmpty { loop.stop() }
  }
}
