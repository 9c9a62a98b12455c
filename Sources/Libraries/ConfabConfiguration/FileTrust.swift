import Syscalls

/// Checks that only root and the daemon's user can change or replace what the daemon relies on: its configuration, from
/// which commands run, its passwords, its log, and the folders of its sockets.
package enum FileTrust {
  /// A path that others can change, and the command that prevents it.
  package struct Problem: Error, CustomStringConvertible {
    /// The file, one of its parent directories, or a symbolic link.
    package let path: String
    /// The finding, such as `mode 775`.
    package let found: String
    /// The things that others could change by it, as a phrase.
    package let stake: String
    /// The shell command that repairs it.
    package let advice: String

    /// `others can change /x (mode 777), and with it the commands that the daemon runs; chmod go-w /x`
    package var description: String { "others can change \(path) (\(found)), and with it \(stake); \(advice)" }
  }

  /// The first component of the configuration's path, from `/` on, that others can change; nil if there is none.
  package static func problem(withConfiguration file: String, user: UInt32 = ProcessEnvironment.userID) -> Problem? {
    problem(with: file, stake: "the commands that the daemon runs", trusted: [0, user])
  }

  /// The first component of the path of a file of certificate authorities that others can change; nil if there is none.
  package static func problem(withAuthorities file: String, user: UInt32 = ProcessEnvironment.userID) -> Problem? {
    problem(with: file, stake: "which servers the daemon believes", trusted: [0, user])
  }

  /// The first component of the path of a directory that others can change, or in which they can make files; of a
  /// missing directory, the path of its parent.
  package static func problem(
    withDirectory directory: String, stake: String, user: UInt32 = ProcessEnvironment.userID
  ) -> Problem? {
    let isThere = ((try? Paths.status(directory)) ?? nil) != nil
    return problem(with: directory, stake: stake, trusted: [0, user], mayBeSticky: !isThere)
  }

  /// - Parameter mayBeSticky: whether the last component, where it is a directory, may be one in which each file is its
  ///   owner's, as those above it may be. Components that cannot be examined are skipped, because using the file reports
  ///   the error.
  package static func problem(
    with file: String, stake: String, trusted: Set<UInt32>, mayBeSticky: Bool = true
  ) -> Problem? {
    guard let steps = try? Paths.steps(to: file) else { return nil }
    return steps.indices.lazy.compactMap { index in
      problem(with: steps[index], stake, trusted, mayBeSticky: mayBeSticky || index < steps.endIndex - 1)
    }.first
  }

  /// The rules of sshd(8) for the files of a login, except that directories may be sticky: in those each file belongs
  /// to its owner.
  private static func problem(
    with step: PathStep, _ stake: String, _ trusted: Set<UInt32>, mayBeSticky: Bool
  ) -> Problem? {
    let status = step.status
    guard trusted.contains(status.owner) else {
      return Problem(
        path: step.path, found: "owned by uid \(status.owner)", stake: stake,
        advice: "chown \(trusted.max() ?? 0) \(step.path)")
    }
    let isShared = status.mode & 0o020 != 0 && !Groups.isPrivate(status.group, of: status.owner)
    let isOpen = status.mode & 0o002 != 0 || isShared
    if status.kind == .link || !isOpen || status.kind == .directory && status.isSticky && mayBeSticky { return nil }
    return Problem(
      path: step.path, found: "mode \(String(status.mode, radix: 8))", stake: stake, advice: "chmod go-w \(step.path)")
  }
}
