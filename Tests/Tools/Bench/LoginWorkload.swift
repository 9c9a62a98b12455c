import Glibc
import TestSupport

/// What a login costs, beside libstrophe's at the same server: flights and bytes between client and server, and the CPU
/// time of a whole process from its start to the initial presence. Each time a first login, and one with what the last
/// has left.
enum LoginWorkload {
  private static let rounds = 11

  static func run(_ bench: Bench) throws {
    try run(bench, "direct", most: 6, aim: 4)
    try run(bench, "starttls", most: 8, aim: 5)
  }

  private static func run(_ bench: Bench, _ tls: String, most: Int, aim: Int) throws {
    let (first, again, peer) = try measure(bench, tls)
    bench.report("\(tls), first login: flights", Double(first.traffic.flights), "", note: "(at most \(most))")
    bench.report(
      "\(tls), next login: flights", Double(again.traffic.flights), "", note: "(at most \(most); aim \(aim))")
    bench.report("\(tls), libstrophe: flights", Double(peer.traffic.flights), "")
    for (name, login) in [("first login", first), ("next login", again), ("libstrophe", peer)] {
      bench.report("\(tls), \(name): bytes sent", Double(login.traffic.sent), "bytes")
      bench.report("\(tls), \(name): bytes received", Double(login.traffic.received), "bytes")
      bench.report("\(tls), \(name): CPU, median", login.cpu / 1000, "ms")
    }
    bench.report("\(tls), CPU: first login against libstrophe", first.cpu / peer.cpu, "")
    bench.report("\(tls), CPU: next login against libstrophe", again.cpu / peer.cpu, "")
  }

  private struct Login {
    let traffic: CountingProxy.Traffic
    /// Of the whole process, in microseconds.
    let cpu: Double
  }

  /// The traffic of the last round, and the median of the CPU times.
  private static func measure(_ bench: Bench, _ tls: String) throws -> (first: Login, again: Login, peer: Login) {
    let server = try ScriptedServer(in: bench.folder, arguments: ["--quiet"])
    let port = tls == "direct" ? server.directTLSPort : server.startTLSPort
    let proxy = try CountingProxy(to: port, in: bench.folder)
    let strophe = try StrophePeer(bench)
    var (first, again, peer): ([Login], [Login], [Login]) = ([], [], [])
    for round in 1...rounds {
      let daemon = try bench.daemon("login-\(tls)-\(round)", at: server, port: proxy.port, tls: tls)
      first.append(try login(daemon.processID, server, proxy))
      try daemon.terminate()
      try daemon.start()
      again.append(try login(daemon.processID, server, proxy))
      try daemon.terminate()
      let process = try strophe.start(port: proxy.port, tls: tls, authority: server.authority)
      peer.append(try login(process.processID, server, proxy))
    }
    return (try middle(first), try middle(again), try middle(peer))
  }

  private static func login(_ process: pid_t?, _ server: ScriptedServer, _ proxy: CountingProxy) throws -> Login {
    let presence = try server.initialPresence(of: "alice")
    guard let process else { throw TestFailure("confabd is gone") }
    let cpu = Double(try ProcessUsage(of: process).cpuNanoseconds) / 1000
    return Login(traffic: try proxy.count(until: presence).traffic, cpu: cpu)
  }

  private static func middle(_ logins: [Login]) throws -> Login {
    guard let last = logins.last else { throw TestFailure("no login") }
    return Login(traffic: last.traffic, cpu: logins.map(\.cpu).median)
  }
}
