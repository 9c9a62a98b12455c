import Glibc

/// Another program in place of this one.
package enum ProgramImage {
  /// Becomes the program at `path`; returns only if that failed. Descriptors that close at exec close. execv(3)
  package static func replace(with path: String, arguments: [String]) -> Errno {
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    _ = unsafe execv(path, &words)
    return Errno(errno, "execv", object: path)
  }
}
