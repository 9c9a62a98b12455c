import ConfabClient
import LineProtocol
import ConfabConfiguration
import Syscalls

/// `confab doctor`: what `confabd --doctor` finds, and beside it the running daemon and its service.
struct DoctorCommand {
  let runner: CommandRunner
  let invocation: Invocation
  let request: LocalRequest

  /// How long `confabd` may say nothing: a server has several addresses, each with its time.
  private static let patience: Int64 = 240_000

  /// The results of one run.
  private struct CheckCounts {
    var warnings = 0
    var wrongs = 0
    /// The daemon's socket according to its configuration.
    var socket: String?
  }

  func run() -> ExitCode {
    var counts = CheckCounts()
    runDaemon(&counts)
    let socket = invocation.socket ?? counts.socket
    for check in DaemonCheck(runner: runner, socket: socket).checks() { tell(check, &counts) }
    if let check = ServiceCheck(request: request, environment: runner.console.environment).check {
      tell(check, &counts)
    }
    if runner.console.hasTerminal {
      for check in TerminalCheck(environment: runner.console.environment).checks { tell(check, &counts) }
    }
    for line in InterfaceProgram.wrongSettings {
      tell(Check(.terminal, .warning, line, advice: "mend the line; man 5 tui.conf has the settings"), &counts)
    }
    if !invocation.isJSON { _ = runner.show(summary(counts)) }
    return counts.wrongs == 0 ? .done : .refused
  }

  private func runDaemon(_ counts: inout CheckCounts) {
    do throws(Errno) {
      let child = try DaemonProgram.start(["--doctor"] + DaemonProgram.configuration(request))
      var count = 0
      loop: while true {
        switch try child.readLine(milliseconds: Self.patience) {
        case .line(let bytes): count += take(bytes, &counts)
        case .end: break loop
        case .timedOut:
          return tell(
            Check(.program, .wrong, "confabd --doctor takes too long", advice: "a disk may be stuck: dmesg"), &counts)
        }
      }
      if count == 0 { tell(Self.noDaemonProgram, &counts) }
    } catch {
      tell(Self.noDaemonProgram, &counts)
    }
  }

  private static var noDaemonProgram: Check {
    Check(
      .program, .wrong, "\(DaemonProgram.path) cannot be run, or has another version",
      advice: "install confab and confabd together")
  }

  /// How many checks it was.
  private func take(_ line: [UInt8], _ counts: inout CheckCounts) -> Int {
    guard let check = Check(line: line) else { return 0 }
    if let socket = check.socket { counts.socket = socket }
    tell(check, &counts)
    return 1
  }

  private func tell(_ check: Check, _ counts: inout CheckCounts) {
    switch check.outcome {
    case .ok: break
    case .warning: counts.warnings += 1
    case .wrong: counts.wrongs += 1
    }
    if invocation.isJSON {
      try? runner.console.write(check.line)
    } else {
      _ = runner.show(check.shown(runner.style, columns: runner.columns))
    }
  }

  private func summary(_ counts: CheckCounts) -> String {
    let wrongs = "\(counts.wrongs) thing\(counts.wrongs == 1 ? " is" : "s are") wrong"
    let warnings = RowFormat.counted(Int64(counts.warnings), "warning")
    return switch (counts.wrongs, counts.warnings) {
    case (0, 0): "Nothing is wrong."
    case (0, _): "Nothing is wrong; \(warnings)."
    default: "\(wrongs); \(warnings)."
    }
  }
}
