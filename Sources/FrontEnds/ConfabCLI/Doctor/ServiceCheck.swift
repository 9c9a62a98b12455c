import LineProtocol
import ConfabConfiguration
import Syscalls

/// Checks that systemd starts the daemon, and restarts it.
struct ServiceCheck {
  let request: LocalRequest
  let environment: [String: String]

  /// Milliseconds that systemd may take to say how a unit is.
  private static let patience: Int64 = 5000

  /// Nil if systemd does not run, or no unit uses the configuration.
  var check: Check? {
    let file = request.options["config"]
    guard file == nil || file == ConfigurationFile.system else { return nil }
    guard (try? Paths.status("/run/systemd/system")) != nil else { return nil }
    let isSystems = file != nil || !hasOwnConfiguration
    guard let facts = Self.ask(isSystems) else {
      return isSystems
        ? nil
        : Check(
          .service, .warning, "this user has no service manager running",
          advice: "log in as this user (not by su), or: sudo loginctl enable-linger $USER")
    }
    return Self.judge(facts, isSystems)
  }

  private var hasOwnConfiguration: Bool {
    ConfigurationFile.userPath(environment).map { (try? Paths.status($0)) != nil } ?? false
  }

  private static func judge(_ facts: [String: String], _ isSystems: Bool) -> Check {
    let systemctl = isSystems ? "sudo systemctl" : "systemctl --user"
    let journal = "journalctl \(isSystems ? "" : "--user ")-u confabd"
    let state = facts["ActiveState"] ?? "?"
    if facts["LoadState"] == "not-found" {
      return Check(
        .service, .warning, "systemd knows no unit confabd.service",
        advice: "install it: sudo make install, or the package")
    }
    if state == "failed" {
      return Check(
        .service, .wrong, "the service failed (\(facts["Result"] ?? "?"))",
        advice: "\(journal); \(systemctl) restart confabd")
    }
    if facts["UnitFileState"] != "enabled" {
      return Check(
        .service, .warning, "the service is \(state), but not enabled at boot",
        advice: "\(systemctl) enable --now confabd")
    }
    if !isSystems, facts["Linger"] == "no" {
      return Check(
        .service, .warning, "the service is \(state) and enabled, but runs only while you are logged in",
        advice: "sudo loginctl enable-linger $USER")
    }
    let restarts = facts["NRestarts"].flatMap { Int($0) } ?? 0
    if restarts > 0 {
      return Check(.service, .warning, "the service is \(state), and has restarted \(restarts) times", advice: journal)
    }
    return Check(.service, .ok, "the service is \(state) and enabled")
  }

  /// The unit's properties by name; nil if systemd does not answer.
  private static func ask(_ isSystems: Bool) -> [String: String]? {
    let show =
      "systemctl \(isSystems ? "" : "--user ")show confabd.service "
      + "-p LoadState,UnitFileState,ActiveState,Result,NRestarts"
    let linger = "if test -e /var/lib/systemd/linger/\"$(id -un)\"; then echo Linger=yes; else echo Linger=no; fi"
    let command = ShellCommand("\(show) 2>/dev/null && \(linger)", limits: .init(time: patience, output: 4096))
    guard let done = try? command.run(), done.termination == .exited(0) else { return nil }
    var facts: [String: String] = [:]
    for line in String(decoding: done.output, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { facts[String(parts[0])] = String(parts[1]) }
    }
    return facts
  }
}
