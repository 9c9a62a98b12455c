import Glibc
import JSON
import TestSupport

/// A page of 50 and the sections of the longest conversation, over the socket: warm, and the first page cold.
enum ScaleReading {
  private static let rounds = 400

  static func run(_ scale: Scale) throws {
    let (_, daemon, client, process) = try scale.online("reading")
    let bare = try BareClient(of: daemon)
    try readPages(scale, client, bare, process)
    for jid in [Scale.longest, "friend1@people.example"] { try readSections(scale, client, bare, jid) }
    try daemon.terminate()
    try readCold(scale)
  }

  private static func readPages(
    _ scale: Scale, _ client: SocketClient, _ bare: BareClient, _ process: pid_t
  ) throws {
    let (bench, longest) = (scale.bench, Scale.longest)
    var random = SeededGenerator(seed: 1)
    let rows = (0..<rounds).map { _ in random.below(max(1, scale.census.longest - 50)) }
    let messages = try rows.map { row in
      let answer = try client.request("history row=\(row) limit=1 \(longest)")
      guard let message = answer.data.first?["message"], let id = message["id"]?.integer else {
        throw TestFailure("no row \(row): \(answer.final)")
      }
      return (id: id, time: message.text("time"))
    }
    let ping = try bare.median(rounds) { _ in "ping" }
    bench.report("the way there and back alone (ping), median", ping, "us")
    let note = "(at most 100; aim 50)"
    func page(_ name: String, lines: Int? = nil, _ request: (Int) -> String) throws {
      let before = try ProcessUsage(of: process).cpuNanoseconds
      bench.report(name + ", median", try bare.median(rounds, lines: lines, request), "us", note: note)
      let cpu = Double(try ProcessUsage(of: process).cpuNanoseconds - before) / 1000 / Double(rounds)
      bench.report("CPU of one", cpu, "us")
    }
    try page("page of 50 by row", lines: 50) { "history row=\(rows[$0]) limit=50 \(longest)" }
    try page("page of 50 by id") { "history around=\(messages[$0].id) limit=50 \(longest)" }
    try page("page of 50 by time") { "history until_time=\(messages[$0].time) limit=50 \(longest)" }
    try page("newest 50", lines: 50) { _ in "history limit=50 \(longest)" }
  }

  private static func readSections(
    _ scale: Scale, _ client: SocketClient, _ bare: BareClient, _ jid: String
  ) throws {
    let count = try client.request("history limit=0 \(jid)").final["count"]?.integer ?? 0
    scale.bench.report("a conversation of", Double(count), "messages")
    for (name, gap, note) in [
      ("the default gap", "", "(at most 5 for a million)"), ("a gap of one hour", "gap=1h ", "(at most 30)"),
      ("a gap of three days", "gap=72h ", "(at most 30)"),
    ] {
      let time = try bare.median(30) { _ in "sections \(gap)limit=1000 \(jid)" }
      scale.bench.report("up to 1000 sections, \(name), median", time / 1000, "ms", note: note)
    }
  }

  /// The first page after a start, with nothing of the files in memory.
  private static func readCold(_ scale: Scale) throws {
    let trace = scale.bench.folder.file("trace")
    let (_, daemon, _, _) = try scale.online(
      "cold", environment: ProcessEnvironment.current.merging(["CONFAB_SYSCALL_TRACE": trace]) { $1 })
    let client = try BareClient(of: daemon)
    try forget(scale.history)
    let before = reads(in: trace)
    let time = try Stopwatch.measure { try client.ask("history limit=50 \(Scale.longest)") }
    let note = "(at most 5)"
    scale.bench.report("newest 50, cold", time / 1000, "ms", note: note)
    scale.bench.report("reads of it", Double(reads(in: trace) - before), "", note: "(at most 55)")
    try forget(scale.history)
    let middle = try Stopwatch.measure {
      try client.ask("history row=\(scale.census.longest / 2) limit=50 \(Scale.longest)")
    }
    scale.bench.report("50 from the middle, cold", middle / 1000, "ms", note: note)
    try daemon.terminate()
  }

  private static func reads(in trace: String) -> Int {
    (TestFiles.text(trace) ?? "").split(separator: "\n").count { $0.hasPrefix("pread") }
  }

  /// Drops what the kernel has in memory of all files of a folder.
  private static func forget(_ folder: String) throws {
    for path in TestFiles.below(folder) {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      fdatasync(descriptor)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      close(descriptor)
    }
  }
}
