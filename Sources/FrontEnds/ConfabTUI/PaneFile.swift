import ConfabClient
import Syscalls
import TerminalUI

/// The conversations that are open in panes of their own, kept for the next start in `$XDG_STATE_HOME/confab/panes`.
/// A line each: its account, a tab, its JID. Errors of reading and writing are ignored.
struct PaneFile {
  private static let name = "panes"
  private static let limit = 1 << 16

  /// Nil: the user's home is unknown.
  private let folder: String?

  init(_ variables: [String: String]) {
    let state = variables["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    folder = (state ?? home.map { $0 + "/.local/state" }).map { $0 + "/confab" }
  }

  func read() -> [ConversationKey] {
    guard let folder, (try? Paths.status(folder + "/" + Self.name))??.kind == .file,
      let file = try? Files.openForReading(folder + "/" + Self.name),
      let bytes = try? Files.readAll(file.raw, limit: Self.limit)
    else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(PaneLayout.most).compactMap(Self.key)
  }

  private static func key(_ line: Substring) -> ConversationKey? {
    let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? ConversationKey(account: String(parts[0]), jid: String(parts[1])) : nil
  }

  func write(_ keys: [ConversationKey]) {
    let lines = keys.map { "\($0.account)\t\($0.jid)\n" }.joined()
    try? write(Array(lines.utf8))
  }

  /// Replaces the old file in one step.
  private func write(_ bytes: [UInt8]) throws(Errno) {
    guard let folder else { return }
    // A new home has no ~/.local yet.
    try? Files.makeDirectory(Paths.parent(of: Paths.parent(of: folder)))
    try Files.makeDirectory(Paths.parent(of: folder))
    try Files.makeDirectory(folder)
    let directory = try Files.openDirectory(folder)
    let new = "\(Self.name).\(ProcessEnvironment.processID)"
    try? Files.remove(new, in: directory.raw)
    let file = try Files.open(new, in: directory.raw, .createNew)
    try Files.write(file.raw, bytes, at: 0)
    try Files.rename(new, to: Self.name, in: directory.raw)
  }
}
