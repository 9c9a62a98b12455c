import Syscalls

/// Puts the password and the configuration on the disk, each at once or not at all. Changes that others made to the
/// configuration during the questions are kept.
struct ConfigurationWriter {
  let draft: AccountDraft

  func write(jid: String, password: [UInt8]) throws(SetupFailure) {
    let folder = try ownFolder()
    let configuration = try draft.inPresentFile().configuration(jid: jid)
    do throws(Errno) {
      let mode = try Paths.status(draft.file)?.mode ?? 0o600
      try Self.put(password + [0x0A], into: Paths.name(of: draft.passwordFile), in: folder.raw, mode: 0o600)
      try Self.put(Array(configuration.utf8), into: Paths.name(of: draft.file), in: folder.raw, mode: mode)
    } catch {
      throw Self.failure(error)
    }
  }

  /// The configuration's folder, in which no other setup writes until it is closed.
  private func ownFolder() throws(SetupFailure) -> FileLock {
    let path = Paths.parent(of: draft.file)
    do throws(Errno) {
      try Self.makeDirectories(path)
      if let folder = try FileLock.take(Files.openDirectory(path)) { return folder }
    } catch {
      throw Self.failure(error)
    }
    throw SetupFailure("another 'confab setup' writes in \(path); nothing was written, so try it again")
  }

  private static func failure(_ error: Errno) -> SetupFailure {
    SetupFailure("the configuration cannot be written: \(error)")
  }

  /// Replaces a file: a reader finds the old one or the whole new one. Removes the leftovers of a killed setup.
  private static func put(_ bytes: [UInt8], into name: String, in folder: CInt, mode: UInt32) throws(Errno) {
    let new = ".\(name).new"
    try? Files.remove(new, in: folder)
    let file = try Files.open(new, in: folder, .createNew)
    do throws(Errno) {
      try Files.write(file.raw, bytes, at: 0)
      try Paths.setMode(file.raw, mode)
      try Files.sync(file.raw)
      try Files.rename(new, to: name, in: folder)
      try Files.sync(folder)
    } catch {
      try? Files.remove(new, in: folder)
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
