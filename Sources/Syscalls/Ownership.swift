import Glibc

/// The owner of a file that root makes in another user's directory: that user, who could not open it otherwise.
enum Ownership {
  private static let isRoot = geteuid() == 0

  /// Gives what was made in `directory` to its owner, where this process is root and the owner is not. A file that has a
  /// further name, anywhere, is left alone: it may not be what its name in that directory says. Nothing is done where it
  /// cannot be: in a user namespace the owner may have no number. fchown(2)
  static func follow(_ directory: CInt, of fd: CInt) {
    guard isRoot, let folder = try? Paths.status(of: directory), folder.owner != 0, let made = try? Files.facts(fd),
      made.owner == 0, made.kind == .directory || made.kind == .regular && made.links == 1
    else { return }
    _ = try? systemCall("fchown", fd) { fchown(fd, folder.owner, folder.group) }
  }
}
