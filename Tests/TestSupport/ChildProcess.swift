package import Glibc
import Syscalls

/// How a process ended.
package enum ExitStatus: Equatable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)

  /// From what waitpid(2) gives.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .killed(signal: signal)
  }
}

/// A process that a test started, in a group of its own. It is killed with its group when the last reference goes, and
/// by the kernel when the test's own process dies, however that happens.
package final class ChildProcess: Sendable {
  /// The leader of the group.
  package let processID: pid_t
  /// At its end (readable) once the process has ended and is reaped.
  private let ended: OwnedFD
  private let life: ProcessLife

  /// Starts `arguments[0]`, a path or a name to be found on PATH.
  ///
  /// - Parameters:
  ///   - environment: all of it; nil for this process's own.
  ///   - input, output, error: its standard descriptors; lent for the duration of the call.
  ///   - supervised: whether it dies with this process; costs a millisecond at its start.
  package init(
    _ arguments: [String], environment: [String: String]? = nil, input: CInt, output: CInt, error: CInt,
    supervised: Bool = true
  ) throws {
    life = ProcessLife()
    let command = SpawnCommand(
      arguments: (supervised ? ["setpriv", "--pdeathsig", "KILL", "--"] : []) + arguments,
      environment: environment ?? ProcessEnvironment.current, descriptors: [input, output, error])
    let started = try life.start(command)
    processID = started.processID
    ended = OwnedFD(taking: started.ended)
  }

  deinit {
    kill(SIGKILL)
  }

  /// Readable once the process has ended; lent as long as this object lives.
  package var endDescriptor: CInt { ended.raw }

  /// How it ended; nil while it runs.
  package var status: ExitStatus? { life.status }

  /// Sends a signal to the whole group; nothing where it has ended.
  package func kill(_ signal: Int32) {
    life.whileRunning { Glibc.kill(-processID, signal) }
  }

  /// Waits for its end.
  @discardableResult
  package func wait(until deadline: Deadline = .seconds(60)) throws -> ExitStatus {
    _ = Readiness.wait(forReading: [ended.raw], until: deadline)
    guard let status else { throw TestFailure("process \(processID) does not end") }
    return status
  }
}
