import Clocks
import Reactor
import Screen
import Syscalls
import TerminalUI

/// Drives the plain mode: lines of standard input and of the daemon in, lines of standard output out. The terminal stays as
/// it is, and edits the lines itself. A file or a pipe is a script: each of its lines waits until those before are done, and
/// its end leaves.
final class PlainLoop {
  private static let chunk = 1 << 16
  /// Milliseconds for which a paste may pause.
  private static let pastePause: Int32 = 50

  let loop: EventLoop
  private let application: PlainApplication
  private let files: InterfaceFiles
  private let streams: (input: CInt, output: CInt)
  private let isScript: Bool
  private var daemon: DaemonConnection?
  private var watch: Watch?
  private var input: TypedLines
  private var isAlwaysReadable = false
  private var hasEnded = false
  private(set) var isStopped = false
  /// Why the input cannot be read; nil if it can.
  private(set) var inputFailure: Errno?
  /// Why the output takes nothing; nil if it does.
  private(set) var outputFailure: Errno?

  init(
    _ files: InterfaceFiles, input: CInt = StandardStreams.input, output: CInt = StandardStreams.output
  ) throws(Errno) {
    self.files = files
    streams = (input, output)
    isScript = !Descriptors.isTerminal(input)
    self.input = TypedLines(isTerminal: !isScript)
    loop = try EventLoop()
    application = PlainApplication(files.environment(), now: loop.now())
  }

  /// Runs until the person leaves, the input ends or fails, or the output takes nothing.
  func run() throws(Errno) {
    try start()
    if !isStopped { try loop.run() }
    daemon?.finish()
  }

  /// Connects, and begins to read.
  func start() throws(Errno) {
    let daemon = DaemonConnection(loop: loop, path: files.socketPath) { [unowned self] in take($0) }
    self.daemon = daemon
    loop.onDeadline = { [unowned self] in dispatch(.deadline) }
    daemon.connect()
    try watchInput()
    if isScript { goOn() }
  }

  private func watchInput() throws(Errno) {
    do throws(Errno) {
      watch = try loop.watch(streams.input, for: .read) { [unowned self] _ in
        read()
        if isScript { goOn() }
      }
    } catch {
      // epoll(7) refuses files and /dev/null, which can always be read.
      guard error.isDenied else { throw error }
      isAlwaysReadable = true
    }
  }

  private func take(_ event: DaemonConnection.Event) {
    switch event {
    case .connected: break
    case .lines(let lines): dispatch(.lines(lines))
    case .disconnected(let reason): dispatch(.disconnected(reason))
    }
    if isScript { loop.deferWork { [unowned self] in goOn() } }
  }

  // MARK: The input

  private func read() {
    do throws(Errno) {
      repeat {
        guard let bytes = try Descriptors.read(streams.input, atMost: Self.chunk) else { break }
        guard !bytes.isEmpty else { return endInput() }
        input.append(bytes)
      } while try isGoingOn()
      if !isScript { takeTyped() }
    } catch {
      fail(error)
    }
  }

  /// True if a terminal has more input at once. It gives one line at a time, of a paste too, which may pause until
  /// there is room.
  private func isGoingOn() throws(Errno) -> Bool {
    guard !isScript, input.byteCount < Self.chunk else { return false }
    let pause: Int32 = input.hasSeveral ? Self.pastePause : 0
    return try Descriptors.wait(toRead: streams.input, milliseconds: pause) == .readable
  }

  private func endInput() {
    hasEnded = true
    input.end()
    guard !isScript else { return }
    takeTyped()
    stop()
  }

  private func takeTyped() {
    for event in input.nextTogether() where !isStopped { dispatch(event) }
  }

  private func fail(_ failure: Errno) {
    inputFailure = failure
    stop()
  }

  /// Takes lines of a script for as long as nothing is being done; more is read only where a line is wanted.
  private func goOn() {
    while !isStopped, !application.isBusy {
      if let event = input.next() {
        dispatch(event)
      } else if hasEnded {
        stop()
      } else if isAlwaysReadable {
        read()
      } else {
        return setWatched(true)
      }
    }
    setWatched(false)
  }

  /// A pipe that has hung up would be reported for ever.
  private func setWatched(_ isWatched: Bool) {
    if isWatched, watch == nil { do throws(Errno) { try watchInput() } catch { fail(error) } }
    if !isWatched, let watch = watch.take() { loop.unwatch(watch) }
  }

  private func dispatch(_ event: PlainEvent) {
    let (lines, actions) = application.handle(event, at: loop.now())
    loop.setDeadline(application.deadline)
    for line in lines { say(line) }
    for action in actions {
      switch action {
      case .send(let bytes): daemon?.send(bytes)
      case .pass(let request): pass(request)
      case .keep(let wanted): keep(wanted)
      case .connect: daemon?.connect()
      case .bell: write(TerminalSequences.bell)
      case .quit: stop()
      default: break
      }
    }
  }

  /// The file came with the line that is being handled.
  private func keep(_ wanted: WantedFile) {
    guard case .save(let path) = wanted.use, let file = daemon?.takeDescriptor() else { return }
    dispatch(.said(transfers.keep(file.raw, wanted, as: path)))
  }

  private var transfers: FileTransfers { FileTransfers(home: files.variable("HOME")) }

  private func pass(_ request: FileRequest) {
    do throws(FileFailure) {
      let files = try transfers.open(request.paths)
      daemon?.send(request.bytes, passing: files)
    } catch {
      dispatch(.notOpened(request.message, error.reason))
    }
  }

  /// Prints a text; text from the network is made harmless here, line by line.
  private func say(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { ShownText.line(String($0)) }
    write(lines.joined(separator: "\n  ") + "\n")
  }

  private func write(_ text: String) {
    do throws(Errno) {
      try Descriptors.writeAll(streams.output, Array(text.utf8))
    } catch {
      outputFailure = error
      stop()
    }
  }

  private func stop() {
    isStopped = true
    loop.stop()
  }
}
