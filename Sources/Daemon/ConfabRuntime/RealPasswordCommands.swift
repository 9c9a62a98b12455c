import ConfabConfiguration
import Synchronization
import Syscalls

/// Runs the password commands of an account by the shell. Blocks the thread that asks; any thread may.
final class RealPasswordCommands: PasswordCommands {
  /// How long a command may take: a person may have to type a passphrase.
  static let patience: Int64 = 60_000

  private let running = Mutex<[ObjectIdentifier: ShellCommand]>([:])

  func output(of command: String, limit: Int) throws(PasswordCommandError) -> [UInt8] {
    let run = ShellCommand(command, limits: .init(time: Self.patience, output: limit))
    running.withLock { $0[ObjectIdentifier(run)] = run }
    defer { running.withLock { $0[ObjectIdentifier(run)] = nil } }
    let finished: ShellCommand.Finished
    do throws(Errno) {
      finished = try run.run()
    } catch {
      throw PasswordCommandError(reason: "that it cannot be run: \(error)")
    }
    if let reason = Self.reason(finished.termination) {
      throw PasswordCommandError(reason: reason, complaint: finished.errorOutput)
    }
    return finished.output
  }

  /// Kills those that run.
  func killAll() {
    for command in running.withLock({ Array($0.values) }) { command.kill() }
  }

  /// The error of a termination.
  private static func reason(_ ending: ShellCommand.Termination) -> String? {
    switch ending {
    case .exited(0): nil
    case .exited(let status): "exit status \(status)"
    case .killed(let signal): "an end by signal \(signal)"
    case .tookTooLong: "one that took longer than \(patience / 1000) s"
    case .wroteTooMuch: "one that wrote more than a MiB"
    }
  }
}
