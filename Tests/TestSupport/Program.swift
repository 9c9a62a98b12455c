import Glibc
import Syscalls

/// A program run to its end.
package enum Program {
  package struct Finished: Sendable {
    package let status: ExitStatus
    package let output: [UInt8]
    package let error: [UInt8]

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: error, as: UTF8.self) }
  }

  /// Runs `arguments[0]` with `input` as its standard input, and collects what it writes.
  package static func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String]? = nil,
    until deadline: Deadline = .seconds(60)
  ) throws -> Finished {
    let (childInput, inputWriter) = try Pipes.make()
    let (outputReader, childOutput) = try Pipes.make()
    let (errorReader, childError) = try Pipes.make()
    var exchange = Exchange(input: inputWriter, output: outputReader, error: errorReader, rest: input[...])
    defer { exchange.close() }
    let process: ChildProcess
    do {
      defer { for descriptor in [childInput, childOutput, childError] { close(descriptor) } }
      process = try ChildProcess(
        arguments, environment: environment, input: childInput, output: childOutput, error: childError)
    }
    try exchange.run(until: deadline, of: arguments)
    return Finished(
      status: try process.wait(until: deadline), output: exchange.collected[0], error: exchange.collected[1])
  }

  /// Input going in while output and error come out, so that neither side waits for the other for ever.
  private struct Exchange {
    /// Owned; -1 once closed.
    var input: CInt
    var output: CInt
    var error: CInt
    var rest: ArraySlice<UInt8>
    var collected: [[UInt8]] = [[], []]

    init(input: CInt, output: CInt, error: CInt, rest: ArraySlice<UInt8>) {
      (self.input, self.output, self.error, self.rest) = (input, output, error, rest)
      _ = fcntl(input, F_SETFL, O_NONBLOCK)
    }

    mutating func run(until deadline: Deadline, of arguments: [String]) throws {
      while output >= 0 || error >= 0 {
        if rest.isEmpty { closeInput() }
        let wanted = [(input, Int16(POLLOUT)), (output, Int16(POLLIN)), (error, Int16(POLLIN))]
        let ready = Readiness.wait(wanted.map { (descriptor: $0.0, events: $0.1) }, until: deadline)
        if ready.allSatisfy({ $0 == 0 }) { throw TestFailure("\(arguments) does not end") }
        if ready[0] != 0 { try feed() }
        if ready[1] != 0 { output = try drain(output, into: 0) }
        if ready[2] != 0 { error = try drain(error, into: 1) }
      }
    }

    /// Writes what fits; a reader that is gone takes the rest with it.
    private mutating func feed() throws {
      do {
        let written = try unsafe rest.withUnsafeBytes { try unsafe Descriptors.write(input, $0) }
        rest = rest.dropFirst(written ?? 0)
      } catch let error as Errno where error.isDisconnected {
        rest = []
      }
    }

    /// Reads what is there; returns the descriptor, or -1 at its end.
    private mutating func drain(_ descriptor: CInt, into index: Int) throws -> CInt {
      let bytes = try Descriptors.read(descriptor, atMost: 65536) ?? []
      collected[index] += bytes
      guard bytes.isEmpty else { return descriptor }
      Glibc.close(descriptor)
      return -1
    }

    private mutating func closeInput() {
      if input >= 0 { Glibc.close(input) }
      input = -1
    }

    mutating func close() {
      closeInput()
      for descriptor in [output, error] where descriptor >= 0 { Glibc.close(descriptor) }
    }
  }
}
