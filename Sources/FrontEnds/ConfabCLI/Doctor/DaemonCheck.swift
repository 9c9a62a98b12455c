import Clocks
import ConfabClient
import JSON
import LineProtocol

/// Checks that the daemon answers and has our version, and reports the state of its accounts.
struct DaemonCheck {
  let runner: CommandRunner
  /// The path given by `--socket` or by the configuration; nil to search as `confab` does.
  let socket: String?

  /// A daemon that greets and then says nothing is stuck.
  private static let patience: Int64 = 10_000

  func checks() -> [Check] {
    var client = DaemonClient { (isRepeat: Bool) throws(TransportFailure) in
      let transport = try runner.console.dial(socket, false, isRepeat)
      transport.setPatience(milliseconds: Self.patience)
      return transport
    }
    do {
      let version = try client.ask(Request(.version)).object["version"]?.string ?? "?"
      var checks = [self.version(version)]
      var online: [String] = []
      let final = try client.ask(Request(.status)) { line throws(TransportFailure) in
        guard let account = line.object["account"] else { return }
        checks.append(self.account(account))
        if account["state"]?.string == "online", let name = account["name"]?.string { online.append(name) }
      }
      if final.object["damaged"] != nil {
        checks.append(
          Check(
            .daemon, .wrong, "the log is damaged; the undamaged parts are served",
            advice: "confab log verify lists what is lost; REPAIR, \"A damaged log\", says what to do"))
      }
      if let storage = final.object["storage"] {
        checks.append(
          Check(
            .daemon, .wrong, storage["reason"]?.string ?? "nothing can be stored",
            advice: "free space on the disk, or repair it; the daemon then continues by itself"))
      }
      checks += HookRow.rows(of: final.object).compactMap(hook)
      if case .refused(_, let reason) = final.kind { checks.append(Check(.daemon, .warning, reason)) }
      for name in online { checks += try EncryptionCheck(account: name).checks(&client) }
      return checks
    } catch {
      return [failure(error)]
    }
  }

  private func version(_ version: String) -> Check {
    guard version != HelpText.version else { return Check(.daemon, .ok, "confabd \(version) answers") }
    return Check(
      .daemon, .warning, "confabd \(version) is running, but this is confab \(HelpText.version)",
      advice: "restart it: systemctl --user restart confabd, or for the system: sudo systemctl restart confabd")
  }

  private func account(_ account: JSONValue) -> Check {
    let name = account["name"]?.string ?? "?"
    let state = account["state"]?.string ?? "?"
    let reason = account["reason"]?.string.map { ": " + $0 } ?? ""
    let line = { (outcome: Check.Outcome, advice: String?) in
      Check(.account, outcome, state + reason, account: name, advice: advice)
    }
    return switch state {
    case "online": line(.ok, nil)
    case "connecting": line(.ok, nil)
    case "waiting": line(.warning, "confab connect tries at once; the lines above may show the cause")
    case "stopped": line(.warning, "confab connect")
    default: line(.wrong, "correct the cause, then: confab connect")
    }
  }

  private func hook(_ hook: HookRow) -> Check? {
    hook.trouble(\.rfc3339).map { trouble in
      Check(
        .daemon, .warning, "[hook \(hook.name)] \(trouble)",
        advice: "correct the command of [hook \(hook.name)] in the configuration; RUNNING, \"Hooks\", has its limits")
    }
  }

  private func failure(_ failure: TransportFailure) -> Check {
    switch failure.kind {
    case .noDaemon:
      Check(
        .daemon, .warning, "no daemon answers: \(failure.reason)",
        advice: "start it: systemctl --user enable --now confabd (for the system: sudo systemctl enable --now confabd)")
    case .silent:
      Check(
        .daemon, .wrong, failure.reason,
        advice: "the daemon is stuck: read its journal, then restart it (systemctl --user restart confabd)")
    case .notAllowed:
      Check(
        .daemon, .wrong, "you may not use its socket: \(failure.reason)",
        advice: "run as its owner or root, or allow your user with allow-uid or socket-group in the configuration")
    case .busy: Check(.daemon, .warning, failure.reason, advice: "try again; else raise max-connections")
    case .cut, .notConfab, .outputClosed:
      Check(.daemon, .wrong, failure.reason, advice: "is that confabd's socket? Restart confabd, or use --socket PATH")
    }
  }
}
