import Clocks
import Glyphs
import Reactor
import Screen
import Syscalls
import TerminalUI

/// Drives the plain mode: lines of standard input and of the daemon in, lines of standard output out. The terminal stays as
/// it is, and edits the lines itself.
final class PlainLoop {
  private static let longestLine = 1 << 17

  private let loop: EventLoop
  private let application: PlainApplication
  private let files: InterfaceFiles
  private var daemon: DaemonConnection?
  private var input: [UInt8] = []
  private var isStopped = false

  init(_ files: InterfaceFiles) throws(Errno) {
    self.files = files
    loop = try EventLoop()
    application = PlainApplication(files.environment(), now: loop.now())
  }

  /// Runs until the person leaves, or the input ends; the exit status.
  func run() throws(Errno) -> Int32 {
    _ = try loop.watch(StandardStreams.input, for: .read) { [unowned self] _ in read() }
    let daemon = DaemonConnection(loop: loop, path: files.socketPath) { [unowned self] in take($0) }
    self.daemon = daemon
    daemon.connect()
    if !isStopped { try loop.run() }
    daemon.finish()
    return 0
  }

  private func take(_ event: DaemonConnection.Event) {
    switch event {
    case .connected: break
    case .line(let line): dispatch(.line(line))
    case .disconnected(let reason): dispatch(.disconnected(reason))
    }
  }

  private func read() {
    guard let bytes = try? Descriptors.read(StandardStreams.input, atMost: Self.longestLine), !bytes.isEmpty else {
      return stop()
    }
    input += bytes
    while let end = input.firstIndex(of: 0x0A) {
      let line = String(decoding: input[..<end], as: UTF8.self)
      input.removeSubrange(...end)
      dispatch(.typed(line))
    }
    if input.count > Self.longestLine { input = [] }
  }

  private func dispatch(_ event: PlainEvent) {
    let (lines, actions) = application.handle(event, at: loop.now())
    for line in lines { say(line) }
    for action in actions {
      switch action {
      case .send(let bytes): daemon?.send(bytes)
      case .connect: daemon?.connect()
      case .bell: write(TerminalSequences.bell)
      case .quit: stop()
      default: break
      }
    }
  }

  /// What came from the network is made harmless here, line by line.
  private func say(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { ShownText.line(String($0)) }
    write(lines.joined(separator: "\n  ") + "\n")
  }

  private func write(_ text: String) {
    if (try? Descriptors.writeAll(StandardStreams.output, Array(text.utf8))) == nil { stop() }
  }

  private func stop() {
    isStopped = true
    loop.stop()
  }
}
