import Glibc
import Syscalls
import TestSupport

/// `make bench`: what Confab costs, beside a peer or a limit measured in the same run on the same machine.
///
/// usage: confab-bench [--count N] [WORKLOAD ...]; all workloads by default, in this order, and `idle` behind them all,
/// for IDLE seconds (an environment variable; 600 by default) from the start.
/// usage: confab-bench --scale N [--history DIR] [PART ...]; what a history of N messages costs, or one that was made before.
/// usage: confab-bench generate --count N [--seed S] DIR; makes a history to try things on.
@main
struct Main {
  private static let workloads: [(name: String, run: @Sendable (Bench) throws -> Void)] = [
    ("burst", BurstWorkload.run),
    ("flood", FloodWorkload.run),
    ("strangers", StrangersWorkload.run),
    ("send", SendWorkload.run),
    ("command", CommandWorkload.run),
    ("start", StartWorkload.run),
    ("counts", CountWorkload.run),
    ("login", LoginWorkload.run),
    ("resume", ResumeWorkload.run),
    ("trickle", TrickleWorkload.run),
    ("fragments", FragmentWorkload.run),
    ("archive", ArchiveWorkload.run),
    ("search", SearchWorkload.run),
    ("spans", SpanWorkload.run),
    ("import", ImportWorkload.run),
    ("pages", PageWorkload.run),
    ("presences", PresenceWorkload.run),
    ("rooms", RoomWorkload.run),
    ("encryption", EncryptionWorkload.run),
    ("costs", CostWorkload.run),
    ("files", FileWorkload.run),
    ("pictures", PictureWorkload.run),
    ("ui", InterfaceWorkload.run),
  ]

  static func main() {
    do {
      try run()
    } catch {
      let line = Array("confab-bench: \(error)\n".utf8)
      _ = unsafe write(STDERR_FILENO, line, line.count)
      exit(1)
    }
  }

  private static func run() throws {
    var count = 100_000
    var scale: Int?
    var history: String?
    var chosen: [String] = []
    var arguments = ProcessArguments.mended()[...]
    if arguments.first == "generate" { return try generate(arguments.dropFirst()) }
    while let argument = arguments.popFirst() {
      if argument == "--count", let number = arguments.popFirst().flatMap({ Int($0) }) {
        count = number
      } else if argument == "--scale", let number = arguments.popFirst().flatMap({ Int($0) }) {
        scale = number
      } else if argument == "--history", let folder = arguments.popFirst() {
        history = folder
      } else {
        chosen.append(argument)
      }
    }
    let bench = try Bench(count: count)
    if let scale { return try Scale(bench, count: scale, existing: history).run(chosen) }
    let isChosen = { chosen.isEmpty || chosen.contains($0) }
    let idle = isChosen("idle") ? try IdleWorkload(bench) : nil
    for workload in workloads where isChosen(workload.name) {
      print("\(workload.name):")
      try workload.run(bench)
    }
    guard let idle else { return }
    print("idle:")
    try idle.finish(bench)
  }

  private static func generate(_ arguments: ArraySlice<String>) throws {
    let generate = try Generate(arguments)
    var outcome = Generate.Outcome()
    let time = try Stopwatch.measure { outcome = try generate.run() }
    print("\(outcome.messages) messages in \(outcome.records) records, \((time / 1e6).formatted(decimals: 1)) s")
  }
}
