import ConfabAccounts
import ConfabEngine
import LineProtocol
import ConfabConfiguration
import Syscalls
import XMPPStream

/// `confabd --doctor`: looks at all that the daemon needs, beside a running one or without, and says how each thing is,
/// one JSON object a line. It changes nothing but for a small file in the data directory, which it removes.
struct Doctor {
  let options: Options
  let environment: [String: String]
  /// Hears of each check as it is done.
  let report: (Check) -> Void

  /// Does all of it; false if something is wrong.
  func run() -> Bool {
    var isFine = true
    let tell = { (check: Check) in
      if check.outcome == .wrong { isFine = false }
      report(check)
    }
    for check in checks(tell) { tell(check) }
    return isFine
  }

  /// Returns the checks that need no waiting; those of the network are reported when they are done.
  private func checks(_ tell: @escaping (Check) -> Void) -> [Check] {
    let files = RealSettingsFiles()
    let file = ConfigurationFile.path(option: options.configuration, environment: environment, files: files)
    let service = ServiceEnvironment(file: file, option: options.configuration, environment).variables
    do {
      let configuration = try Configuration.read(path: file, environment: service, files: files)
      try Engine.check(configuration)
      let places = try DaemonPaths(configuration, environment: service)
      let count = configuration.accounts.count
      tell(
        Check(
          .configuration, .ok, "\(file) has \(count) account\(count == 1 ? "" : "s")", socket: places.socket))
      for check in FileChecks(file: file, configuration, places).all { tell(check) }
      tell(DiskCheck.run(places.data))
      tell(ClockCheck.run(data: places.data))
      // A login may run a command from the configuration.
      let isTrusted = FileTrust.problem(withConfiguration: file) == nil
      return ServerCheckup.run(configuration, goal: options.logsIn && isTrusted ? .signedIn : .secured, tell)
    } catch {
      return [
        Check(
          .configuration, .wrong, "\(error)",
          advice: "correct \(file), or run confab setup; the other checks need it"),
        ClockCheck.run(data: nil),
      ]
    }
  }
}

/// The environment that systemd gives the system's service, for a check from a shell.
struct ServiceEnvironment {
  let variables: [String: String]

  /// - Parameters:
  ///   - file: the configuration that is looked at.
  ///   - option: the file that was asked for by name.
  init(file: String, option: String?, _ environment: [String: String]) {
    guard option == nil, file == ConfigurationFile.system else {
      variables = environment
      return
    }
    let service = [
      "STATE_DIRECTORY": "/var/lib/confab", "RUNTIME_DIRECTORY": "/run/confab",
      "CREDENTIALS_DIRECTORY": "/run/credentials/confabd.service",
    ]
    variables = environment.merging(service) { own, _ in own }
  }
}
