import Glibc
import TestSupport

/// From exec to a socket that takes connections, with an empty log and with one that holds a burst; beside the time
/// that the peers, which have no socket, take to their connection to the server.
enum StartWorkload {
  private static let runs = 51
  private static let runsOfPeers = 25

  static func run(_ bench: Bench) throws {
    try runPeers(bench)
    let empty = try Daemon(
      "start-empty", in: bench.folder, program: bench.confabd, data: try bench.data.makeFolder("start-empty"),
      supervised: false)
    let (server, full, _) = try bench.online("start-full")
    guard let processID = full.processID else { throw TestFailure("confabd is gone") }
    _ = try Burst.measure(count: bench.count, server, processID)
    let starts = try restarts(of: empty, full)
    starts.report(bench, full: "\(bench.count) messages, ")
  }

  private static func runPeers(_ bench: Bench) throws {
    let (strophe, go) = (try StrophePeer(bench), try GoSendXMPP(bench))
    let server = try ScriptedServer(in: bench.folder, arguments: ["--quiet"])
    var times: (strophe: [Double], go: [Double]) = ([], [])
    for _ in 0..<runsOfPeers {
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

  /// Starts of both by turns, since the machine is another one in the next second.
  static func restarts(of empty: Daemon, _ full: Daemon) throws -> Starts {
    var starts = Starts()
    for _ in 0..<runs {
      starts.empty.append(try restart(empty))
      starts.full.append(try restart(full))
    }
    return starts
  }

  private static func restart(_ daemon: Daemon) throws -> Double {
    try daemon.terminate()
    return try Stopwatch.measure { try daemon.start(turn: 1) } / 1000
  }
}

/// How long starts took, in milliseconds: with an empty log, and each time behind that with a full one.
struct Starts {
  var empty: [Double] = []
  var full: [Double] = []

  /// - Parameter name: what there is in the full one, for its line.
  func report(_ bench: Bench, full name: String = "") {
    bench.report("start to socket ready, empty log, median", empty.median, "ms")
    bench.report("start to socket ready, \(name)median", full.median, "ms", note: "(at most 50; aim 15)")
    let ratio = zip(full, empty).map { $0 / $1 }.median
    bench.report("full against empty, median of the rounds", ratio, "", note: "(at most 1.1)")
    bench.report("the least of all rounds against the least of all", (full.min() ?? 0) / (empty.min() ?? 1), "")
  }
}
