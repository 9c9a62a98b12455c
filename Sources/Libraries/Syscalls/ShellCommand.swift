import CLinux
import Glibc
import Synchronization

/// One run of a command line by `/bin/sh -c`, in a process group of its own, with this process's environment and an
/// empty standard input, or confined.
///
/// `run` blocks the thread that calls it, once; `kill` may be called by any other.
package final class ShellCommand: Sendable {
  /// How much it may take.
  package struct Limits: Sendable {
    /// Milliseconds from its start.
    package var time: Int64
    /// Bytes of its output that are kept, the first ones; what comes behind them is read and dropped.
    package var output: Int
    /// Bytes of output and complaints in all; one that writes more is killed.
    package var total = 1 << 20

    package init(time: Int64, output: Int) {
      (self.time, self.output) = (time, output)
    }
  }

  /// The surroundings of a confined command. It has a session of its own and no further descriptor, and ends with this process.
  /// All of its group that is left when it ends is killed.
  package struct Confined: Sendable {
    package var input: [UInt8]
    /// `NAME=value` each.
    package var environment: [String]
    package var directory: String
    /// Bytes of memory of each process.
    package var memory: UInt64

    package init(input: [UInt8], environment: [String], directory: String, memory: UInt64) {
      (self.input, self.environment, self.directory, self.memory) = (input, environment, directory, memory)
    }
  }

  package enum Termination: Equatable, Sendable {
    case exited(CInt)
    /// By a signal that came from elsewhere, or from `kill`.
    case killed(signal: CInt)
    /// Killed with its group for having taken too long, or written too much.
    case tookTooLong
    case wroteTooMuch
  }

  /// The result of a command.
  package struct Finished: Sendable {
    package var termination: Termination
    /// The beginning of what it wrote to standard output; the caller's to wipe, there is no other copy.
    package var output: [UInt8]
    /// The end of what it wrote to standard error.
    package var errorOutput: [UInt8]
  }

  private let text: String
  private let limits: Limits
  private let confined: Confined?
  private struct Process {
    /// Until it is reaped: so long its number is not used again.
    var leader: pid_t?
    var isKilled = false
  }

  private let process = Mutex(Process())

  /// - Parameter confined: nil: the command has what this process has.
  package init(_ text: String, limits: Limits, confined: Confined? = nil) {
    (self.text, self.limits, self.confined) = (text, limits, confined)
  }

  /// Starts it and waits for its end. Its background processes are not waited for.
  package func run() throws(Errno) -> Finished {
    let deadline = SystemClock.monotonicMilliseconds + limits.time
    let child = try start()
    var output = CollectedOutput(child.output.raw, keeping: limits.output, .first)
    var errorOutput = CollectedOutput(child.errorOutput.raw, keeping: 4096, .last)
    let termination: Termination?
    do throws(Errno) {
      termination = try follow(child.exit.raw, &output, &errorOutput, until: deadline)
    } catch {
      reap(killing: true)
      throw error
    }
    let status = reap(killing: termination != nil || confined != nil)
    return Finished(
      termination: termination ?? Termination(waitStatus: status), output: output.kept, errorOutput: errorOutput.kept)
  }

  /// Kills it with its group if it runs; if it was not started yet, it is not any more.
  package func kill() {
    process.withLock {
      $0.isKilled = true
      if let leader = $0.leader { Glibc.kill(-leader, SIGKILL) }
    }
  }

  /// A word as the shell takes it for itself, whatever is in it.
  package static func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }
}

extension ShellCommand {
  /// The pipes of a running command.
  private struct Child: ~Copyable {
    let output: OwnedFD
    let errorOutput: OwnedFD
    /// Readable once it has ended. pidfd_open(2)
    let exit: OwnedFD
  }

