import TestSupport

/// Bursts into the history and into an empty log by turns: CPU per message, beside libstrophe, which only parses.
enum ScaleIngest {
  private static let rounds = 7
  private static let each = 20_000

  static func run(_ scale: Scale) throws {
    let bench = scale.bench
    let strophe = try StrophePeer(bench).online(bench)
    let empty = try scale.online("ingest-empty", data: try bench.data.makeFolder("ingest-empty"))
    let full = try scale.online("ingest-full")
    var (peers, empties, fulls): ([Double], [Double], [Double]) = ([], [], [])
    for round in 0..<rounds {
      let first = round * each
      peers.append(try Burst.measure(count: each, strophe.server, strophe.process.processID).cpuPerMessage)
      empties.append(try Burst.measure(count: each, empty.server, empty.process, first: first).cpuPerMessage)
      fulls.append(try Burst.measure(count: each, full.server, full.process, first: first).cpuPerMessage)
    }
    for daemon in [empty.daemon, full.daemon] { try daemon.terminate() }
    bench.report("libstrophe, parse only: CPU per message", peers.median, "us")
    bench.report("confabd, empty log: CPU per message", empties.median, "us")
    bench.report("confabd, full log: CPU per message", fulls.median, "us")
    bench.report("full against empty", fulls.median / empties.median, "", note: "(at most 1.05)")
    bench.report("full against libstrophe", fulls.median / peers.median, "", note: "(at most 0.42; aim 0.30)")
  }
}
