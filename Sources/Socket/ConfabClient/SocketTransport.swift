package import Syscalls

/// A blocking connection to the daemon's Unix socket. The owner is one thread.
package final class SocketTransport: LineTransport {
  private let socket: OwnedFD
  /// The user at the other end (SO_PEERCRED); nil: it is not known.
  package private(set) var owner: UInt32?
  private var buffer: [UInt8] = []
  private var head = 0
  private var scanned = 0
  private var descriptors: [PassedDescriptor] = []
  /// Watched while waiting for lines: a program in a pipe ends when its reader is gone.
  private var output: CInt?

  /// Milliseconds of the system's clock after which nothing is waited for.
  private var deadline: Int64?

  /// How long a daemon may take to greet: one that is stopped or wedged should not hang a script.
  private static let greetingMilliseconds: Int32 = 10_000
  /// Longest line taken: the largest stanza, every byte of it escaped, with room to spare.
  private static let longestLine = 16 << 20
  private static let chunk = 1 << 16

  /// Takes over a connected socket, and makes it block.
  package init(taking socket: consuming OwnedFD) throws(TransportFailure) {
    self.socket = socket
    do throws(Errno) {
      try Descriptors.setBlocking(self.socket.raw)
    } catch {
      throw TransportFailure(.noDaemon, error.description, nothingSent: true)
    }
  }

  /// Connects and waits until the daemon speaks.
  package convenience init(_ choice: SocketPath.Choice) throws(TransportFailure) {
    let path = choice.path
    try self.init(taking: try Self.connect(choice))
    if let reason = distrust(choice) { throw TransportFailure(.notAllowed, reason, nothingSent: true) }
    guard (try? Descriptors.wait(toRead: socket.raw, milliseconds: Self.greetingMilliseconds)) == .readable else {
      throw TransportFailure(.silent, "\(path): the daemon does not answer", nothingSent: true)
    }
  }

  /// Why whoever answers is not trusted; nil: it is.
  private func distrust(_ choice: SocketPath.Choice) -> String? {
    do throws(Errno) {
      let owner = try Sockets.peerCredentials(socket.raw).uid
      self.owner = owner
      return choice.distrust(of: owner)
    } catch {
      return "\(choice.path): it is not known who answers there: \(error.text)"
    }
  }

  private static func connect(_ choice: SocketPath.Choice) throws(TransportFailure) -> OwnedFD {
    do throws(Errno) {
      return try Sockets.connectUnixBlocking(path: choice.path)
    } catch {
      let kind: TransportFailure.Kind = error.isDenied ? .notAllowed : .noDaemon
      throw TransportFailure(kind, choice.failure(error), nothingSent: true)
    }
  }

  /// From now on `readLine` fails with `outputClosed` when the reader of `descriptor` is gone.
  package func endWithReader(of descriptor: CInt) {
    output = descriptor
  }

  /// Hands over whole request lines, and the descriptors of the last of them.
  package func write(_ bytes: [UInt8], passing descriptors: [PassedDescriptor] = []) throws(TransportFailure) {
    var sent = 0
    do throws(Errno) {
      if !descriptors.isEmpty { sent = try Sockets.send(socket.raw, bytes[...], passing: descriptors) ?? 0 }
      while sent < bytes.count { sent += try Sockets.send(socket.raw, bytes, from: sent) ?? 0 }
    } catch {
      throw TransportFailure(.cut, "the connection was cut: \(error.text)", nothingSent: sent < bytes.count)
    }
  }

  /// The next line, without its LF; nil at the end of input, where an unfinished line is thrown away.
  package func readLine() throws(TransportFailure) -> [UInt8]? {
    while true {
      if let end = buffer[scanned...].firstIndex(of: 0x0A) {
        let line = Array(buffer[head..<end])
        head = end + 1
        scanned = head
        return line
      }
      scanned = buffer.count
      guard try fill() else { return nil }
    }
  }

  /// The descriptor that came with the last line that was read; the daemon ends what it sends with one at that line.
  package func takeDescriptor() -> PassedDescriptor? {
    defer { descriptors = [] }
    return descriptors.last
  }

  /// Reads what there is; false at the end of input.
  private func fill() throws(TransportFailure) -> Bool {
    buffer.removeSubrange(..<head)
    scanned -= head
    head = 0
    guard buffer.count < Self.longestLine else { throw TransportFailure(.notConfab, "a line without end") }
    try waitForReader()
    do throws(Errno) {
      let bytes = try Sockets.receive(socket.raw, atMost: Self.chunk, &descriptors) ?? []
      buffer += bytes
      return !bytes.isEmpty
    } catch {
      throw TransportFailure(.cut, "the connection was cut: \(error.text)")
    }
  }

  /// Waits for something to read, until the deadline, or until the reader of our output is gone.
  private func waitForReader() throws(TransportFailure) {
    guard output != nil || deadline != nil else { return }
    let left = deadline.map { Int32(clamping: max(0, $0 - SystemClock.monotonicMilliseconds)) }
    switch try? Descriptors.wait(toRead: socket.raw, whileRead: output, milliseconds: left) {
    case .unread: throw TransportFailure(.outputClosed, "nobody reads the output")
    case .timedOut: throw TransportFailure(.silent, "the daemon does not answer")
    case .readable, nil: return
    }
  }

  package func setPatience(milliseconds: Int64) {
    deadline = SystemClock.monotonicMilliseconds + milliseconds
  }
}
