import Glibc
import TestSupport

/// A server hands over its whole queue: CPU per message, memory and syncs, beside libstrophe, which only parses.
enum BurstWorkload {
  static func run(_ bench: Bench) throws {
    let strophe = try measureStrophe(bench)
    let (server, daemon, client) = try bench.online("burst")
    guard let processID = daemon.processID else { throw TestFailure("confabd is gone") }
    let ours = try Burst.measure(count: bench.count, server, processID)
    let status = try client.request("conversations limit=1")
    guard status.isOK else { throw TestFailure("after the burst: \(status.final)") }
    // That it was the last is known a moment later, where the link had waited for the disk.
    usleep(200_000)
    let rested = try ProcessUsage(of: processID)
    bench.report("libstrophe, parse only: CPU per message", strophe.cpuPerMessage, "us")
    bench.report("confabd, durable: CPU per message", ours.cpuPerMessage, "us")
    bench.report("ratio", ours.cpuPerMessage / strophe.cpuPerMessage, "", note: "(at most 0.45; aim 0.30)")
    bench.report("libstrophe: wall", strophe.seconds, "s")
    bench.report("confabd: wall, up to the last acknowledgement", ours.seconds, "s")
    bench.report("libstrophe: resident after", Double(strophe.after.residentKiB) / 1024, "MiB")
    bench.report("confabd: resident after", Double(ours.after.residentKiB) / 1024, "MiB")
    bench.report("confabd: anonymous at the last acknowledgement", Double(ours.after.anonymousKiB) / 1024, "MiB")
    let growth = rested.anonymousKiB - ours.before.anonymousKiB
    bench.report("confabd: anonymous growth, 0.2 s later", Double(growth) / 1024, "MiB", note: "(at most 4; aim 1)")
  }

  private static func measureStrophe(_ bench: Bench) throws -> Burst.Outcome {
    let (server, process) = try StrophePeer(bench).online(bench)
    return try Burst.measure(count: bench.count, server, process.processID)
  }
}
