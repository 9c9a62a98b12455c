import Glibc

/// Gives files that root makes in another user's directory to that user, who could not open them otherwise.
enum Ownership {
  private static let isRoot = geteuid() == 0

  /// Gives a file made in `directory` to the directory's owner, if this process is root and the owner is not. A file
  /// with a second hard link is left alone, because it may belong elsewhere. Failure is ignored: in a user namespace
  /// the owner may have no number. fchown(2)
  static func follow(_ directory: CInt, of fd: CInt) {
    guard isRoot, let folder = try? Paths.status(of: directory), folder.owner != 0,
      let made = try? Files.attributes(fd),
      made.owner == 0, made.kind == .directory || made.kind == .regular && made.links == 1
    else { return }
    _ = try? systemCall("fchown", fd) { fchown(fd, folder.owner, folder.group) }
  }
}
