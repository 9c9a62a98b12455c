import Reactor
import ConfabConfiguration
import Syscalls
import Transport

/// The sockets that are served: those that systemd passed, and those that we make.
final class Listeners {
  /// A socket with what is wanted of it.
  private final class Entry {
    let listener: UnixListener
    var settings: SocketSettings

    init(_ listener: UnixListener, _ settings: SocketSettings) {
      self.listener = listener
      self.settings = settings
    }
  }

  /// Is called when a client connects to the socket with these settings. Set it before the loop turns.
  var onConnection: (UnixConnection, SocketSettings) -> Void = { _, _ in }

  private let loop: EventLoop
  private let journal: Journal
  /// The line for a client for which no descriptor is left.
  private let turnedAwayLine: [UInt8]
  private var entries: [Entry] = []

  init(loop: EventLoop, journal: Journal, turnedAwayLine: [UInt8]) {
    self.loop = loop
    self.journal = journal
    self.turnedAwayLine = turnedAwayLine
  }

  /// Takes a listening socket that was passed to us; it stays as long as settings of its name are served.
  func adopt(_ descriptor: consuming OwnedFD, _ settings: SocketSettings) throws(UnixListenerError) {
    let handler = Handler()
    let listener = try UnixListener(
      loop: loop, adopting: descriptor, turnedAwayLine: turnedAwayLine, onConnection: handler.take)
    keep(listener, settings, handler)
  }

  /// Serves these sockets and no others: makes new ones, closes dropped ones, sets the modes of the others, and makes
  /// sockets again that were removed from their paths. If one cannot be made, all stay as they were.
  ///
  /// - Parameter wanted: each with a path.
  func serve(_ wanted: [SocketSettings]) throws(UnixListenerError) {
    var kept: [(entry: Entry, settings: SocketSettings)] = []
    var missing: [SocketSettings] = []
    for settings in wanted {
      let own = entries.filter { isServing($0, settings, among: wanted) }
      if own.isEmpty { missing.append(settings) }
      kept += own.map { ($0, settings) }
    }
    let before = entries.count
    do throws(UnixListenerError) {
      // The main one last: a client that can connect to it can connect to the others.
      for settings in missing.reversed() { try open(settings, among: wanted) }
      for (entry, settings) in kept { try entry.listener.update(modes(settings: settings, among: wanted)) }
    } catch {
      for entry in entries[before...] { entry.listener.close() }
      entries.removeSubrange(before...)
      throw error
    }
    for entry in entries[..<before] where !kept.contains(where: { $0.entry === entry }) { entry.listener.close() }
    for (entry, settings) in kept { entry.settings = settings }
    entries = kept.map(\.entry) + entries[before...]
    for entry in entries where entry.listener.path != nil { warnIfClosed(entry.settings) }
  }

  /// An existing directory keeps its mode, even if users of the socket cannot enter it.
  private func warnIfClosed(_ settings: SocketSettings) {
    let needed: UInt32 = settings.access.users.isEmpty ? 0o011 : 0o001
    let directory = Paths.parent(of: settings.path ?? "")
    guard !settings.access.isOwnersAlone, let status = try? Paths.status(directory), status.mode & needed == 0 else {
      return
    }
    journal.write(
      .warning,
      "others may use \(settings.path ?? "") but cannot reach it: \(directory) has mode \(String(status.mode, radix: 8))"
    )
  }

  /// Stops accepting connections.
  func close() {
    for entry in entries { entry.listener.close() }
  }

  /// A socket that was passed is known by its name, one of ours by its path, be its section called otherwise now.
  private func isServing(_ entry: Entry, _ settings: SocketSettings, among wanted: [SocketSettings]) -> Bool {
    let isSameName = entry.settings.name == settings.name
    guard let path = entry.listener.path else { return isSameName }
    guard path == settings.path, entry.listener.isInPlace else { return false }
    return isSameName || !wanted.contains { $0.name == entry.settings.name && $0.path == path }
  }

  private func open(_ settings: SocketSettings, among wanted: [SocketSettings]) throws(UnixListenerError) {
    let handler = Handler()
    let listener = try UnixListener(
      loop: loop, path: settings.path ?? "", modes: modes(settings: settings, among: wanted),
      turnedAwayLine: turnedAwayLine, onConnection: handler.take)
    keep(listener, settings, handler)
  }

  private func keep(_ listener: UnixListener, _ settings: SocketSettings, _ handler: Handler) {
    let entry = Entry(listener, settings)
    handler.onConnection = { [unowned self, unowned entry] in onConnection($0, entry.settings) }
    entries.append(entry)
  }

  /// A directory that holds several sockets is as open as the most open of them.
  private func modes(settings: SocketSettings, among wanted: [SocketSettings]) -> SocketModes {
    let directory = Paths.parent(of: settings.path ?? "")
    let neighbours = wanted.filter { $0.path.map(Paths.parent) == directory }
    let common = SocketAccess.directory(of: neighbours.map(\.access))
    return SocketModes(
      socket: settings.access.socketMode, directory: common.mode, socketGroup: settings.access.owningGroup,
      directoryGroup: common.group)
  }

  /// The receiver of a listener's connections; the listener exists before its entry.
  private final class Handler {
    var onConnection: (UnixConnection) -> Void = { _ in }

    func take(_ connection: UnixConnection) { onConnection(connection) }
  }
}
