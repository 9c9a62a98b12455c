package import Clocks
package import ConfabClient

/// All that the command line touches outside itself; handed in, so that tests can stand in for it.
package struct Console {
  /// Writes to standard output, all of it at once; fails if its reader is gone.
  package var write: ([UInt8]) throws(TransportFailure) -> Void
  /// Writes one line to standard error.
  package var complain: (String) -> Void
  /// Reads standard input to its end, but not much more than this many bytes; nil if it cannot be read.
  package var readInput: (_ limit: Int) -> [UInt8]?
  package var outputIsTerminal: Bool
  /// The width of the terminal that is standard output; nil: it is none, or does not know.
  package var columns: () -> Int? = { nil }
  /// True if a person reads the output at a terminal or can be asked for input.
  var hasTerminal: Bool { outputIsTerminal || ask != nil }
  /// All variables; a command that needs few does not have them made.
  package var environment: [String: String] { variables() }
  private let variables: () -> [String: String]
  package var now: () -> Timestamp
  /// Waits for a number of milliseconds; fails if the reader of standard output has gone away.
  package var pause: (Int32) throws(TransportFailure) -> Void
  /// Seconds east of UTC at a time.
  package var offset: (Timestamp) -> Int
  /// A random word for an idempotency key; nil if there is no randomness.
  package var token: () -> String?
  /// Connects to the daemon at the path chosen by `--socket`; `watching` where it should end with the output's reader.
  package var dial:
    (_ socket: String?, _ watching: Bool, _ isRepeat: Bool) throws(TransportFailure) -> any LineTransport
  /// `confab log`: arguments and environment in, exit status out.
  package var log: (_ arguments: [String], _ environment: [String: String]) -> Int32
  /// Asks the person at the terminal for a line, shown as it is typed or hidden; nil if there is no terminal.
  package var ask: ((_ question: String, _ isHidden: Bool) -> [UInt8]?)?

  /// Becomes the terminal UI with these arguments; returns only if that failed, with the reason.
  package var becomeInterface: (_ arguments: [String]) -> String = { _ in "there is no terminal UI here" }

  package init(
    write: @escaping ([UInt8]) throws(TransportFailure) -> Void, complain: @escaping (String) -> Void,
    readInput: @escaping (Int) -> [UInt8]?, outputIsTerminal: Bool,
    environment: @autoclosure @escaping () -> [String: String], now: @escaping () -> Timestamp,
    pause: @escaping (Int32) throws(TransportFailure) -> Void,
    offset: @escaping (Timestamp) -> Int, token: @escaping () -> String?,
    dial: @escaping (String?, Bool, Bool) throws(TransportFailure) -> any LineTransport,
    log: @escaping ([String], [String: String]) -> Int32, ask: ((String, Bool) -> [UInt8]?)? = nil
  ) {
    self.write = write
    self.complain = complain
    self.readInput = readInput
    self.outputIsTerminal = outputIsTerminal
    variables = environment
    self.now = now
    self.pause = pause
    self.offset = offset
    self.token = token
    self.dial = dial
    self.log = log
    self.ask = ask
  }
}
