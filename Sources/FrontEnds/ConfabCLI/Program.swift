import Clocks
import ConfabClient
import LogTool
import Syscalls

/// `confab` over the real terminal, socket and clock.
package enum Program {
  /// Runs the command line of this process; the exit status.
  package static func main() -> Int32 {
    StandardStreams.openMissing()
    SignalFD.ignoreFailedWrites()
    let output = StandardOutput()
    let dialer = Dialer()
    var console = Console(
      write: output.write, complain: complain, readInput: readInput,
      outputIsTerminal: Descriptors.isTerminal(StandardStreams.output),
      environment: ProcessEnvironment.variables(), now: { Timestamp(milliseconds: SystemClock.wallMilliseconds) },
      pause: { (milliseconds) throws(TransportFailure) in try pause(milliseconds) },
      offset: { LocalTime.offset(atSecondsSince1970: $0.milliseconds / 1000) }, token: { try? Entropy.token() },
      dial: { (socket, watching, isRepeat) throws(TransportFailure) in
        try dialer.dial(socket, watching, isRepeat)
      },
      log: {
        ProcessEnvironment.makeFilesPrivate()
        return LogCommand.run($0, environment: $1, prepare: AddressProgram().prepare)
      },
      ask: Descriptors.isTerminal(StandardStreams.input) ? { Terminal.ask($0, isHidden: $1) } : nil)
    console.columns = { TerminalControl.size(StandardStreams.output)?.columns }
    console.becomeInterface = InterfaceProgram.become
    let status = CommandRunner(console).run(ProcessArguments.all())
    guard let failure = output.failure else { return status }
    complain("confab: standard output: \(failure.text)")
    return status == ExitCode.done.rawValue ? ExitCode.outputFailed.rawValue : status
  }
}

// MARK: - Standard streams

extension Program {
  private static func pause(_ milliseconds: Int32) throws(TransportFailure) {
    let readiness = try? Descriptors.wait(toRead: -1, whileRead: StandardStreams.output, milliseconds: milliseconds)
    if readiness == .unread { throw TransportFailure(.outputClosed, "nobody reads the output") }
  }
}

/// Standard output, with its first write error.
private final class StandardOutput {
  /// Nil if everything was written, or if the reader closed the pipe early.
  private(set) var failure: Errno?

  func write(_ bytes: [UInt8]) throws(TransportFailure) {
    do throws(Errno) {
      try Descriptors.writeAll(StandardStreams.output, bytes)
    } catch {
      if !error.isDisconnected { failure = error }
      throw TransportFailure(.outputClosed, "standard output: \(error.text)")
    }
  }
}

extension Program {
  private static func complain(_ line: String) {
    try? Descriptors.writeAll(StandardStreams.error, Array((line + "\n").utf8))
  }

  private static func readInput(limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      guard let more = try? Descriptors.read(StandardStreams.input, atMost: limit - bytes.count) else { return nil }
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }
}
