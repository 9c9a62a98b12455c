import TestSupport

/// Costs that others can cause, each as a ratio to its cause, or to its limit: payloads on the disk, watchers that do
/// not read, and an import of very many conversations.
enum CostWorkload {
  static func run(_ bench: Bench) throws {
    try payloads(bench)
    try watchers(bench)
    try imports(bench)
  }

  /// Stanzas that declare a long namespace once and use its prefix often.
  private static func payloads(_ bench: Bench) throws {
    let (server, daemon, client) = try bench.online("payloads")
    let namespace = String(repeating: "n", count: 10_000)
    let elements = String(repeating: "<p:a/>", count: 400)
    let sent = try server.flood(
      "<message from='mallory@example.test/x' type='chat' id='$n' xmlns:p='\(namespace)'><body>$n</body>\(elements)"
        + "</message>", count: 32)
    _ = try client.request("conversations limit=1")
    try daemon.terminate()
    let log = try LogCensus(bench.data.file("payloads")).log
    bench.report("prefixed payloads: on the wire", Double(sent) / 1024, "KiB")
    bench.report("the log after them", Double(log) / 1024, "KiB")
    bench.report("ratio", Double(log) / Double(sent), "", note: "(at most 1.05)")
  }

  private static let stalled = 1000

  /// Watchers with far more to read than their sockets take.
  private static func watchers(_ bench: Bench) throws {
    let (server, daemon, _) = try bench.online("stalled")
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    _ = try Burst.measure(count: 10_000, server, process)
    let before = try ProcessUsage(of: process)
    let deaf = try (0..<stalled).map { _ in
      let client = try daemon.client()
      try client.send("watch since=0")
      return client
    }
    // Another watcher, which reads everything, is served meanwhile.
    let reader = try daemon.client()
    try reader.send("watch since=0")
    while let line = try reader.rawLine(), !String(decoding: line, as: UTF8.self).contains("caught-up") {}
    let after = try ProcessUsage(of: process)
    let each = Double(after.residentKiB - before.residentKiB) / Double(deaf.count)
    bench.report("each of \(deaf.count) stalled watchers: resident", each, "KiB")
    bench.report("ratio to 64 KiB", each / 64, "", note: "(at most 1)")
    try daemon.terminate()
  }

  private static func imports(_ bench: Bench) throws {
    let fifty = try importing(2 * bench.count, conversations: 50, bench)
    let few = try importing(bench.count / 4, conversations: bench.count / 8, bench)
    let many = try importing(2 * bench.count, conversations: bench.count, bench)
    bench.report("import, a message of 50 conversations: CPU", fifty, "us")
    bench.report("import, a message of \(bench.count / 8): CPU", few, "us")
    bench.report("import, a message of \(bench.count): CPU", many, "us")
    bench.report("ratio to 50 conversations", many / fifty, "", note: "(at most 5)")
    // Two messages in each conversation, so what a conversation costs is in both.
    bench.report("ratio to \(bench.count / 8) conversations", many / few, "", note: "(at most 1.5)")
  }

  private static func importing(_ count: Int, conversations: Int, _ bench: Bench) throws -> Double {
    let file = bench.data.file("lines-\(conversations)")
    let lines = (0..<count).map { number in
      let person = "s\(number % conversations)@example.org"
      let time =
        "2025-01-0\(1 + number / 36_000 % 9)T\((10 + number / 3600 % 10)):\(10 + number / 60 % 50):\(10 + number % 50)Z"
      return #"{"conversation":"\#(person)","from":"\#(person)/x","mine":false,"time":"\#(time)","text":"\#(number)"}"#
    }
    try TestFiles.write(file, Array(lines.joined(separator: "\n").utf8))
    let data = try bench.data.makeFolder("import-\(conversations)")
    return try TimedProgram.run([
      bench.confab, "log", "import", "--jsonl", file, "--account", "a", "--jid", "me@example.org", "--data", data,
    ]).cpu / Double(count)
  }
}
