import TestSupport

/// Messages that come one by one, 100 a second: CPU per message, beside libstrophe, and syncs.
enum TrickleWorkload {
  private static let perSecond = 100
  private static let count = 1000

  static func run(_ bench: Bench) throws {
    let strophe = try StrophePeer(bench).online(bench)
    let peer = try Burst.measure(count: count, strophe.server, strophe.process.processID, shape)
    let (server, daemon, _) = try bench.online("trickle")
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    let ours = try Burst.measure(count: count, server, process, shape)
    bench.report("libstrophe: CPU per message", peer.cpuPerMessage, "us")
    bench.report("confabd, durable: CPU per message", ours.cpuPerMessage, "us")
    bench.report("ratio", ours.cpuPerMessage / peer.cpuPerMessage, "")
    bench.report("confabd: syncs per message", try countSyncs(bench), "", note: "(at most 1)")
  }

  private static var shape: Burst.Shape { .trickle(perSecond: Int64(perSecond)) }

  /// In a run of its own: counting costs.
  private static func countSyncs(_ bench: Bench) throws -> Double {
    let counts = try CallCounts(in: bench.folder)
    let (server, daemon, _) = try bench.online("trickle-counted", environment: counts.environment)
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    let before = try counts.read()
    _ = try Burst.measure(count: perSecond * 2, server, process, shape)
    return Double((try counts.read() - before).syncs) / Double(perSecond * 2)
  }
}
