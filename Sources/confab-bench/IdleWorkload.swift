import Glibc
import JSON
import TestSupport

/// Wake-ups of somebody who is online with 20 contacts while nothing happens, beside libstrophe. It goes on in the
/// background of all other workloads, and for IDLE seconds at least (600, where the environment does not say).
final class IdleWorkload {
  private let seconds: Double
  private let started = Stopwatch.now
  private let server: ScriptedServer
  private let daemon: Daemon
  private let peer: (server: ScriptedServer, process: ChildProcess)
  private let before: (ours: Int, peer: Int)

  init(_ bench: Bench) throws {
    seconds = ProcessEnvironment.current["IDLE"].flatMap { Double($0) } ?? 600
    server = try ScriptedServer(in: bench.folder, arguments: ["--quiet"])
    let contacts = (1...20).map { "contact\($0)@example.test" }
    let items = contacts.map { "<item jid='\($0)' subscription='both'/>" }.joined()
    try server.command("set", [JSONMember("roster", .string(items))])
    daemon = try bench.daemon("idle", at: server, port: server.directTLSPort, tls: "direct")
    _ = try server.initialPresence(of: "alice")
    try server.send(contacts.map { "<presence from='\($0)/phone' to='${jid}'/>" }.joined())
    peer = try StrophePeer(bench).online(bench)
    _ = try peer.server.initialPresence(of: "alice")
    // Until what a login leaves to be done is done.
    sleep(2)
    guard let ours = daemon.processID else { throw TestFailure("confabd is gone") }
    before = (try ProcessUsage.wakeUps(of: ours), try ProcessUsage.wakeUps(of: peer.process.processID))
  }

  /// Waits for the rest of the time, and reports.
  func finish(_ bench: Bench) throws {
    let rest = seconds - (Stopwatch.now - started) / 1e6
    if rest > 0 { sleep(UInt32(rest.rounded(.up))) }
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    let elapsed = (Stopwatch.now - started) / 1e6
    let ours = Double(try ProcessUsage.wakeUps(of: process) - before.ours)
    let theirs = Double(try ProcessUsage.wakeUps(of: peer.process.processID) - before.peer)
    bench.report("idle with 20 contacts for", elapsed, "s")
    bench.report("libstrophe: wake-ups", theirs / elapsed, "1/s")
    bench.report("confabd: wake-ups, all threads", ours / elapsed, "1/s", note: "(at most 0.1; aim 0.02)")
    bench.report("confabd: wake-ups", ours, "")
  }
}
