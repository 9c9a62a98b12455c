import TestSupport

/// `make bench`: what Confab costs, beside a peer or a limit measured in the same run on the same machine.
///
/// usage: confab-bench [--count N] [WORKLOAD ...]; all workloads by default, in this order.
@main
struct Main {
  private static let workloads: [(name: String, run: @Sendable (Bench) throws -> Void)] = [
    ("burst", BurstWorkload.run),
    ("send", SendWorkload.run),
    ("command", CommandWorkload.run),
    ("start", StartWorkload.run),
    ("counts", CountWorkload.run),
  ]

  static func main() throws {
    var count = 100_000
    var chosen: [String] = []
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      if argument == "--count", let number = arguments.popFirst().flatMap({ Int($0) }) {
        count = number
      } else {
        chosen.append(argument)
      }
    }
    let bench = try Bench(count: count)
    for workload in workloads where chosen.isEmpty || chosen.contains(workload.name) {
      print("\(workload.name):")
      try workload.run(bench)
    }
  }
}
