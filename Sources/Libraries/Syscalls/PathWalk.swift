import Glibc

/// One of the files that a path passes through.
package struct PathStep: Hashable, Sendable {
  /// Absolute; only the last component may be a symbolic link.
  package let path: String
  /// The status of the file itself, not of a link's target.
  package let status: FileStatus
}

extension Paths {
  /// The most symbolic links in one path, as in the kernel: path_resolution(7).
  private static let mostLinks = 40

  /// The directories and symbolic links on the way to `path`, from `/` on, and the file at its end. If the file does
  /// not exist, the last existing component is the end. lstat(2), readlink(2)
  ///
  /// - Throws: the error for a component that cannot be examined; ELOOP for too many links.
  package static func steps(to path: String) throws(Errno) -> [PathStep] {
    var steps: [PathStep] = []
    /// The components of the directory reached so far.
    var here: [String] = []
    var rest = components(path.hasPrefix("/") ? path : (real(".") ?? "") + "/" + path)
    var links = 0
    if let root = try linkStatus("/") { steps.append(PathStep(path: "/", status: root)) }
    while let name = rest.popLast() {
      if name == ".." {
        _ = here.popLast()
        continue
      }
      let next = "/" + (here + [name]).joined(separator: "/")
      guard let status = try linkStatus(next) else { break }
      steps.append(PathStep(path: next, status: status))
      guard status.kind == .link, let target = target(next) else {
        here.append(name)
        continue
      }
      links += 1
      if links > mostLinks { throw Errno(ELOOP, "readlink", object: path) }
      if target.hasPrefix("/") { here = [] }
      rest += components(target)
    }
    return steps
  }

  /// The components of a path, the last one first.
  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }
}
