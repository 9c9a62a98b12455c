import TestSupport

/// How long a link that is cut stays without its stream, at Prosody: from the cut to the resumption, and from the next try
/// on; beside the time of a whole login after a start.
enum ResumeWorkload {
  private static let rounds = 7

  static func run(_ bench: Bench) throws {
    let prosody = try Prosody(in: bench.folder)
    let proxy = try CountingProxy(to: prosody.directTLSPort, in: bench.folder)
    let account = Daemon.Account(
      "alice", password: "secret-a", port: proxy.port, tls: "direct", authority: prosody.authority)
    let daemon = try Daemon(
      "resume", in: bench.folder, accounts: [account], logLevel: "warning", program: bench.confabd,
      data: try bench.data.makeFolder("resume"), supervised: false)
    let client = try daemon.client()
    _ = try client.request("status for=online timeout=60s", until: .seconds(90))
    let watcher = try daemon.client()
    _ = try watcher.request("watch kinds=connection")
    var (whole, tries): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      let start = Stopwatch.now
      try proxy.cut()
      _ = try watcher.event("connection") { $0.text("state") == "connecting" }
      let next = Stopwatch.now
      _ = try watcher.event("connection") { $0.text("reason").hasPrefix("resumed") }
      whole.append(Stopwatch.now - start)
      tries.append(Stopwatch.now - next)
    }
    bench.report(
      "from cut to resumed, median", whole.median / 1000, "ms", note: "(a pause of 500 to 1000 ms in it)")
    bench.report("from the next try to resumed, median", tries.median / 1000, "ms")
  }
}
