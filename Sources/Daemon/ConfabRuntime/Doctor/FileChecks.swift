import LineProtocol
import ConfabConfiguration
import Syscalls

/// Checks that files are private to their owners, and that the daemon can use its own.
struct FileChecks {
  private let file: String
  private let configuration: Configuration
  private let places: DaemonPaths

  init(file: String, _ configuration: Configuration, _ places: DaemonPaths) {
    (self.file, self.configuration, self.places) = (file, configuration, places)
  }

  var all: [Check] {
    let checks = [configurationFile] + configuration.accounts.map(password) + [dataDirectory] + socketDirectories
    return checks.compactMap(\.self)
  }

  private var configurationFile: Check {
    guard let problem = FileTrust.problem(withConfiguration: file) else {
      return Check(.permissions, .ok, "only its owner can change \(file)")
    }
    return Check(
      .permissions, .wrong,
      "others can change \(problem.path) (\(problem.found)), and with it what the daemon runs and where it connects, "
        + "so the daemon does not start",
      advice: problem.advice)
  }

  /// A command is not run: it may ask a person.
  private func password(_ account: AccountSettings) -> Check? {
    guard account.passwordCommand == nil else {
      return Check(.permissions, .ok, "the password comes from a command, which was not run", account: account.name)
    }
    do throws(ConfigurationError) {
      _ = try account.password(files: RealSettingsFiles(trusting: dataOwner), commands: RealPasswordCommands())
      return Check(.permissions, .ok, "the password can be read, and is private to its owner", account: account.name)
    } catch {
      let path = account.passwordFile ?? file
      return Check(
        .permissions, .wrong, "\(error)", account: account.name,
        advice: "put the password, in one line, into \(path), and: chmod 600 \(path); if it is another user's, run "
          + "confab doctor as that user or as root")
    }
  }

  /// The daemon's user, where root looks.
  private var dataOwner: UInt32? { ((try? Paths.status(places.data)) ?? nil)?.owner }

  private var dataDirectory: Check {
    guard let status = try? Paths.status(places.data) else { return missing(places.data) }
    let user = ProcessEnvironment.userID
    if status.kind != .directory {
      return Check(
        .permissions, .wrong, "\(places.data) is not a directory", advice: "move it away, or set data = to another path"
      )
    }
    if user != 0, status.owner != user {
      return Check(
        .permissions, .wrong, "\(places.data) belongs to the user \(status.owner), not to \(user)",
        advice: "run confab doctor as that user or as root, or: chown -R \(user) \(places.data)")
    }
    if status.mode & 0o022 != 0 {
      return Check(
        .permissions, .wrong,
        "others can change the conversations and queued messages in \(places.data) (mode \(octal(status)))",
        advice: "chmod 700 \(places.data)")
    }
    if status.mode & 0o077 != 0 {
      return Check(
        .permissions, .warning,
        "others can list \(places.data), which holds the conversations (mode \(octal(status)))",
        advice: "chmod 700 \(places.data)")
    }
    return Check(.permissions, .ok, "\(places.data) is private to its owner")
  }

  /// The daemon makes what is missing, if it may.
  private func missing(_ directory: String) -> Check {
    let parent = Paths.existing(above: directory)
    guard Paths.isWritableDirectory(parent) else {
      return Check(
        .permissions, .wrong, "\(directory) does not exist, and cannot be created in \(parent)",
        advice: "create it, owned by the daemon's user, or set another path in [daemon]")
    }
    return Check(.permissions, .ok, "the daemon creates \(directory) when it starts")
  }

  private var socketDirectories: [Check] {
    var checked: [String] = []
    for socket in configuration.servedSockets(main: places.socket) {
      let directory = Paths.parent(of: socket.path ?? "")
      if !checked.contains(directory) { checked.append(directory) }
    }
    return checked.map(socketDirectory)
  }

  private func socketDirectory(_ directory: String) -> Check {
    guard let status = try? Paths.status(directory) else { return missing(directory) }
    if status.kind != .directory {
      return Check(
        .permissions, .wrong, "\(directory), which should hold the socket, is not a directory", advice: "move it away")
    }
    if status.isWritableByOthers {
      return Check(
        .permissions, .wrong, "others can create sockets in \(directory) (mode \(octal(status)))",
        advice: "chmod go-w \(directory)")
    }
    return Check(.permissions, .ok, "only its owner can create sockets in \(directory)")
  }

  private func octal(_ status: FileStatus) -> String { String(status.mode, radix: 8) }
}
