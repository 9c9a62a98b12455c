import Glibc

/// One of the files that a path leads through.
package struct PathStep: Hashable, Sendable {
  /// Absolute, without symbolic links but for the last component.
  package let path: String
  /// Of the file itself, where it is a link.
  package let status: FileStatus
}

extension Paths {
  /// Most symbolic links in one path, as in the kernel: path_resolution(7).
  private static let mostLinks = 40

  /// The directories and symbolic links that lead to `path`, from `/` on, and the file at its end. A path that leads
  /// nowhere ends with the last file that is there. lstat(2), readlink(2)
  ///
  /// - Throws: what keeps a step from being looked at; ELOOP for too many links.
  package static func steps(to path: String) throws(Errno) -> [PathStep] {
    var steps: [PathStep] = []
    /// The components of the directory that was reached.
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

  /// The last one first.
  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }
}
