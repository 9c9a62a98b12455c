import Clocks
import ConfabAccounts
import ConfabConfiguration
import Syscalls

/// The daemon's journal: one line an event. If standard error is a stream of journald's, the line goes there with its
/// fields; else, or if that fails, to standard error in the form that journald reads (`<6>…`, sd-daemon(3)), with a
/// time stamp of its own if no reader adds one.
final class Journal {
  var level: LogLevel
  private let socket: JournalSocket?
  private let descriptor: CInt
  private let now: () -> Timestamp

  /// - Parameters:
  ///   - descriptor: standard error, or what stands for it; lent.
  ///   - path: of journald's socket.
  init(
    level: LogLevel, environment: [String: String], descriptor: CInt = 2, path: String = JournalSocket.path,
    now: @escaping () -> Timestamp
  ) {
    self.level = level
    self.descriptor = descriptor
    self.now = now
    socket = JournalSocket(environment: environment, descriptor: descriptor, path: path)
  }

  /// Writes a line, if its level is wanted. Text from outside cannot break it: controls are shown as `?`.
  func write(_ level: LogLevel, _ line: String, _ fields: JournalFields = JournalFields()) {
    guard level <= self.level else { return }
    if let socket, socket.send(level, line, fields) { return }
    let stamp = socket == nil ? now().rfc3339 + " " : ""
    // A failed standard error cannot be reported.
    try? Descriptors.writeAll(descriptor, Array("<\(level.rawValue)>\(stamp)\(PlainLine.of(line))\n".utf8))
  }
}
