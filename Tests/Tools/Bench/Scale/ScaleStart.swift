import Glibc
import TestSupport

/// From exec to the socket, against an empty log; and memory at rest, online with 20 contacts.
enum ScaleStart {
  static func run(_ scale: Scale) throws {
    let bench = scale.bench
    let empty = try daemon("start-empty", try bench.data.makeFolder("start-empty"), bench)
    let full = try daemon("start-full", scale.history, bench)
    let starts = try StartWorkload.restarts(of: empty, full)
    for daemon in [empty, full] { try daemon.terminate() }
    starts.report(bench)
    let (none, some) = (
      try scale.online("rest-empty", data: bench.data.makeFolder("rest-empty")), try scale.online("rest")
    )
    // Until what a login leaves to be done is done.
    sleep(12)
    let (before, usage) = (try ProcessUsage(of: none.process), try ProcessUsage(of: some.process))
    bench.report("anonymous memory at rest, empty log", Double(before.anonymousKiB) / 1024, "MiB")
    bench.report("anonymous memory at rest", Double(usage.anonymousKiB) / 1024, "MiB", note: "(at most 3; aim 2)")
    bench.report("resident memory at rest", Double(usage.residentKiB) / 1024, "MiB", note: "(at most 14; aim 11)")
    for daemon in [none.daemon, some.daemon] { try daemon.terminate() }
  }

  private static func daemon(_ name: String, _ data: String, _ bench: Bench) throws -> Daemon {
    try Daemon(name, in: bench.folder, program: bench.confabd, data: data, supervised: false)
  }
}
