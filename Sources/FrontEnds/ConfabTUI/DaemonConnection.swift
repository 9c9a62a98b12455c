import Clocks
import ConfabClient
import Reactor
import Syscalls

/// The connection to the daemon's socket: lines in, bytes out, without waiting; made again with growing pauses.
///
/// The owner is the loop's thread.
final class DaemonConnection {
  enum Event {
    case connected
    /// Lines that came together, without their LFs.
    case lines([[UInt8]])
    case disconnected(String)
  }

  /// Milliseconds before each attempt after a cut; the last one goes on.
  private static let pauses: [Int64] = [100, 200, 500, 1000, 2000, 5000, 10_000]
  private static let chunk = 1 << 16
  /// The largest stanza, every byte of it escaped, with room to spare.
  private static let longestLine = 16 << 20

  private let loop: EventLoop
  private var address: DaemonAddress
  private let handler: (Event) -> Void
  private var socket: OwnedFD?
  private var watch: Watch?
  private var timer: TimerID?
  private var attempts = 0
  private var input: [UInt8] = []
  private var scanned = 0
  private var output: [Part] = []
  private var descriptors: [PassedDescriptor] = []

  /// Bytes that wait to be sent, and the descriptors that go with the first of them.
  private struct Part {
    var bytes: ArraySlice<UInt8>
    var descriptors: [PassedDescriptor]
  }

  /// - Parameter path: where the socket is; asked before each attempt until a daemon has answered.
  init(loop: EventLoop, path: @escaping () -> SocketPath.Choice, handler: @escaping (Event) -> Void) {
    (self.loop, address, self.handler) = (loop, DaemonAddress(path), handler)
  }

  /// Connects now, unless it is connected.
  func connect() {
    guard socket == nil else { return }
    if let timer = timer.take() { loop.cancelTimer(timer) }
    let choice = address.choice
    do throws(Errno) {
      let made = try Sockets.connectUnix(path: choice.path)
      let owner = try Sockets.peerCredentials(made.raw).uid
      if let reason = choice.distrust(of: owner) { return retry(reason) }
      address.keep(choice, owner: owner)
      watch = try loop.watch(made.raw, for: .read) { [unowned self] in ready($0) }
      socket = consume made
    } catch {
      return retry(choice.failure(error))
    }
    handler(.connected)
  }

  /// Sends bytes as soon as the daemon takes them; without a connection they are dropped, as the model asks anew.
  ///
  /// - Parameter descriptors: go with these bytes, which are one line.
  func send(_ bytes: [UInt8], passing descriptors: [PassedDescriptor] = []) {
    guard socket != nil else { return }
    output.append(Part(bytes: bytes[...], descriptors: descriptors))
    flush()
  }

  /// The descriptor that came with the line that is being handled.
  func takeDescriptor() -> PassedDescriptor? {
    defer { descriptors = [] }
    return descriptors.last
  }

  /// Waits until everything is sent, for as long as a person does not notice.
  func finish() {
    guard let raw = socket?.raw, !output.isEmpty else { return }
    _ = try? Descriptors.wait(toWrite: raw, milliseconds: 300)
    flush()
  }

  private func ready(_ readiness: Epoll.Readiness) {
    if readiness.contains(.write) { flush() }
    if readiness.isWorthReading { read() }
  }

  private func flush() {
    guard let raw = socket?.raw, !output.isEmpty else { return }
    do throws(Errno) {
      while let part = output.first, let count = try Sockets.send(raw, part.bytes, passing: part.descriptors) {
        output[0].bytes.removeFirst(count)
        output[0].descriptors = []
        if output[0].bytes.isEmpty { output.removeFirst() }
      }
      if let watch { try loop.setInterest(watch, output.isEmpty ? .read : [.read, .write]) }
    } catch {
      cut("the connection was cut: \(error.text)")
    }
  }

  /// One chunk, so that keys have their turn in between.
  private func read() {
    guard let raw = socket?.raw else { return }
    do throws(Errno) {
      guard let bytes = try Sockets.receive(raw, atMost: Self.chunk, &descriptors) else { return }
      if bytes.isEmpty { return cut("the daemon closed the connection") }
      input += bytes
    } catch {
      return cut("the connection was cut: \(error.text)")
    }
    takeLines()
    // One that nobody took: the daemon ends what it sends with a descriptor at its line.
    if input.isEmpty { descriptors = [] }
    if input.count > Self.longestLine { cut("the daemon sends a line without end") }
  }

  private func takeLines() {
    var lines: [[UInt8]] = []
    var head = 0
    while let end = input[scanned...].firstIndex(of: 0x0A) {
      lines.append(Array(input[head..<end]))
      (head, scanned) = (end + 1, end + 1)
    }
    input.removeSubrange(..<head)
    scanned = input.count
    guard !lines.isEmpty else { return }
    attempts = 0
    handler(.lines(lines))
  }

  private func cut(_ reason: String) {
    if let watch = watch.take() { loop.unwatch(watch) }
    socket = nil
    (input, scanned, output, descriptors) = ([], 0, [], [])
    retry(reason)
  }

  private func retry(_ reason: String) {
    let pause = Self.pauses[min(attempts, Self.pauses.count - 1)]
    attempts += 1
    timer = loop.startTimer(after: Interval(milliseconds: pause)) { [unowned self] in
      timer = nil
      connect()
    }
    handler(.disconnected(reason))
  }
}
