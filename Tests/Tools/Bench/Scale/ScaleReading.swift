import Glibc
import JSON
import TestSupport

/// A page of 50 and the sections of the longest conversation, over the socket: warm, and the first page cold.
enum ScaleReading {
  /// SQLite takes long to make more.
  private static let mostOfPeer = 1_000_000

  static func run(_ scale: Scale) throws {
    try warm(scale.history)
    let peer = try SQLitePeer(scale.bench, count: min(mostOfPeer, scale.census.messages))
    print("  wherever the kernel has them run:")
    try readPages(scale, "reading", peer)
    print("  client and daemon on one processor:")
    try OneProcessor.run { try readPages(scale, "reading-alone", peer, note: "(at most 100; aim 50)") }
    let (_, daemon, client, _) = try scale.online("sections")
    let bare = try BareClient(of: daemon)
    for jid in [Scale.longest, "friend1@people.example"] { try readSections(scale, client, bare, jid) }
    try daemon.terminate()
    try readCold(scale)
  }

  private static func readPages(_ scale: Scale, _ name: String, _ peer: SQLitePeer, note: String = "") throws {
    let (_, daemon, client, process) = try scale.online(name)
    try ScalePages(scale, client, BareClient(of: daemon), process, beside: peer).measure(note: note)
    try daemon.terminate()
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

  /// Has the kernel read all files of a folder.
  private static func warm(_ folder: String) throws { _ = try TimedProgram.run(["cat"] + TestFiles.below(folder)) }

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
