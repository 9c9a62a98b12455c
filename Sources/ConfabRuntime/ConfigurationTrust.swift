import Settings
import Syscalls

/// Whether nobody but root and the daemon's user can change the configuration: `password-command` runs from it.
enum ConfigurationTrust {
  /// A path that others can change, and the command that closes it to them.
  struct Problem: Error, CustomStringConvertible {
    /// The file, a directory on its way, or a symbolic link.
    let path: String
    /// As a phrase: `mode 775`.
    let found: String
    /// A command line.
    let mend: String

    /// `others can change /x (mode 777), and with it the commands that the daemon runs; chmod go-w /x`
    var description: String {
      "others can change \(path) (\(found)), and with it the commands that the daemon runs; \(mend)"
    }
  }

  /// The first part of the file's path, from `/` on, that somebody else can change; nil if there is none. A file that
  /// cannot be looked at is none: reading it says why.
  static func problem(with file: String, user: UInt32 = ProcessEnvironment.userID) -> Problem? {
    guard let steps = try? Paths.steps(to: file) else { return nil }
    return steps.lazy.compactMap { problem(with: $0, user) }.first
  }

  /// The rules of sshd(8) for the files of a login, but that a directory may be sticky: there each file is its owner's.
  private static func problem(with step: PathStep, _ user: UInt32) -> Problem? {
    let status = step.status
    guard [0, user].contains(status.owner) else {
      return Problem(path: step.path, found: "owned by uid \(status.owner)", mend: "chown \(user) \(step.path)")
    }
    let isShared = status.mode & 0o020 != 0 && !Groups.isPrivate(status.group, of: status.owner)
    let isOpen = status.mode & 0o002 != 0 || isShared
    if status.kind == .link || !isOpen || status.kind == .directory && status.isSticky { return nil }
    return Problem(
      path: step.path, found: "mode \(String(status.mode, radix: 8))", mend: "chmod go-w \(step.path)")
  }
}
