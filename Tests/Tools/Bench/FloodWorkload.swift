import TestSupport

/// What strangers and servers can send without end: ten times the burst from twenty people, and from as many people as
/// there are messages. Memory has a bound, whatever comes, checkpoints included.
enum FloodWorkload {
  private static let limit = 64.0

  static func run(_ bench: Bench) throws {
    try measure(bench, "of 20 people", rounds: 10) { _ in 20 }
    try measure(bench, "of somebody new each", rounds: 10) { bench.count + $0 }
  }

  private static func measure(_ bench: Bench, _ what: String, rounds: Int, senders: (Int) -> Int) throws {
    let (server, daemon, client) = try bench.online("flood-\(senders(0))")
    guard let processID = daemon.processID else { throw TestFailure("confabd is gone") }
    for round in 0..<rounds {
      let first = round * bench.count
      _ = try Burst.measure(count: bench.count, server, processID, first: first, senders: senders(first))
    }
    let status = try client.request("conversations limit=1")
    guard status.isOK else { throw TestFailure("after the flood: \(status.final)") }
    let usage = try ProcessUsage(of: processID)
    let count = rounds * bench.count
    let note = "(at most \(Int(limit)))"
    bench.report("\(count) messages \(what): peak", Double(usage.peakKiB) / 1024, "MiB", note: note)
    bench.report("resident after", Double(usage.residentKiB) / 1024, "MiB")
    // The last checkpoint is written as the daemon stops.
    let stopping = try Stopwatch.measure { _ = try daemon.terminate() }
    bench.report("stopping, with a checkpoint", stopping / 1000, "ms")
  }
}
