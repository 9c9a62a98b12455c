import Glibc
import TestSupport

/// Runs work on one processor, and all that it starts: what asks and what answers take turns. In a virtual machine a
/// processor that sleeps may take longer to wake than the work takes that it is woken for.
enum OneProcessor {
  static func run<R>(_ body: () throws -> R) throws -> R {
    // "pid 7's current affinity list: 0-3"
    let all = try taskset().split(whereSeparator: \.isWhitespace).last.map(String.init) ?? "0"
    try taskset(String(all.prefix(while: \.isNumber)))
    defer { _ = try? taskset(all) }
    return try body()
  }

  /// Which processors we run on; those of `list` from now on.
  @discardableResult
  private static func taskset(_ list: String...) throws -> String {
    let set = try Program.run(["taskset", "--all-tasks", "--cpu-list", "--pid"] + list + ["\(getpid())"])
    guard set.status == .exited(0) else { throw TestFailure("taskset: \(set.errorText)") }
    return set.text
  }
}
