import Glibc

extension Files {
  /// Gives a file another path on the same file system, replacing what is there. rename(2)
  package static func move(_ old: String, to new: String) throws(Errno) {
    _ = try systemCall("rename", object: old) { unsafe Glibc.rename(old, new) }
  }
}