  private func start() throws(Errno) -> Child {
    let output = try Descriptors.pipe()
    let errorOutput = try Descriptors.pipe()
    try Descriptors.setBlocking(output.second.raw)
    try Descriptors.setBlocking(errorOutput.second.raw)
    // Locked meanwhile: a `kill` that comes when it has begun to run finds it.
    let leader = try process.withLock { process throws(Errno) in
      guard !process.isKilled else { throw Errno(ECANCELED, "posix_spawn", object: "/bin/sh") }
      let leader = try spawn(output.second.raw, errorOutput.second.raw)
      process.leader = leader
      return leader
    }
    do throws(Errno) {
      let exit = OwnedFD(taking: try systemCall("pidfd_open") { clinux_pidfd_open(leader) })
      return Child(output: output.first, errorOutput: errorOutput.first, exit: exit)
    } catch {
      reap(killing: true)
      throw error
    }
  }

  private func spawn(_ output: CInt, _ errorOutput: CInt) throws(Errno) -> pid_t {
    if let confined { return try confined.spawn(text, output, errorOutput) }
    var leader: pid_t = 0
    try systemCall("posix_spawn", object: "/bin/sh") {
      unsafe clinux_spawn_shell(text, output, errorOutput, 1, &leader)
    }
    return leader
  }

  /// Collects what it writes until it has ended; not nil: it must be ended.
  private func follow(
    _ exit: CInt, _ output: inout CollectedOutput, _ errorOutput: inout CollectedOutput, until deadline: Int64
  ) throws(Errno) -> Termination? {
    while true {
      let left = deadline - SystemClock.monotonicMilliseconds
      let hasEnded = try Self.wait(for: [exit, output.descriptor, errorOutput.descriptor], milliseconds: left)
      try output.read()
      try errorOutput.read()
      if output.total + errorOutput.total > limits.total { return .wroteTooMuch }
      if hasEnded { return nil }
      if left <= 0 { return .tookTooLong }
    }
  }

  /// Waits until one of the descriptors can be read; whether the first one can. poll(2)
  private static func wait(for descriptors: [CInt?], milliseconds: Int64) throws(Errno) -> Bool {
    var polled = descriptors.map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
    let timeout = CInt(clamping: max(0, milliseconds))
    try systemCall("poll") { unsafe poll(&polled, nfds_t(polled.count), timeout) }
    return polled.first?.revents != 0
  }

  /// Takes its exit status, of a process that has ended or is made to. waitpid(2)
  @discardableResult
  private func reap(killing: Bool) -> CInt {
    process.withLock { process in
      guard let leader = process.leader else { return 0 }
      if killing { Glibc.kill(-leader, SIGKILL) }
      var status: CInt = 0
      _ = try? systemCall("waitpid") { unsafe waitpid(leader, &status, 0) }
      process.leader = nil
      return status
    }
  }
}

extension ShellCommand.Termination {
  init(waitStatus: CInt) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .killed(signal: signal)
  }
}

/// The output of a pipe, up to a limit.
private struct CollectedOutput {
  /// The bytes that are kept if there are more.
  enum Part { case first, last }

  /// Nil after the end of input.
  private(set) var descriptor: CInt?
  private(set) var kept: [UInt8] = []
  /// Bytes that came in all.
  private(set) var total = 0
  private let limit: Int
  private let part: Part

  init(_ descriptor: CInt, keeping limit: Int, _ part: Part) {
    (self.descriptor, self.limit, self.part) = (descriptor, limit, part)
    // Nothing is moved, so nothing is left behind.
    kept.reserveCapacity(limit)
  }

  /// Takes what is there, at most as much as a pipe holds.
  mutating func read() throws(Errno) {
    for _ in 0..<16 {
      guard let fd = descriptor, try readSome(fd) else { return }
    }
  }

  private mutating func readSome(_ fd: CInt) throws(Errno) -> Bool {
    try unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer throws(Errno) in
      defer { if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) } }
      guard let count = try unsafe Descriptors.read(fd, into: buffer) else { return false }
      if count == 0 { descriptor = nil }
      total += count
      unsafe keep(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return count > 0
    }
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    switch part {
    case .first: unsafe kept.append(contentsOf: bytes.prefix(limit - kept.count))
    case .last:
      unsafe kept.append(contentsOf: bytes)
      kept.removeFirst(max(0, kept.count - limit))
    }
  }
}
