import Glibc
import TestSupport

/// Bursts into the history and into an empty log by turns: CPU per message, beside libstrophe, which only parses.
enum ScaleIngest {
  private static let rounds = 15
  /// The messages of a burst.
  private static let each = 100_000
  /// In seconds: what a burst leaves to be done is done in a pause of ten.
  private static let pause: UInt32 = 15

  /// In microseconds a message.
  private struct Round {
    let peer, empty, full: Double
  }

  static func run(_ scale: Scale) throws {
    let bench = scale.bench
    let (done, all) = try measure(scale)
    for (name, cost) in [
      ("libstrophe, parse only", done.map(\.peer)), ("confabd, empty log", done.map(\.empty)),
      ("confabd, full log", done.map(\.full)),
    ] {
      bench.report(name + ": CPU per message, median", cost.median, "us")
      bench.report("the least of \(rounds) rounds", cost.min() ?? 0, "us")
    }
    bench.report("confabd, full log, with all that is done between and behind", all, "us")
    report("full against empty", done, \.empty, "(at most 1.05)", bench)
    report("full against libstrophe", done, \.peer, "(at most 0.45; aim 0.30)", bench)
  }

  /// Of each round by itself: the machine may be another one in the next, since who shares it makes a round dearer by half.
  private static func report(
    _ name: String, _ done: [Round], _ other: KeyPath<Round, Double>, _ note: String, _ bench: Bench
  ) {
    bench.report(name + ", median of the rounds", done.map { $0.full / $0[keyPath: other] }.median, "", note: note)
    let least = (done.map(\.full).min() ?? 0) / (done.map { $0[keyPath: other] }.min() ?? 1)
    bench.report("the least of all rounds against the least of all", least, "")
  }

  /// All rounds, and what the full log cost in all, a message.
  private static func measure(_ scale: Scale) throws -> ([Round], Double) {
    MachineMemory.touch()
    let strophe = try StrophePeer(scale.bench).online(scale.bench)
    let empty = try scale.online("ingest-empty", data: try scale.bench.data.makeFolder("ingest-empty"))
    let full = try scale.online("ingest-full")
    let before = try ProcessUsage(of: full.process)
    let done = try (0..<rounds).map { round in
      Round(
        peer: try Burst.measure(count: each, strophe.server, strophe.process.processID).cpuPerMessage,
        empty: try Burst.measure(count: each, empty.server, empty.process, first: round * each).cpuPerMessage,
        full: try Burst.measure(count: each, full.server, full.process, first: round * each).cpuPerMessage)
    }
    sleep(pause)
    let all = Double(try ProcessUsage(of: full.process).cpuNanoseconds - before.cpuNanoseconds) / 1000
    for daemon in [empty.daemon, full.daemon] { try daemon.terminate() }
    return (done, all / Double(rounds * each))
  }
}
