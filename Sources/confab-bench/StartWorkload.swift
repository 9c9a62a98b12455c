import TestSupport

/// From exec to a socket that takes connections, with an empty log and with one that holds a burst.
enum StartWorkload {
  private static let runs = 20

  static func run(_ bench: Bench) throws {
    let empty = try Daemon(
      "start-empty", in: bench.folder, program: bench.confabd, data: try bench.data.makeFolder("start-empty"),
      supervised: false)
    let emptyStart = try restarts(of: empty)
    bench.report("start to socket ready, empty log, median", emptyStart, "ms")
    let (server, full, _) = try bench.online("start-full")
    guard let processID = full.processID else { throw TestFailure("confabd is gone") }
    _ = try Burst.measure(count: bench.count, server, processID)
    let fullStart = try restarts(of: full)
    bench.report("start to socket ready, \(bench.count) messages, median", fullStart, "ms", note: "(at most 50)")
    bench.report("ratio", fullStart / emptyStart, "", note: "(1.1 later)")
  }

  private static func restarts(of daemon: Daemon) throws -> Double {
    var times: [Double] = []
    for _ in 0..<runs {
      try daemon.terminate()
      times.append(try Stopwatch.measure { try daemon.start() } / 1000)
    }
    return times.median
  }
}
