import Screen
import Syscalls

/// The terminal as a descriptor: bytes in, bytes out, without waiting. The owner is one thread.
final class TerminalConnection {
  /// The result of reading.
  enum Input: Equatable {
    case bytes([UInt8])
    case nothing
    /// The terminal has gone away.
    case end
  }

  private static let chunk = 1 << 16

  private let descriptor: OwnedFD
  private var pending: [UInt8] = []
  private var sent = 0

  /// Opens the terminal of this process. open(2)
  init() throws(Errno) {
    descriptor = try TerminalControl.open(fallback: StandardStreams.output)
  }

  init(taking descriptor: consuming OwnedFD) {
    self.descriptor = descriptor
  }

  var fd: CInt { descriptor.raw }

  /// Columns and lines now; 80 by 24 where the terminal does not say.
  var size: (columns: Int, lines: Int) { TerminalControl.size(fd) ?? (80, 24) }

  /// A cell in pixels; nil where the terminal does not say.
  var cellSize: Capabilities.CellSize? {
    TerminalControl.cellSize(fd).flatMap { Capabilities.CellSize(plausible: $0.width, $0.height) }
  }

  func read() -> Input {
    do throws(Errno) {
      guard let bytes = try Descriptors.read(fd, atMost: Self.chunk) else { return .nothing }
      return bytes.isEmpty ? .end : .bytes(bytes)
    } catch {
      return .end
    }
  }

  /// Some of what was to be written is not taken by the terminal yet.
  var hasPending: Bool { sent < pending.count }

  /// Adds to what is to be written.
  func append(_ bytes: [UInt8]) {
    if !hasPending {
      pending = bytes
      sent = 0
    } else {
      pending += bytes
    }
  }

  /// Writes what the terminal takes; false if it has gone away.
  func flush() -> Bool {
    do throws(Errno) {
      while hasPending {
        guard let taken = try Descriptors.write(fd, pending, from: sent) else { return true }
        sent += taken
      }
      pending = []
      sent = 0
      return true
    } catch {
      return false
    }
  }

  /// Forgets what the terminal has not taken: it is given back.
  func dropPending() {
    pending = []
    sent = 0
  }

  /// Reads and throws away what comes, for `milliseconds` at most, or until `isEnough` says so of what came.
  func drain(milliseconds: Int32, until isEnough: ([UInt8]) -> Bool) {
    let deadline = SystemClock.monotonicMilliseconds + Int64(milliseconds)
    while true {
      let left = Int32(clamping: deadline - SystemClock.monotonicMilliseconds)
      guard left > 0, (try? Descriptors.wait(toRead: fd, milliseconds: left)) == .readable else { return }
      guard case .bytes(let bytes) = read(), !isEnough(bytes) else { return }
    }
  }
}
