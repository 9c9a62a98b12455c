import ConfabClient
import JSON
import LineProtocol
import Settings
import Syscalls

/// `confab doctor`: what `confabd --doctor` finds, and beside it the running daemon and its service.
struct Doctor {
  let runner: CommandRunner
  let invocation: Invocation
  let request: LocalRequest

  /// How long `confabd` may say nothing: a server has several places, each with its time.
  private static let patience: Int64 = 240_000

  /// What one run has come to.
  private struct Tally {
    var warnings = 0
    var wrongs = 0
    /// Where the daemon's socket is by its configuration.
    var socket: String?
  }

  func run() -> ExitCode {
    var tally = Tally()
    runDaemon(&tally)
    let socket = invocation.socket ?? tally.socket
    for line in DaemonCheck(runner: runner, socket: socket).lines() { tell(line, &tally) }
    if let line = ServiceCheck(request: request, environment: runner.console.environment).line { tell(line, &tally) }
    if !invocation.isJSON { _ = runner.show(summary(tally)) }
    return tally.wrongs == 0 ? .done : .refused
  }

  private func runDaemon(_ tally: inout Tally) {
    do throws(Errno) {
      let child = try DaemonProgram.start(["--doctor"] + DaemonProgram.configuration(request))
      var count = 0
      loop: while true {
        switch try child.readLine(milliseconds: Self.patience) {
        case .line(let bytes): count += take(bytes, &tally)
        case .end: break loop
        case .timedOut:
          return tell(
            CheckLine("confabd", .wrong, "its checks take too long", mend: "a disk may be stuck: dmesg"), &tally)
        }
      }
      if count == 0 { tell(Self.noDaemonProgram, &tally) }
    } catch {
      tell(Self.noDaemonProgram, &tally)
    }
  }

  private static var noDaemonProgram: CheckLine {
    CheckLine(
      "confabd", .wrong, "\(DaemonProgram.path) cannot be run, or is of another version",
      mend: "install confab and confabd together")
  }

  /// How many lines it was.
  private func take(_ bytes: [UInt8], _ tally: inout Tally) -> Int {
    guard let object = try? JSONParser.parse(bytes, maximumDepth: 4), let line = CheckLine(object) else { return 0 }
    if let socket = object["socket"]?.string { tally.socket = socket }
    tell(line, &tally)
    return 1
  }

  private func tell(_ line: CheckLine, _ tally: inout Tally) {
    switch line.outcome {
    case .ok: break
    case .warning: tally.warnings += 1
    case .wrong: tally.wrongs += 1
    }
    if invocation.isJSON {
      try? runner.console.write(line.json)
    } else {
      _ = runner.show(line.shown(runner.style))
    }
  }

  private func summary(_ tally: Tally) -> String {
    let wrongs = "\(tally.wrongs) thing\(tally.wrongs == 1 ? " is" : "s are") wrong"
    let warnings = RowFormat.counted(Int64(tally.warnings), "warning")
    return switch (tally.wrongs, tally.warnings) {
    case (0, 0): "All is well."
    case (0, _): "Nothing is wrong; \(warnings)."
    default: "\(wrongs); \(warnings)."
    }
  }
}
