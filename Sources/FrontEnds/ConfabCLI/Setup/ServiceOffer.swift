import ConfabConfiguration
import Syscalls

/// The user's service: whether there is one to be had, and its start.
struct ServiceOffer {
  let runner: CommandRunner
  let request: LocalRequest

  /// Starting waits for the daemon's READY.
  private static let patience: Int64 = 120_000
  private static let enable = "systemctl --user enable --now confabd"

  /// Starts the service if that is wanted; returns whether it did.
  func take() throws(SetupFailure) -> Bool {
    if request.has("no-service") { return false }
    if let obstacle {
      guard request.has("enable-service") else {
        runner.say("No service was started: \(obstacle).")
        return false
      }
      throw SetupFailure("the account is set up, but the service cannot be started: \(obstacle)")
    }
    guard request.has("enable-service") || isWanted else { return false }
    guard Self.run("systemctl --user daemon-reload && \(Self.enable)") else {
      throw SetupFailure("the account is set up, but the service does not start; see: journalctl --user -u confabd")
    }
    runner.say("Started, and from now on whenever you log in: \(Self.enable)")
    if !Self.run("test -e /var/lib/systemd/linger/\"$(id -un)\"") {
      runner.say("To let it run while you are not logged in, too: sudo loginctl enable-linger $USER")
    }
    return true
  }

  private var isWanted: Bool {
    guard let ask = runner.console.ask else {
      runner.say("To start it now and whenever you log in: \(Self.enable)")
      return false
    }
    let answer = ask("Start it now, and whenever you log in (\(Self.enable))? [Y/n] ", false) ?? Array("n".utf8)
    return [[], Array("y".utf8), Array("Y".utf8), Array("yes".utf8)].contains(answer)
  }

  /// Why there is no service to be had.
  private var obstacle: String? {
    if let file = request.options["config"], file != ConfigurationFile.userPath(runner.console.environment) {
      return "the service reads another configuration than \(file)"
    }
    if Self.run("systemctl --user cat confabd.service") { return nil }
    return Self.run("systemctl --user show-environment")
      ? "confabd is not installed as a service (make install, or the package)"
      : "this user has no service manager running (log in as this user, not by su)"
  }

  private static func run(_ command: String) -> Bool {
    let done = try? ShellCommand("{ \(command); } >/dev/null 2>&1", limits: .init(time: patience, output: 0)).run()
    return done?.termination == .exited(0)
  }
}
