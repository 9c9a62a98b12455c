import Clocks
import ConfabCLI
import ConfabClient
import LineProtocol
import Syscalls

/// A daemon that plays a script, and a console that keeps what is written to it. For one test, on one thread.
final class FakeDaemon {
  /// What a connection does, in order.
  enum Step {
    /// Nobody answers at the socket.
    case absent
    /// Sends these lines at once; reading goes on to the next step after them.
    case lines([String])
    /// Takes one request.
    case takes
    /// Cuts the connection while a request is written.
    case cutsWriting
    /// Ends the connection.
    case closes
    /// Nobody reads our output any more.
    case outputCloses
  }

  static let greeting = Step.lines([
    #"{"confab":1,"version":"0.1.0","log":"U","last":5,"rights":"full","limits":{"line":65536}}"#
  ])

  private var connections: [[Step]]
  fileprivate(set) var requests: [Request] = []
  /// The descriptors that came with requests, and the one that goes with each answer.
  fileprivate(set) var passed: [PassedDescriptor] = []
  var answered: PassedDescriptor?
  private(set) var dials: [(socket: String?, watching: Bool, isRepeat: Bool)] = []
  private(set) var output = ""
  private(set) var complaints: [String] = []
  /// After so many bytes nobody reads the output any more.
  var outputLimit = Int.max
  var input: [UInt8]? = []
  var isTerminal = false
  var columns: Int?
  var environment: [String: String] = [:]
  /// The arguments of each terminal UI that was to be started; none can be.
  private(set) var interfaces: [[String]] = []
  private(set) var logCalls: [[String]] = []
  /// 2026-11-20T09:10:00Z.
  var now = Timestamp(milliseconds: 1_795_165_800_000)
  private(set) var pauses: [Int32] = []

  /// One script a connection; a greeting stands in front of each that does not begin with `absent`.
  init(_ connections: [Step]...) {
    self.connections = connections
  }

  /// One connection that greets, takes one request and answers with these lines; a second one with none.
  convenience init(answers first: String, _ more: String...) {
    self.init([Self.greeting, .takes, .lines([first] + more), .takes, .lines([#"{"ok":true}"#])])
  }

  /// One that is asked for its accounts first, which it has in these states, and then for its roster.
  convenience init(rosterOf states: [String: String], _ answers: String...) {
    let accounts = states.map { #"{"account":{"name":"\#($0)","jid":"a@x","state":"\#($1)"}}"# }
    let ok = #"{"ok":true}"#
    self.init([Self.greeting, .takes, .lines(accounts + [ok]), .takes, .lines(answers)])
  }

  /// Runs `confab` with these arguments.
  func run(_ arguments: String?...) -> Int32 { run(arguments) }

  func run(_ arguments: [String?]) -> Int32 {
    var console = Console(
      write: { (bytes) throws(TransportFailure) in try self.write(bytes) },
      complain: { self.complaints.append($0) },
      readInput: { limit in self.input.map { Array($0.prefix(limit)) } },
      outputIsTerminal: isTerminal, environment: self.environment, now: { self.now },
      pause: { self.pauses.append($0) }, offset: { _ in 3600 }, token: { "random" },
      dial: { (socket, watching, isRepeat) throws(TransportFailure) in
        self.dials.append((socket, watching, isRepeat))
        return try self.dial()
      },
      log: { arguments, _ in
        self.logCalls.append(arguments)
        return 7
      })
    console.columns = { self.columns }
    console.becomeInterface = { arguments in
      self.interfaces.append(arguments)
      return "no UI"
    }
    return CommandRunner(console).run(arguments)
  }

  private func write(_ bytes: [UInt8]) throws(TransportFailure) {
    guard output.utf8.count + bytes.count <= outputLimit else { throw TransportFailure(.outputClosed, "gone") }
    output += String(decoding: bytes, as: UTF8.self)
  }

  private func dial() throws(TransportFailure) -> any LineTransport {
    guard !connections.isEmpty else { throw TransportFailure(.noDaemon, "no socket", nothingSent: true) }
    let script = connections.removeFirst()
    if case .absent? = script.first { throw TransportFailure(.noDaemon, "no socket", nothingSent: true) }
    return FakeConnection(script, self)
  }
}

/// One connection of the script.
private final class FakeConnection: LineTransport {
  private var steps: ArraySlice<FakeDaemon.Step>
  private var lines: ArraySlice<String> = []
  private unowned let daemon: FakeDaemon

  init(_ steps: [FakeDaemon.Step], _ daemon: FakeDaemon) {
    self.steps = steps[...]
    self.daemon = daemon
  }

  func write(_ bytes: [UInt8], passing descriptors: [PassedDescriptor]) throws(TransportFailure) {
    daemon.passed += descriptors
    switch steps.popFirst() {
    case .takes:
      var reader = LineReader()
      reader.append(bytes)
      if case .request(let request)? = reader.next() { daemon.requests.append(request) }
    case .cutsWriting: throw TransportFailure(.cut, "cut", nothingSent: true)
    default: throw TransportFailure(.cut, "out of turn")
    }
  }

  func takeDescriptor() -> PassedDescriptor? { daemon.answered }

  func setPatience(milliseconds: Int64) {}

  func readLine() throws(TransportFailure) -> [UInt8]? {
    if let line = lines.popFirst() { return Array(line.utf8) }
    switch steps.popFirst() {
    case .lines(let more):
      lines = more[...]
      return try readLine()
    case .outputCloses: throw TransportFailure(.outputClosed, "gone")
    default: return nil
    }
  }
}
