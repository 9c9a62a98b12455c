import Glibc
import TestSupport

/// Other people's terminal programs, as far as the same can be measured: without an account, each with a home of its own, on the
/// same terminal and by the same steps as ours.
struct InterfacePeer: Sendable {
  private let name: String
  private let program: String
  private let arguments: @Sendable (String) -> [String]
  /// A line that gives it a history of so many lines to hold; nil: it takes one from a server alone.
  private let history: (@Sendable (Int) -> String)?

  private static let letters = 40
  private static let historyLines = 10_000

  static let all = [
    InterfacePeer(name: "profanity", program: "/usr/bin/profanity", arguments: { _ in [] }, history: nil),
    InterfacePeer(
      name: "weechat", program: "/usr/bin/weechat-curses",
      arguments: { ["--dir", $0, "--run-command", "/set weechat.history.max_buffer_lines_number 0"] },
      history: { "/repeat \($0) /print message ${repeat_index} of a long history\r" }),
  ]

  func report(_ bench: Bench) throws {
    guard unsafe access(program, X_OK) == 0 else { return print("  \(name) is not installed") }
    let home = try bench.data.makeFolder("home-\(name)")
    let environment = ["HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home]
    let terminal = try TerminalRun(bench, name)
    let first = try terminal.start([program] + arguments(home), environment: environment)
    bench.report("\(name): first screen, CPU", first.milliseconds, "ms")
    bench.report("\(name): first screen, to the last byte", first.elapsed, "ms")
    let typed = try (0..<Self.letters).map { _ in try terminal.press("a") }
    bench.report("\(name): a letter, CPU, median", typed.map(\.milliseconds).median, "ms")
    bench.report("\(name): a letter, bytes, median", typed.map { Double($0.bytes) }.median, "B")
    _ = try terminal.press("\u{15}")
    let idle = try terminal.wait(seconds: 20)
    bench.report("\(name): idle for 20 s, CPU", idle.milliseconds, "ms")
    bench.report("\(name): idle for 20 s, wake-ups", Double(idle.wakeUps), "")
    bench.report("\(name): anonymous memory, no history", Double(idle.anonymousKiB) / 1024, "MiB")
    if let history {
      _ = try terminal.press(history(Self.historyLines))
      // It takes one line after the other, between other things.
      let held = try terminal.wait(seconds: 20)
      bench.report("\(name): the same, \(Self.historyLines) lines", Double(held.anonymousKiB) / 1024, "MiB")
    }
    try terminal.stop()
  }
}
