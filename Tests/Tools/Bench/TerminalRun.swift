import Glibc
import JSON
import TestSupport

/// A program on a terminal of the bench's own (Tests/Support/terminal_runs.py).
final class TerminalRun {
  /// What a step cost.
  struct Cost {
    let bytes: Int
    /// From the step to the last byte.
    let elapsed: Double
    /// CPU of the program in milliseconds.
    let milliseconds: Double
    let anonymousKiB: Int
    let wakeUps: Int

    fileprivate init(_ event: JSONValue) {
      bytes = Int(event["bytes"]?.integer ?? 0)
      elapsed = Self.number(event["ms"])
      milliseconds = Self.number(event["cpu_us"]) / 1000
      anonymousKiB = Int(event["anonymous_kib"]?.integer ?? 0)
      wakeUps = Int(event["wakeups"]?.integer ?? 0)
    }

    private static func number(_ value: JSONValue?) -> Double {
      switch value {
      case .integer(let number): Double(number)
      case .number(let number): number
      default: 0
      }
    }
  }

  private let helper: HelperProcess
  private(set) var processID: pid_t = 0

  init(_ bench: Bench, _ name: String) throws {
    helper = try HelperProcess("terminal_runs.py", [], log: bench.folder.file("\(name).terminal.log"))
  }

  /// Starts the program on a terminal, and waits until it has painted.
  func start(
    _ command: [String], environment: [String: String] = [:], columns: Int64 = 80, lines: Int64 = 24
  ) throws -> Cost {
    try helper.do(
      "start",
      [
        JSONMember("argv", .array(command.map(JSONValue.string))),
        JSONMember("environment", .object(environment.map { JSONMember($0.key, .string($0.value)) })),
        JSONMember("columns", .integer(columns)), JSONMember("lines", .integer(lines)),
      ])
    let event = try helper.event("start")
    processID = pid_t(event["pid"]?.integer ?? 0)
    return Cost(event)
  }

  func press(_ keys: String) throws -> Cost {
    try helper.do("keys", [JSONMember("text", .string(keys))])
    return Cost(try helper.event("keys"))
  }

  func wait(seconds: Double) throws -> Cost {
    try helper.do("wait", [JSONMember("ms", .integer(Int64(seconds * 1000)))])
    return Cost(try helper.event("wait"))
  }

  /// CPU so far, in milliseconds.
  func total() throws -> Double { Double(try ProcessUsage(of: processID).cpuNanoseconds) / 1e6 }

  func stop() throws {
    try helper.do("stop")
    try helper.event("stop")
  }
}
