import TestSupport

/// The presences of 5,000 people in one go, as behind a login: CPU for each, beside libstrophe, which only parses, and memory.
enum PresenceWorkload {
  private static let count = 5_000
  private static let presence =
    "<presence from='friend$n@example.test/phone' to='alice@example.test/confab'><show>away</show><status>at lunch until two"
    + "</status><priority>5</priority><c xmlns='http://jabber.org/protocol/caps' hash='sha-1' "
    + "node='https://example.test/client' ver='q07IKJEyjvHSyhy//CH0CxmKi8w='/></presence>"

  static func run(_ bench: Bench) throws {
    let (peer, process) = try StrophePeer(bench).online(bench)
    let theirs = try storm(peer, process.processID)
    let (server, daemon, client) = try bench.online("presences")
    guard let processID = daemon.processID else { throw TestFailure("confabd is gone") }
    let ours = try storm(server, processID)
    guard try client.request("ping").isOK else { throw TestFailure("no answer after the presences") }
    bench.report("libstrophe, parse only: CPU per presence", theirs.cpu, "us")
    bench.report("confabd: CPU per presence", ours.cpu, "us")
    bench.report("ratio", ours.cpu / theirs.cpu, "")
    bench.report("confabd: resident growth", Double(ours.growth) / 1024, "MiB")
  }

  private static func storm(_ server: ScriptedServer, _ process: Int32) throws -> (cpu: Double, growth: Int64) {
    let before = try ProcessUsage(of: process)
    try server.flood(presence, count: count)
    let after = try ProcessUsage(of: process)
    return (
      Double(after.cpuNanoseconds - before.cpuNanoseconds) / 1000 / Double(count),
      Int64(after.residentKiB - before.residentKiB)
    )
  }
}
