import Clocks
import HelperProtocol
import Syscalls

/// The socket to the daemon: a request comes, events go.
final class EventSocket {
  let fd: CInt
  private var nextReport: Instant?

  /// Four reports a second.
  private static let pause = Interval.milliseconds(250)

  init(_ fd: CInt) { self.fd = fd }

  /// Waits for the request; nil if none comes, or something else.
  func readRequest() -> TransferRequest? {
    var frames = FrameReader()
    do {
      while true {
        if let message = try frames.next() { return try TransferRequest(decoding: message) }
        guard let bytes = try Descriptors.read(fd, atMost: 4096), !bytes.isEmpty else { return nil }
        frames.receive(bytes)
      }
    } catch {
      return nil
    }
  }

  /// Reports progress if it is time.
  func report(done: UInt64, total: UInt64?, now: Instant) {
    guard nextReport.map({ now >= $0 }) ?? true else { return }
    nextReport = now.advanced(by: Self.pause)
    send(.progress(done: done, total: total))
  }

  /// Sends an event, and waits until the kernel has it.
  func send(_ event: TransferEvent) {
    guard let message = Frame.encode(event.encoded) else { return }
    // A daemon that is gone needs no report.
    _ = try? Descriptors.writeAll(fd, message)
  }
}
