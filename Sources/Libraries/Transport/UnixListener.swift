import Clocks
package import Reactor
package import Syscalls

/// The daemon's socket for front ends (docs/PROTOCOL.md, "Connection").
///
/// Owned by the runtime. `onConnection` is called from the loop; who wants the connection keeps it.
package final class UnixListener {
  /// The path that is served; nil for a socket that systemd passed.
  package var path: String? { place?.path }

  /// True if clients can find the socket at its path; a socket passed by systemd is its unit's matter.
  package var isInPlace: Bool { place?.isThere ?? true }

  private let loop: EventLoop
  private let onConnection: (UnixConnection) -> Void
  /// The line for a client for which no descriptor is left.
  private let turnedAwayLine: [UInt8]
  private var fd: OwnedFD?
  private var watch: Watch?
  private var place: SocketLocation?
  /// Given up for a moment when the process has no other descriptor left, to turn a client away instead of spinning.
  private var reserve: OwnedFD?
  private var pause: TimerID?

  /// Connections taken for one wake-up; the rest follow in the next turn.
  private static let batch = 16
  /// The pause in accepting when no descriptor is left even to reject a connection.
  private static let pauseLength = Interval.seconds(1)

  /// Serves a new socket at an absolute path: its directory is made where it is missing, and refused where others can
  /// write to it; a stale socket file is replaced.
  package init(
    loop: EventLoop, path: String, modes: SocketModes = SocketModes(), turnedAwayLine: [UInt8] = [],
    onConnection: @escaping (UnixConnection) -> Void
  ) throws(UnixListenerError) {
    self.loop = loop
    self.turnedAwayLine = turnedAwayLine
    self.onConnection = onConnection
    do throws(Errno) {
      fd = try Sockets.unixStream()
    } catch {
      throw .system(error)
    }
    place = try SocketLocation(binding: fd?.raw ?? -1, path: path, modes)
    try start()
  }

  /// Serves a listening socket that was passed to us (`SocketActivation`); its file and modes stay its unit's.
  package init(
    loop: EventLoop, adopting fd: consuming OwnedFD, turnedAwayLine: [UInt8] = [],
    onConnection: @escaping (UnixConnection) -> Void
  ) throws(UnixListenerError) {
    self.loop = loop
    self.turnedAwayLine = turnedAwayLine
    self.onConnection = onConnection
    self.fd = consume fd
    try start()
  }

  deinit { close() }

  /// Stops accepting and removes the socket's file if it is still ours. Connections continue.
  package func close() {
    if let watch = watch.take() { loop.unwatch(watch) }
    if let pause = pause.take() { loop.cancelTimer(pause) }
    fd = nil
    place.take()?.remove()
  }

  /// Gives what it made other modes; a socket that was passed keeps its own.
  package func update(_ modes: SocketModes) throws(UnixListenerError) { try place?.update(modes) }

  private func start() throws(UnixListenerError) {
    do throws(Errno) {
      let raw = fd?.raw ?? -1
      reserve = try Descriptors.duplicate(raw)
      watch = try loop.watch(raw, for: .read) { [unowned self] _ in acceptSome() }
    } catch {
      close()
      throw .system(error)
    }
  }

  private func acceptSome() {
    for _ in 0..<UnixListener.batch {
      guard let raw = fd?.raw, watch != nil else { return }
      do throws(Errno) {
        let accepted = try Sockets.accept(raw)
        guard let accepted else { return }
        onConnection(try UnixConnection(taking: accepted, loop: loop))
      } catch {
        if error.isOutOfDescriptors { return turnAway(raw) }
        return pauseAccepting()
      }
    }
  }

  /// Closes the client that waits, by means of the reserve, so that it learns at once and we do not wake for it again.
  private func turnAway(_ raw: CInt) {
    reserve = nil
    if let client = try? Sockets.accept(raw) { _ = try? Sockets.send(client.raw, turnedAwayLine) }
    reserve = try? Descriptors.duplicate(raw)
    if reserve == nil { pauseAccepting() }
  }

  private func pauseAccepting() {
    guard let watch else { return }
    try? loop.setInterest(watch, [])
    pause = loop.startTimer(after: UnixListener.pauseLength) { [weak self] in self?.resumeAccepting() }
  }

  private func resumeAccepting() {
    guard let watch, let raw = fd?.raw else { return }
    if reserve == nil { reserve = try? Descriptors.duplicate(raw) }
    try? loop.setInterest(watch, .read)
  }
}
