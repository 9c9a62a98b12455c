import Glibc
import TestSupport

/// A thousand who watch: what a message to all of them costs, and what a hundred who do not read cost the others.
enum ScaleWatchers {
  private static let watchers = 1000
  private static let stalled = 100
  private static let messages = 100

  static func run(_ scale: Scale) throws {
    let (server, daemon, _, process) = try scale.online("watchers")
    let bare = try BareSends.cost(sockets: watchers, bytes: 300)
    let alone = try measure(server, process, [])
    var watching = try (0..<watchers).map { _ in try watch(daemon, "watch kinds=message") }
    let all = try measure(server, process, watching)
    let bench = scale.bench
    bench.report("a message, nobody watches: CPU", alone, "us")
    let each = (all - alone) / Double(watchers)
    bench.report("a message to \(watchers) watchers: CPU each", each, "us", note: "(at most 3)")
    bench.report("a bare send to as many sockets: CPU each", bare, "us")
    bench.report("ratio", each / bare, "")
    watching = Array(watching.prefix(watchers - stalled))
    let client = try BareClient(of: daemon)
    let before = try latency(client, watching)
    let deaf = try (0..<stalled).map { _ in try watch(daemon, "watch since=0") }
    let after = try latency(client, watching)
    bench.report("from send to the event, median", before, "us")
    bench.report("the same, \(deaf.count) do not read", after, "us")
    bench.report("ratio", after / before, "", note: "(at most 1.1)")
    let usage = try ProcessUsage(of: process)
    bench.report("anonymous memory", Double(usage.anonymousKiB) / 1024, "MiB")
    try daemon.terminate()
  }

  private static func watch(_ daemon: Daemon, _ request: String) throws -> SocketClient {
    let client = try daemon.client()
    try client.send(request)
    _ = try client.rawLine()
    if request.contains("kinds") { _ = try client.rawLine() }
    return client
  }

  /// CPU of the daemon for each message that comes by itself and is read by all.
  private static func measure(
    _ server: ScriptedServer, _ process: pid_t, _ watching: [SocketClient]
  ) throws -> Double {
    let burst = try Burst.measure(count: messages, server, process, .trickle(perSecond: 50))
    for _ in 0..<messages { for client in watching { _ = try client.rawLine() } }
    return burst.cpuPerMessage
  }

  /// From a request to send until the last of some that watch has the event; the others read it afterwards.
  private static func latency(_ client: BareClient, _ watching: [SocketClient]) throws -> Double {
    try (0..<200).map { round in
      let time = try Stopwatch.measure {
        try client.ask("send \(Scale.longest) message \(round)")
        _ = try watching.last?.rawLine()
      }
      for client in watching.dropLast() { _ = try client.rawLine() }
      return time
    }.median
  }
}
