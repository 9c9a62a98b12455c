import Settings
import Syscalls

/// Checks that only root and the daemon's user can change the configuration, because `password-command` runs from it.
enum ConfigurationTrust {
  /// A path that others can change, and the command that prevents it.
  struct Problem: Error, CustomStringConvertible {
    /// The file, one of its parent directories, or a symbolic link.
    let path: String
    /// The finding, such as `mode 775`.
    let found: String
    /// The shell command that repairs it.
    let advice: String

    /// `others can change /x (mode 777), and with it the commands that the daemon runs; chmod go-w /x`
    var description: String {
      "others can change \(path) (\(found)), and with it the commands that the daemon runs; \(advice)"
    }
  }

  /// The first component of the file's path, from `/` on, that others can change; nil if there is none. Components that
  /// cannot be examined are skipped, because reading the file reports the error.
  static func problem(with file: String, user: UInt32 = ProcessEnvironment.userID) -> Problem? {
    guard let steps = try? Paths.steps(to: file) else { return nil }
    return steps.lazy.compactMap { problem(with: $0, user) }.first
  }

  /// The rules of sshd(8) for the files of a login, except that directories may be sticky: in those each file belongs
  /// to its owner.
  private static func problem(with step: PathStep, _ user: UInt32) -> Problem? {
    let status = step.status
    guard [0, user].contains(status.owner) else {
      return Problem(path: step.path, found: "owned by uid \(status.owner)", advice: "chown \(user) \(step.path)")
    }
    let isShared = status.mode & 0o020 != 0 && !Groups.isPrivate(status.group, of: status.owner)
    let isOpen = status.mode & 0o002 != 0 || isShared
    if status.kind == .link || !isOpen || status.kind == .directory && status.isSticky { return nil }
    return Problem(
      path: step.path, found: "mode \(String(status.mode, radix: 8))", advice: "chmod go-w \(step.path)")
  }
}
