package import Syscalls
package import Transfers

/// One run of `confab-transfer`, which moves a file over HTTP and ends; killed where this object goes before. It may have
/// been taken over by a server: all that is taken from it is events, and the file's bytes.
///
/// The owner is one thread.
package final class TransferProcess {
  /// Watch it for reading; valid as long as this object.
  package var descriptor: CInt { epoll.raw }
  private let epoll: Epoll
  private let socket: OwnedFD
  private let program: HelperProgram
  private var frames = FrameReader()
  private var isListening = true
  /// What is reported once the process is gone.
  private var end: TransferEvent?

  private static let places = ["confab-transfer", "../libexec/confab/confab-transfer"]

  /// Starts it.
  ///
  /// - Parameters:
  ///   - file: lent for this call: open for writing and empty (get), or for reading (put). The bytes are at offsets from
  ///     0, wherever its position is.
  ///   - program: its path; nil: beside this program, or where it is installed.
  package init(_ request: TransferRequest, file: CInt, program path: String? = nil) throws(Errno) {
    guard let path = path ?? Paths.beside(Self.places) else { throw .missing("confab-transfer") }
    let message = Frame.encode(request.encoded) ?? []
    let pair = try Sockets.pair()
    // The program waits in read(2).
    try Descriptors.setBlocking(pair.second.raw)
    program = try HelperProgram(path: path, socket: pair.second.raw, file: file)
    socket = pair.split { ours, _ in ours }
    guard try Sockets.send(socket.raw, message) == message.count else { throw .tooLong("confab-transfer") }
    epoll = try Epoll(capacity: 2)
    try epoll.add(socket.raw, for: .read, tag: 0)
    try epoll.add(program.exit, for: .read, tag: 1)
  }

  /// The events that have come; call it when `descriptor` is readable. The last one of all is `done` or `failed`, once,
  /// when the process is gone: nothing is to be watched any more then.
  package func receive() -> [TransferEvent] {
    var events: [TransferEvent] = []
    while isListening, let bytes = read() {
      if bytes.isEmpty { stopListening() } else { take(bytes, &events) }
    }
    guard let termination = program.reap() else { return events }
    // What it wrote last came before its end.
    while isListening, let bytes = read(), !bytes.isEmpty { take(bytes, &events) }
    stopListening()
    return events + [end ?? .failed(TransferFailure(.program, "confab-transfer ended early (\(termination.words))"))]
  }

  /// Nil if there is nothing now.
  private func read() -> [UInt8]? {
    do throws(Errno) { return try Descriptors.read(socket.raw, atMost: 4096) } catch { return [] }
  }

  private func take(_ bytes: [UInt8], _ events: inout [TransferEvent]) {
    frames.receive(bytes)
    do {
      while end == nil, let message = try frames.next() {
        let event = try TransferEvent(decoding: message)
        if event.isEnd { end = event } else { events.append(event) }
      }
    } catch {
      end = .failed(TransferFailure(.program, "confab-transfer sent something else than events"))
    }
    if end != nil { stopListening() }
  }

  /// Nothing more is expected of it but its end.
  private func stopListening() {
    guard isListening else { return }
    isListening = false
    try? epoll.remove(socket.raw)
    program.kill()
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
