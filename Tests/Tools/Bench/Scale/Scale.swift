import Glibc
import JSON
import TestSupport

/// `make bench SCALE=n`: what a history of n messages costs, each figure beside its bar.
struct Scale {
  let bench: Bench
  /// The data directory with the history.
  let history: String
  let census: LogCensus

  /// Half of all messages are in this conversation.
  static let longest = "friend0@people.example"

  /// Makes the history, unless `existing` names one that was made before. What is measured is appended to it.
  init(_ bench: Bench, count: Int, existing: String?) throws {
    self.bench = bench
    history = try existing ?? bench.data.makeFolder("history")
    if existing == nil {
      print("generate:")
      let history = history
      let time = try Stopwatch.measure { _ = try Generate(count: count, folder: history).run() }
      bench.report("\(count) messages", time / 1e6, "s")
    }
    census = try LogCensus(history)
  }

  /// All parts, in this order, or those in `chosen`.
  func run(_ chosen: [String]) throws {
    let workloads: [(String, (Scale) throws -> Void)] = [
      ("disk", ScaleDisk.run), ("tools", ScaleTools.run), ("start", ScaleStart.run), ("reading", ScaleReading.run),
      ("ingest", ScaleIngest.run), ("watchers", ScaleWatchers.run), ("derived", ScaleDerived.run),
    ]
    for (name, run) in workloads where chosen.isEmpty || chosen.contains(name) {
      print("\(name), \(census.messages) messages:")
      try run(self)
    }
  }

  /// A daemon over the history, logged in to a scripted server of its own; over `data` where it says another.
  func online(
    _ name: String, data: String? = nil, environment: [String: String]? = nil
  ) throws -> (server: ScriptedServer, daemon: Daemon, client: SocketClient, process: pid_t) {
    let server = try ScriptedServer(in: bench.folder, arguments: ["--quiet"])
    let contacts = (0..<20).map { "<item jid='friend\($0)@people.example' subscription='both'/>" }.joined()
    try server.command("set", [JSONMember("roster", .string(contacts))])
    let account = Daemon.Account(
      "alice", password: "secret-a", port: server.directTLSPort, tls: "direct", authority: server.authority)
    let daemon = try Daemon(
      name, in: bench.folder, accounts: [account],
      settings: ["max-connections = 2000", "max-connections-per-uid = 2000"],
      logLevel: "warning", program: bench.confabd, environment: environment, data: data ?? history, supervised: false)
    let client = try daemon.client()
    let status = try client.request("status for=online timeout=60s", until: .seconds(90))
    guard status.isOK, let process = daemon.processID else { throw TestFailure("not online: \(status.final)") }
    return (server, daemon, client, process)
  }
}
