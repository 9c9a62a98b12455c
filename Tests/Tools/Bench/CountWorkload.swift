import TestSupport

/// What a message costs that does not depend on how busy the machine is.
enum CountWorkload {
  static func run(_ bench: Bench) throws {
    let measured = try MessageCounts.measure(program: bench.confabd)
    for (name, value) in measured.values {
      bench.report(name, value, "", note: "(at most \(MessageCounts.thresholds[name].map { "\($0)" } ?? "?"))")
    }
    let counts = try CallCounts(in: bench.folder)
    let (server, daemon, _) = try bench.online("counted", environment: counts.environment)
    guard let processID = daemon.processID else { throw TestFailure("confabd is gone") }
    let before = try counts.read()
    let burst = try Burst.measure(count: bench.count, server, processID)
    let syncs = Double((try counts.read() - before).syncs)
    bench.report("syncs a second during a burst", syncs / burst.seconds, "1/s", note: "(at most 100)")
  }
}
