import Glibc
import TestSupport

/// Bursts into the history and into an empty log by turns: CPU per message, beside libstrophe, which only parses.
enum ScaleIngest {
  private static let rounds = 11
  private static let each = 20_000
  /// In seconds: what a burst leaves to be done is done in a pause of ten.
  private static let pause: UInt32 = 15

  /// In microseconds a message.
  private struct Round {
    let peer, empty, full: Double
  }

  static func run(_ scale: Scale) throws {
    let bench = scale.bench
    let strophe = try StrophePeer(bench)
    let empty = try scale.online("ingest-empty", data: try bench.data.makeFolder("ingest-empty"))
    let full = try scale.online("ingest-full")
    let before = try ProcessUsage(of: full.process)
    let done = try (0..<rounds).map { round in
      Round(
        peer: try peer(strophe, bench),
        empty: try Burst.measure(count: each, empty.server, empty.process, first: round * each).cpuPerMessage,
        full: try Burst.measure(count: each, full.server, full.process, first: round * each).cpuPerMessage)
    }
    sleep(pause)
    let all = Double(try ProcessUsage(of: full.process).cpuNanoseconds - before.cpuNanoseconds) / 1000
    for daemon in [empty.daemon, full.daemon] { try daemon.terminate() }
    bench.report("libstrophe, parse only: CPU per message", done.map(\.peer).median, "us")
    bench.report("confabd, empty log: CPU per message", done.map(\.empty).median, "us")
    bench.report("confabd, full log: CPU per message", done.map(\.full).median, "us")
    bench.report("the same, with all that is done between and behind", all / Double(rounds * each), "us")
    // Of each round by itself: the machine may be another one in the next.
    bench.report("full against empty", done.map { $0.full / $0.empty }.median, "", note: "(at most 1.05)")
    bench.report("full against libstrophe", done.map { $0.full / $0.peer }.median, "", note: "(at most 0.42; aim 0.30)")
  }

  /// One that has just been started, each time: one has a memory laid out worse than another, and keeps it.
  private static func peer(_ strophe: StrophePeer, _ bench: Bench) throws -> Double {
    let (server, process) = try strophe.online(bench)
    _ = try Burst.measure(count: each / 10, server, process.processID)
    return try Burst.measure(count: each, server, process.processID).cpuPerMessage
  }
}
