import CLinux
import Glibc

/// A command line that `/bin/sh -c` runs beside this process, in the same process group, so that a terminal's interrupt
/// ends both; its standard error is ours. It is killed where this object goes before it has ended.
///
/// The owner is one thread.
package final class ChildProgram {
  /// The result of `readLine`.
  package enum Output: Equatable, Sendable {
    /// Without its LF, and only so many bytes of a long one.
    case line([UInt8])
    /// It closed its output: most often it has ended.
    case end
    case timedOut
  }

  /// Longest line that is taken whole.
  private static let longestLine = 64 << 10

  private let output: OwnedFD
  /// The source of its input; nil if it has none.
  private let input: Input?
  /// Readable once it has ended. pidfd_open(2)
  private let exit: OwnedFD
  private let process: pid_t
  private var pending: [UInt8] = []
  private var hasEnded = false

  /// A pipe. Its reading end is opened once more by the child, by its name in /proc, and stays open here, so that a write
  /// never finds nobody.
  private final class Input {
    let pipe: Descriptors.Pair
    init() throws(Errno) { pipe = try Descriptors.pipe() }
    var redirection: String { " </proc/\(getpid())/fd/\(pipe.first.raw)" }
  }

  /// Starts it. posix_spawn(3)
  ///
  /// - Parameter isWrittenTo: it has a standard input: a simple command.
  package init(_ command: String, isWrittenTo: Bool = false) throws(Errno) {
    input = isWrittenTo ? try Input() : nil
    let command = command + (input?.redirection ?? "")
    let pipe = try Descriptors.pipe()
    output = try Descriptors.duplicate(pipe.first.raw)
    try Descriptors.setBlocking(pipe.second.raw)
    var started: pid_t = 0
    try systemCall("posix_spawn", object: "/bin/sh") {
      unsafe clinux_spawn_shell(command, pipe.second.raw, StandardStreams.error, 0, &started)
    }
    do throws(Errno) {
      exit = OwnedFD(taking: try systemCall("pidfd_open") { clinux_pidfd_open(started) })
    } catch {
      _ = Glibc.kill(started, SIGKILL)
      _ = waitpid(started, nil, 0)
      throw error
    }
    process = started
  }

  deinit {
    guard !hasEnded else { return }
    kill(SIGKILL)
    _ = reap()
  }

  /// The next line of its standard output.
  package func readLine(milliseconds: Int64) throws(Errno) -> Output {
    let deadline = SystemClock.monotonicMilliseconds + milliseconds
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        defer { pending.removeSubrange(...end) }
        return .line(Array(pending[..<end]))
      }
      guard pending.count < Self.longestLine else {
        defer { pending = [] }
        return .line(pending)
      }
      let left = CInt(clamping: deadline - SystemClock.monotonicMilliseconds)
      guard left > 0, try Descriptors.wait(toRead: output.raw, milliseconds: left) == .readable else {
        return .timedOut
      }
      guard let bytes = try Descriptors.read(output.raw, atMost: 4096) else { continue }
      if bytes.isEmpty { return .end }
      pending += bytes
    }
  }

  /// Writes to its standard input: no more than a pipe takes before it is read.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    if let input { try Descriptors.writeAll(input.pipe.second.raw, bytes) }
  }

  /// Asks it to end, as Ctrl-C does. kill(2)
  package func interrupt() { kill(SIGINT) }

  /// Waits for its end, and kills it if it takes longer. waitpid(2)
  package func end(within milliseconds: Int64) throws(Errno) -> ShellCommand.Termination {
    if try Descriptors.wait(toRead: exit.raw, milliseconds: CInt(clamping: milliseconds)) == .timedOut {
      kill(SIGKILL)
      _ = reap()
      return .tookTooLong
    }
    return ShellCommand.Termination(waitStatus: reap())
  }

  /// True if the program has ended.
  package var isOver: Bool {
    hasEnded || (try? Descriptors.wait(toRead: exit.raw, milliseconds: 0)) == .readable
  }

  private func kill(_ signal: CInt) {
    // Until it is reaped, its number is not used again.
    if !hasEnded { _ = Glibc.kill(process, signal) }
  }

  private func reap() -> CInt {
    guard !hasEnded else { return 0 }
    var status: CInt = 0
    _ = try? systemCall("waitpid") { unsafe waitpid(process, &status, 0) }
    hasEnded = true
    return status
  }
}
