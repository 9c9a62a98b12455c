import Syscalls

/// A helper program that runs, and what it says. It may have been taken over by what it works on: its messages are bounded,
/// and it is killed when no more of them are wanted.
///
/// The owner is one thread.
final class HelperChannel {
  enum Report: Equatable {
    case message([UInt8])
    /// It sent something else than messages.
    case nonsense
    /// It is gone; in words.
    case ended(String)
  }

  /// Readable once there is something to receive; valid as long as this object.
  var descriptor: CInt { epoll.raw }
  private let epoll: Epoll
  private let socket: OwnedFD
  private let program: HelperProgram
  private var frames: FrameReader
  private var isListening = true

  /// Starts a program and sends it its request.
  ///
  /// - Parameters:
  ///   - name: of the program, which is beside this one, or installed.
  ///   - path: of the program, if it is neither.
  ///   - file: lent for this call.
  ///   - limit: bytes of its longest message.
  init(_ name: String, path: String?, request: [UInt8], file: CInt, limit: Int) throws(Errno) {
    guard let path = path ?? Paths.beside([name, "../libexec/confab/" + name]) else { throw .missing(name) }
    frames = FrameReader(limit: limit)
    let message = Frame.encode(request) ?? []
    let pair = try Sockets.pair()
    // The program waits in read(2).
    try Descriptors.setBlocking(pair.second.raw)
    // Before the program runs, which may end without reading it.
    guard try Sockets.send(pair.first.raw, message) == message.count else { throw .tooLong(name) }
    program = try HelperProgram(path: path, socket: pair.second.raw, file: file)
    socket = pair.split { ours, _ in ours }
    epoll = try Epoll(capacity: 2)
    try epoll.add(socket.raw, for: .read, tag: 0)
    try epoll.add(program.exit, for: .read, tag: 1)
  }

  /// Reports that have come since; `ended` is the last report of all.
  func receive() -> [Report] {
    var reports = listen()
    guard let termination = program.reap() else { return reports }
    // Its last words came before its end.
    reports += listen()
    stop()
    return reports + [.ended(termination.words)]
  }

  /// Nothing more is expected of it but its end.
  func stop() {
    guard isListening else { return }
    isListening = false
    try? epoll.remove(socket.raw)
    program.kill()
  }

  private func listen() -> [Report] {
    var reports: [Report] = []
    while isListening, let bytes = read() {
      guard !bytes.isEmpty else {
        stop()
        break
      }
      frames.receive(bytes)
      do throws(FrameError) {
        while let message = try frames.next() { reports.append(.message(message)) }
      } catch {
        stop()
        return reports + [.nonsense]
      }
    }
    return reports
  }

  /// Nil if there is nothing now.
  private func read() -> [UInt8]? {
    do throws(Errno) { return try Descriptors.read(socket.raw, atMost: 65_536) } catch { return [] }
  }
}

extension ShellCommand.Termination {
  fileprivate var words: String {
    switch self {
    case .exited(let status): "status \(status)"
    case .killed(let signal): "signal \(signal)"
    case .tookTooLong, .wroteTooMuch: "killed"
    }
  }
}
