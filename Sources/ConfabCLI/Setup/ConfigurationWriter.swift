import Syscalls

/// Puts the password and the configuration on the disk, each at once or not at all.
struct ConfigurationWriter {
  let draft: AccountDraft

  func write(jid: String, password: [UInt8]) throws(SetupFailure) {
    do throws(Errno) {
      let directory = Paths.parent(of: draft.file)
      try Self.makeDirectories(directory)
      let mode = try Paths.status(draft.file)?.mode ?? 0o600
      try Self.put(password + [0x0A], into: draft.passwordFile, mode: 0o600)
      try Self.put(Array(draft.configuration(jid: jid).utf8), into: draft.file, mode: mode)
    } catch {
      throw SetupFailure("the configuration cannot be written: \(error)")
    }
  }

  /// Replaces a file: a reader finds the old one or the whole new one.
  private static func put(_ bytes: [UInt8], into path: String, mode: UInt32) throws(Errno) {
    let directory = try Files.openDirectory(Paths.parent(of: path))
    let name = String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...])
    let new = ".\(name).\(ProcessEnvironment.processID)"
    let file = try Files.open(new, in: directory.raw, .createNew)
    do throws(Errno) {
      try Files.write(file.raw, bytes, at: 0)
      try Paths.setMode(file.raw, mode)
      try Files.sync(file.raw)
      try Files.rename(new, to: name, in: directory.raw)
      try Files.sync(directory.raw)
    } catch {
      try? Files.remove(new, in: directory.raw)
      throw error
    }
  }

  /// With mode 0700, as the XDG base directory specification has it.
  private static func makeDirectories(_ path: String) throws(Errno) {
    guard try Paths.status(path) == nil else { return }
    try makeDirectories(Paths.parent(of: path))
    try Files.makeDirectory(path)
  }
}
