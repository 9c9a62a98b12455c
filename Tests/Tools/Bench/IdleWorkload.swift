import Glibc
import JSON
import TestSupport

/// Memory and wake-ups of somebody who is online with 20 contacts while nothing happens, beside libstrophe and
/// go-sendxmpp. It goes on in the background of all other workloads, and for IDLE seconds at least (600, where the
/// environment does not say).
final class IdleWorkload {
  private let seconds: Double
  private let started = Stopwatch.now
  private let daemon: Daemon
  private let ours: Subject
  private let peers: [Subject]

  /// A process that is online, and what it needs to stay so.
  private struct Subject {
    let name: String
    let server: ScriptedServer
    /// Ends with it; nil if somebody else ends it.
    let process: ChildProcess?
    let processID: pid_t
    let wakeUpsBefore: Int

    init(_ name: String, _ server: ScriptedServer, _ processID: pid_t, _ process: ChildProcess? = nil) throws {
      (self.name, self.server, self.process, self.processID) = (name, server, process, processID)
      wakeUpsBefore = try ProcessUsage.wakeUps(of: processID)
    }

    func report(_ bench: Bench, over elapsed: Double, notes: (anonymous: String, resident: String, wakeUps: String))
      throws
    {
      let usage = try ProcessUsage(of: processID)
      let count = Double(try ProcessUsage.wakeUps(of: processID) - wakeUpsBefore)
      bench.report("\(name): anonymous memory", Double(usage.anonymousKiB) / 1024, "MiB", note: notes.anonymous)
      bench.report("\(name): resident memory", Double(usage.residentKiB) / 1024, "MiB", note: notes.resident)
      bench.report("\(name): most ever resident", Double(usage.peakKiB) / 1024, "MiB")
      bench.report("\(name): wake-ups, all threads", count / elapsed, "1/s", note: notes.wakeUps)
    }
  }

  init(_ bench: Bench) throws {
    seconds = ProcessEnvironment.current["IDLE"].flatMap { Double($0) } ?? 600
    let server = try ScriptedServer(in: bench.folder, arguments: ["--quiet"])
    let contacts = (1...20).map { "contact\($0)@example.test" }
    let items = contacts.map { "<item jid='\($0)' subscription='both'/>" }.joined()
    try server.command("set", [JSONMember("roster", .string(items))])
    daemon = try bench.daemon("idle", at: server, port: server.directTLSPort, tls: "direct")
    let (strophe, go) = (try StrophePeer(bench).online(bench), try GoSendXMPP(bench))
    let listener = try go.listen()
    for server in [server, strophe.server, go.server] {
      _ = try server.initialPresence(of: "alice")
      try server.send(contacts.map { "<presence from='\($0)/phone' to='${jid}'/>" }.joined())
    }
    // Until what a login leaves to be done is done.
    sleep(12)
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    ours = try Subject("confabd", server, process)
    peers = [
      try Subject("libstrophe", strophe.server, strophe.process.processID, strophe.process),
      try Subject("go-sendxmpp --listen", go.server, listener.processID, listener),
    ]
  }

  /// Waits for the rest of the time, and reports.
  func finish(_ bench: Bench) throws {
    let rest = seconds - (Stopwatch.now - started) / 1e6
    if rest > 0 { sleep(UInt32(rest.rounded(.up))) }
    let elapsed = (Stopwatch.now - started) / 1e6
    bench.report("idle with 20 contacts for", elapsed, "s")
    for peer in peers { try peer.report(bench, over: elapsed, notes: ("", "", "")) }
    try ours.report(
      bench, over: elapsed,
      notes: ("(at most 3; aim 2)", "(at most 14; aim 11)", "(at most 0.1; aim 0.02)"))
  }
}
