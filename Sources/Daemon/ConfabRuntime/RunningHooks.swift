import Clocks
import ConfabAccounts
import Reactor
import Syscalls

/// The commands of hooks that run, each on a thread of its own that waits for it.
final class RunningHooks {
  private let results: Mailbox<(HookRunID, HookOutcome)>
  private let surroundings: HookSurroundings
  private var running: [HookRunID: ShellCommand] = [:]

  init(loop: EventLoop, _ surroundings: HookSurroundings, onEnd: @escaping (HookRunID, HookOutcome) -> Void) {
    self.surroundings = surroundings
    var ended: (HookRunID) -> Bool = { _ in true }
    results = loop.makeMailbox { if ended($0.0) { onEnd($0.0, $0.1) } }
    ended = { [unowned self] in running.removeValue(forKey: $0) != nil }
  }

  func start(_ run: HookRun) {
    let results = results
    let command = surroundings.command(run)
    running[run.id] = command
    do throws(Errno) {
      try JobQueue(name: "hook").run { results.send((run.id, Self.outcome(of: command, run))) }
    } catch {
      results.send((run.id, .failed("cannot be run: \(error)")))
    }
  }

  func kill(_ id: HookRunID) { running.removeValue(forKey: id)?.kill() }

  /// Kills all of them without waiting for their ends.
  func stop() {
    for id in running.keys { kill(id) }
  }

  private static func outcome(of command: ShellCommand, _ run: HookRun) -> HookOutcome {
    do throws(Errno) {
      let finished = try command.run()
      guard let reason = reason(finished.termination, run) else { return .done }
      return .failed(reason + (lastLine(finished.errorOutput).map { ": " + $0 } ?? ""))
    } catch {
      return .failed("cannot be run: \(error)")
    }
  }

  private static func reason(_ end: ShellCommand.Termination, _ run: HookRun) -> String? {
    switch end {
    case .exited(0): nil
    case .exited(let status): "exit status \(status)"
    case .killed(let signal): "ended by signal \(signal)"
    case .tookTooLong: "took longer than \(run.timeout)"
    case .wroteTooMuch: "wrote more than \(HookSurroundings.mostOutput >> 10) KiB"
    }
  }

  /// The last line with something in it, made fit for a line of the journal.
  private static func lastLine(_ bytes: [UInt8]) -> String? {
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
    return lines.last { $0.contains { $0 > 0x20 } }
      .map { PlainLine.of(String(String(decoding: $0, as: UTF8.self).unicodeScalars.prefix(200))) }
  }
}

/// The surroundings of the commands of hooks.
struct HookSurroundings {
  /// Bytes of both outputs together.
  static let mostOutput = 64 << 10
  /// Bytes of memory of one process.
  private static let memory: UInt64 = 256 << 20
  /// The variables of the daemon's environment that a command gets.
  private static let variables = [
    "HOME", "PATH", "USER", "LANG", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
  ]

  private let environment: [String]
  private let home: String

  /// - Parameter socket: the path of the main socket; nil: that is looked for where clients look for it.
  init(_ environment: [String: String], socket: String?) {
    let kept = Self.variables.compactMap { name in environment[name].map { "\(name)=\($0)" } }
    self.environment = kept + (socket.map { ["CONFAB_SOCKET=" + $0] } ?? [])
    home = environment["HOME"] ?? "/"
  }

  func command(_ run: HookRun) -> ShellCommand {
    var limits = ShellCommand.Limits(time: run.timeout.milliseconds, output: 0)
    limits.total = Self.mostOutput
    return ShellCommand(
      run.command, limits: limits,
      confined: ShellCommand.Confined(
        input: run.input, environment: environment, directory: home, memory: Self.memory))
  }
}
