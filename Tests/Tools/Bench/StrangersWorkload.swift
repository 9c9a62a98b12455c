import JSON
import TestSupport

/// One stranger who writes without end, as many strangers as messages, a million resources, and another user of the
/// machine with a thousand connections that hold all they may: memory, room on the disk, and what a friend and the owner
/// wait for beside an idle daemon.
enum StrangersWorkload {
  private static let other = 65534
  private static let memoryLimit = 64.0
  private static let latencyLimit = 2.0

  static func run(_ bench: Bench) throws {
    try bench.folder.letOthersThrough()
    let (server, daemon, client) = try bench.online("strangers", settings: ["allow-uid = \(other)"])
    try runCommand("chmod", "755", bench.folder.file("strangers"))
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    let idle = try waits(server, client, process, first: 0)
    let bytes = try LogCensus(daemon.dataPath).log
    let count = 2 * bench.count
    _ = try Burst.measure(count: count, server, process, first: 1_000, senders: 1)
    bench.report(
      "\(count) messages of one stranger: log", Double(try LogCensus(daemon.dataPath).log - bytes) / Double(count),
      "bytes each")
    let first = 1_000 + count
    _ = try Burst.measure(count: bench.count, server, process, first: first, senders: first + bench.count)
    try server.flood(presence, count: 10 * bench.count)
    let held = try crowds(bench, daemon, client)
    let beside = try waits(server, client, process, first: first + bench.count)
    let usage = try ProcessUsage(of: process)
    bench.report(
      "anonymous memory beside all of them", Double(usage.anonymousKiB) / 1024, "MiB",
      note: "(at most \(Int(memoryLimit)))")
    let note = "(at most \(latencyLimit))"
    bench.report("a friend's message, median", beside.friend, "us")
    bench.report("beside an idle daemon", beside.friend / idle.friend, "", note: note)
    bench.report("the owner's ok, median", beside.owner, "us")
    bench.report("beside an idle daemon", beside.owner / idle.owner, "", note: note)
    withExtendedLifetime(held) {}
  }

  private static let presence =
    "<presence from='stranger@example.test/r$n' to='alice@example.test/confab'><status>here</status></presence>"

  /// From the first byte of a message to the acknowledgement behind its sync, and from `send` to `ok`.
  private static func waits(
    _ server: ScriptedServer, _ client: SocketClient, _ process: Int32, first: Int
  ) throws -> (friend: Double, owner: Double) {
    let friend = try (0..<50).map { try Burst.measure(count: 1, server, process, first: first + $0).seconds * 1e6 }
    let owner = try (0..<200).map { _ in
      try Stopwatch.measure {
        guard try client.request("send bob@example.test to a friend").isOK else { throw TestFailure("send failed") }
      }
    }
    return (friend.median, owner.median)
  }

  /// Connections that wait with all requests they may, and those that begin a request and do not end it.
  private static func crowds(_ bench: Bench, _ daemon: Daemon, _ client: SocketClient) throws -> [HelperProcess] {
    guard let id = try client.request("send bob@example.test first").id else { throw TestFailure("send failed") }
    let wait = "wait for=displayed timeout=7d tag=\(String(repeating: "t", count: 900)) \(id)\n"
    let part = "send bob@example.test " + String(repeating: "x", count: 60_000)
    return try [(wait, 200), (part, 1)].map { text, times in
      let crowd = try HelperProcess(
        "crowd.py", [daemon.socketPath, "500", "\(other)", "--text=\(text)", "--repeat", "\(times)"],
        log: bench.folder.file("crowd.log"))
      try crowd.event("connected", until: .seconds(120))
      return crowd
    }
  }
}
