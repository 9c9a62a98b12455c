import TestSupport

/// The same messages whole, in TLS records of 1 to 40 bytes, and in TCP segments of 1 to 40 bytes: CPU per message, each
/// beside libstrophe's of the same kind.
enum FragmentWorkload {
  private static let sizes: ClosedRange<Int64> = 1...40

  static func run(_ bench: Bench) throws {
    // Fewer than in the burst: a server that speaks so small needs its time.
    let count = max(bench.count / 10, 1)
    let strophe = try StrophePeer(bench).online(bench)
    let (server, daemon, _) = try bench.online("fragments")
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    var plain = 0.0
    for (name, shape) in [
      ("whole", Burst.Shape.full), ("records of 1 to 40 bytes", .records(sizes)),
      ("segments of 1 to 40 bytes", .segments(sizes)),
    ] {
      let peer = try Burst.measure(count: count, strophe.server, strophe.process.processID, shape).cpuPerMessage
      let ours = try Burst.measure(count: count, server, process, shape).cpuPerMessage
      if plain == 0 { plain = ours }
      bench.report("\(name): libstrophe, CPU per message", peer, "us")
      bench.report("\(name): confabd, CPU per message", ours, "us")
      bench.report("\(name): ratio", ours / peer, "")
      bench.report("\(name): against whole messages", ours / plain, "")
    }
  }
}
