import Glibc
import TestSupport

/// From exec to a socket that takes connections, with an empty log and with one that holds a burst; beside the time
/// that the peers, which have no socket, take to their connection to the server.
enum StartWorkload {
  private static let runs = 20

  static func run(_ bench: Bench) throws {
    try runPeers(bench)
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

  private static func runPeers(_ bench: Bench) throws {
    let (strophe, go) = (try StrophePeer(bench), try GoSendXMPP(bench))
    let server = try ScriptedServer(in: bench.folder, arguments: ["--quiet"])
    var times: (strophe: [Double], go: [Double]) = ([], [])
    for _ in 0..<runs {
      times.strophe.append(
        try connecting(to: server) { try strophe.start(port: server.directTLSPort, authority: server.authority) })
      times.go.append(try connecting(to: go.server) { try go.listen() })
    }
    bench.report("libstrophe: start to connected, median", times.strophe.median, "ms")
    bench.report("go-sendxmpp: start to connected, median", times.go.median, "ms")
  }

  /// Milliseconds until a process that is started has connected; it is ended then.
  private static func connecting(to server: ScriptedServer, _ start: () throws -> ChildProcess) throws -> Double {
    var process: ChildProcess?
    let time = try Stopwatch.measure {
      process = try start()
      try server.event("connected")
    }
    process?.kill(SIGKILL)
    try process?.wait()
    return time / 1000
  }

  /// The median time of some starts, in milliseconds.
  static func restarts(of daemon: Daemon) throws -> Double {
    var times: [Double] = []
    for _ in 0..<runs {
      try daemon.terminate()
      times.append(try Stopwatch.measure { try daemon.start() } / 1000)
    }
    return times.median
  }
}
