import ConfabClient
import JSON
import LineProtocol

/// `confab watch`: shows events until the connection ends; with `--reconnect` over the daemon's restarts, behind the last
/// event that was shown.
struct WatchCommand {
  let runner: CommandRunner
  let invocation: Invocation

  private var reconnects: Bool { invocation.options.contains(.reconnect) }

  func run(_ typed: Request) -> ExitCode {
    var course = WatchCourse(typed)
    var output = runner.output(invocation)
    while true {
      do {
        if let code = try watch(&course, &output) { return code }
      } catch {
        guard reconnects, error.isPassing else { return runner.explain(error, course.request) }
        if course.pause.isFirst { runner.complain(error.reason + "; waiting for the daemon") }
      }
      do {
        try runner.console.pause(course.pause.next())
      } catch {
        return runner.explain(error, course.request)
      }
    }
  }

  /// One connection, to its end; the exit status where another one would not help.
  private func watch(_ course: inout WatchCourse, _ output: inout HumanOutput) throws(TransportFailure) -> ExitCode? {
    var client = runner.client(invocation, watching: true)
    if !course.isResolved {
      switch try VerbCommand(runner: runner, invocation: invocation).named(course.request, &client) {
      case .failure(let failure):
        runner.complain(failure.reason)
        return failure.code
      case .success(let request): course.resolve(request)
      }
    }
    let isJSON = invocation.isJSON
    let final = try client.ask(course.request) { line throws(TransportFailure) in
      try runner.show(line, &output, isJSON: isJSON)
    }
    let code = ExitCode(final: final, of: course.request)
    if !course.hasBegun || code != .done { runner.finish(final, course.request, invocation, output) }
    if course.hasBegun, case .refused(ErrorCode.otherLog.rawValue, _) = final.kind {
      runner.complain("the daemon has another log now, and its numbers are others: start the watch anew")
    }
    guard code == .done else { return reconnects && code == .nothingStored ? nil : code }
    course.begin(final, log: client.log)
    try client.follow { line throws(TransportFailure) in
      try runner.show(line, &output, isJSON: isJSON)
      course.note(line)
    }
  }
}

/// Where a watch stands, over its connections.
struct WatchCourse {
  /// The request for the next connection.
  private(set) var request: Request
  private(set) var isResolved = false
  /// It was answered once.
  private(set) var hasBegun = false
  var pause = GrowingPause()

  init(_ request: Request) { self.request = request }

  mutating func resolve(_ request: Request) {
    (self.request, isResolved) = (request, true)
  }

  /// A connection watches now, from the answer's number on.
  mutating func begin(_ final: ReceivedLine, log: String?) {
    hasBegun = true
    pause = GrowingPause()
    request.options[.log] = log.map(Value.string)
    note(final)
  }

  /// Everything up to a line's number has been shown. A named consumer goes on where it acknowledged.
  mutating func note(_ line: ReceivedLine) {
    guard let sequence = line.object["seq"]?.integer, sequence >= 0, request.options[.as] == nil else { return }
    request.options[.since] = .id(UInt64(sequence))
  }
}

/// Pauses between attempts: a tenth of a second, then twice as long each time, ten seconds at most.
struct GrowingPause {
  private static let first: Int32 = 100
  private static let longest: Int32 = 10_000

  private var milliseconds = Self.first

  var isFirst: Bool { milliseconds == Self.first }

  mutating func next() -> Int32 {
    defer { milliseconds = min(milliseconds * 2, Self.longest) }
    return milliseconds
  }
}

extension TransportFailure {
  /// A daemon that starts anew ends it.
  fileprivate var isPassing: Bool {
    switch kind {
    case .noDaemon, .silent, .busy, .cut: true
    case .notAllowed, .notConfab, .outputClosed: false
    }
  }
}
