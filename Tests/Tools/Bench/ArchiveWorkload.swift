import JSON
import TestSupport

/// A daemon that was away catches up with its archive, page by page: messages a second, and CPU for each.
enum ArchiveWorkload {
  static func run(_ bench: Bench) throws {
    let server = try ScriptedServer(in: bench.folder, arguments: ["--quiet"])
    try server.command("archive")
    let daemon = try bench.daemon("archive", at: server, port: server.directTLSPort, tls: "direct")
    let client = try daemon.client()
    let online = try client.request("status for=online timeout=60s", until: .seconds(90))
    guard online.isOK, let processID = daemon.processID else { throw TestFailure("not online: \(online.final)") }
    // The first message makes the anchor from which the rest is fetched.
    _ = try client.request("watch since=0 kinds=message")
    _ = try client.event("message")
    _ = try client.request("unwatch")
    _ = try client.request("disconnect")
    try server.command("archive", [JSONMember("count", .integer(Int64(bench.count)))])
    _ = try client.request("connect")
    try server.event("archive-ready", until: .seconds(120))
    let before = try ProcessUsage(of: processID)
    try server.command("archive-go")
    let done = try server.event("archive-done", until: .seconds(600))
    let after = try ProcessUsage(of: processID)
    guard case .number(let seconds) = done["seconds"] else { throw TestFailure("\(done)") }
    let count = Double(bench.count)
    bench.report("archived messages a second, durable", count / seconds, "/s")
    bench.report("CPU each", Double(after.cpuNanoseconds - before.cpuNanoseconds) / 1000 / count, "us")
    let growth = Double(after.anonymousKiB - before.anonymousKiB) / 1024
    bench.report("anonymous growth", growth, "MiB")
    let shown = try client.request("status").data.first?["account"]?["archive"]?["taken"]?.integer ?? 0
    guard shown == Int64(bench.count) else { throw TestFailure("\(shown) messages were taken out of the archive") }
  }
}
