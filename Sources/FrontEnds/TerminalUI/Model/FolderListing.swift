/// The contents of a folder of this machine.
package struct FolderListing: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package let name: String
    package let isFolder: Bool
    package let size: Int64

    /// True if the name ends like that of a picture.
    var isPicture: Bool {
      let ending = name.split(separator: ".").last?.lowercased() ?? ""
      return !isFolder && ["png", "jpg", "jpeg", "gif", "webp"].contains(ending)
    }

    package init(name: String, isFolder: Bool, size: Int64) {
      (self.name, self.isFolder, self.size) = (name, isFolder, size)
    }
  }

  /// The path as it was requested.
  package let path: String
  /// The folders first.
  let entries: [Entry]
  /// Why it cannot be read; empty: it can be.
  let failure: String

  package init(path: String, entries: [Entry], failure: String = "") {
    self.path = path
    self.entries = entries.sorted { ($1.isFolder ? 1 : 0, $0.name) < ($0.isFolder ? 1 : 0, $1.name) }
    self.failure = failure
  }

  /// The path of what is in it.
  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

  /// The folder around it.
  var parent: String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path != "/", path != "~", parts.count > 1 else { return path == "~" ? "~/.." : "/" }
    if parts.last == ".." { return path + "/.." }
    return parts.count == 2 && parts[0].isEmpty ? "/" : parts.dropLast().joined(separator: "/")
  }
}
