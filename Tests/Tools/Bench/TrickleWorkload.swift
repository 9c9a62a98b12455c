import Glibc
import TestSupport

/// Messages that come one by one, 100 a second: CPU per message, beside libstrophe, syncs, and how soon a watcher hears of
/// each.
enum TrickleWorkload {
  private static let perSecond = 100
  private static let count = 1000

  static func run(_ bench: Bench) throws {
    let strophe = try StrophePeer(bench).online(bench)
    let peer = try Burst.measure(count: count, strophe.server, strophe.process.processID, shape)
    let (server, daemon, _) = try bench.online("trickle")
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    let ours = try Burst.measure(count: count, server, process, shape)
    bench.report("libstrophe: CPU per message", peer.cpuPerMessage, "us")
    bench.report("confabd, durable: CPU per message", ours.cpuPerMessage, "us")
    bench.report("ratio", ours.cpuPerMessage / peer.cpuPerMessage, "")
    bench.report("confabd: syncs per message", try countSyncs(bench), "", note: "(at most 1)")
    let (sync, event) = (try pacedSync(bench), try latency(bench))
    bench.report("a bare write and fdatasync at this pace, median", sync, "us")
    bench.report("from the server's write to the event, median", event, "us")
    bench.report("of it beyond one sync", event - sync, "us", note: "(at most 1000)")
  }

  /// The median time of a write and its sync, as seldom as messages come.
  private static func pacedSync(_ bench: Bench) throws -> Double {
    let bare = try BareFile(bench.data.file("paced"))
    return try (0..<2 * perSecond).map { _ in
      usleep(useconds_t(1_000_000 / perSecond))
      return try Stopwatch.measure { try bare.write(1) }
    }.median
  }

  /// The median time until a watcher has the event.
  private static func latency(_ bench: Bench) throws -> Double {
    let (server, daemon, _) = try bench.online("trickle-watched")
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    let watcher = try daemon.client()
    guard try watcher.request("watch kinds=message").isOK else { throw TestFailure("watch failed") }
    var heard: [Double] = []
    let outcome = try Burst.measure(count: count, server, process, shape) {
      while heard.count < count, let line = try watcher.rawLine() {
        if line.starts(with: Array(#"{"event":"message""#.utf8)) { heard.append(Stopwatch.now) }
      }
    }
    return zip(heard, outcome.sent).map { $0 - $1 }.median
  }

  private static var shape: Burst.Shape { .trickle(perSecond: Int64(perSecond)) }

  /// In a run of its own: counting costs. What ends a run (a ping, and a question how far we are) is in both parts.
  private static func countSyncs(_ bench: Bench) throws -> Double {
    let counts = try CallCounts(in: bench.folder)
    let (server, daemon, _) = try bench.online("trickle-counted", environment: counts.environment)
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    let start = try counts.read()
    _ = try Burst.measure(count: perSecond, server, process, shape)
    let middle = try counts.read()
    _ = try Burst.measure(count: perSecond * 3, server, process, shape, first: perSecond)
    let (few, many) = (middle - start, try counts.read() - middle)
    return Double(many.syncs - few.syncs) / Double(perSecond * 2)
  }
}
