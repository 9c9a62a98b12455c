import Syscalls

/// A text in a file that the user's editor changes.
final class EditorFile {
  private static let limit = 1 << 20

  private let before: String
  private let folder: String
  private let name: String
  private let directory: OwnedFD

  var path: String { folder + "/" + name }

  /// Makes the file, for its owner only, in `folder`; it goes with this object.
  init(_ text: String, folder: String) throws(Errno) {
    before = text
    self.folder = folder
    name = "confab-\(try Entropy.token()).txt"
    directory = try Files.openDirectory(folder)
    let file = try Files.open(name, in: directory.raw, .createNew)
    try Files.write(file.raw, Array(text.utf8), at: 0)
  }

  deinit { try? Files.remove(name, in: directory.raw) }

  /// The text as it is now, without the line end that editors add; nil if it did not change or cannot be read.
  var text: String? {
    // Editors may put a new file in the place of the old one.
    guard let file = try? Files.openForReading(path), let bytes = try? Files.readAll(file.raw, limit: Self.limit) else {
      return nil
    }
    var text = String(decoding: bytes, as: UTF8.self)
    if text.hasSuffix("\n"), !before.hasSuffix("\n") { text.removeLast() }
    return text == before ? nil : text
  }

  /// The command line of the user's editor for it; quotes in the variable mean what they mean to a shell.
  var command: [String] {
    ["/bin/sh", "-c", #"eval "${VISUAL:-${EDITOR:-vi}} \"\$1\"""#, "sh", path]
  }
}
