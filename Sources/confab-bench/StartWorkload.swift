import Glibc
import TestSupport

/// From exec to a socket that takes connections, with an empty log and with one that holds a burst; beside the time
/// that the peers, which have no socket, take to their connection to the server.
enum StartWorkload {
  private static let runs = 25

  static func run(_ bench: Bench) throws {
    try runPeers(bench)
    let empty = try Daemon(
      "start-empty", in: bench.folder, program: bench.confabd, data: try bench.data.makeFolder("start-empty"),
      supervised: false)
    let (server, full, _) = try bench.online("start-full")
    guard let processID = full.processID else { throw TestFailure("confabd is gone") }
    _ = try Burst.measure(count: bench.count, server, processID)
    let (emptyStart, fullStart) = try restarts(of: empty, full)
    bench.report("start to socket ready, empty log, median", emptyStart, "ms")
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

  /// The median times of some starts, in milliseconds: by turns, since the machine is another one in the next second.
  static func restarts(of empty: Daemon, _ full: Daemon) throws -> (empty: Double, full: Double) {
    var times: (empty: [Double], full: [Double]) = ([], [])
    for _ in 0..<runs {
      times.empty.append(try restart(empty))
      times.full.append(try restart(full))
    }
    return (times.empty.median, times.full.median)
  }

  private static func restart(_ daemon: Daemon) throws -> Double {
    try daemon.terminate()
    return try Stopwatch.measure { try daemon.start(turn: 1) } / 1000
  }
}
