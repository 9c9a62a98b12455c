import ConfabClient
import JSON
import LineProtocol

/// `confab watch`: shows events until the connection ends; with `--reconnect` it waits for the daemon and continues
/// after the last event shown.
struct WatchCommand {
  let runner: CommandRunner
  let invocation: Invocation

  private var reconnects: Bool { invocation.options.contains(.reconnect) }

  func run(_ typed: Request) -> ExitCode {
    var progress = WatchProgress(typed)
    var output = runner.output(invocation)
    while true {
      do {
        if let code = try watch(&progress, &output) { return code }
      } catch {
        guard reconnects, error.isPassing else { return runner.explain(error, progress.request) }
        if progress.pause.isFirst { runner.complain(error.reason + "; waiting for the daemon") }
      }
      do {
        try runner.console.pause(progress.pause.next())
      } catch {
        return runner.explain(error, progress.request)
      }
    }
  }

  /// Watches over one connection until it ends; returns the exit status if reconnecting would not help.
  private func watch(_ progress: inout WatchProgress, _ output: inout HumanOutput) throws(TransportFailure) -> ExitCode?
  {
    var client = runner.client(invocation, watching: true)
    if !progress.isResolved {
      switch try VerbCommand(runner: runner, invocation: invocation).named(progress.request, &client) {
      case .failure(let failure):
        runner.complain(failure.reason)
        return failure.code
      case .success(let request): progress.resolve(request)
      }
    }
    let isJSON = invocation.isJSON
    let final = try client.ask(progress.request) { line throws(TransportFailure) in
      try runner.show(line, &output, isJSON: isJSON)
    }
    let code = ExitCode(final: final, of: progress.request)
    if !progress.hasBegun || code != .done { runner.finish(final, progress.request, invocation, output) }
    if progress.hasBegun, case .refused(ErrorCode.otherLog.rawValue, _) = final.kind {
      runner.complain("the daemon has another log now, with other numbers: start the watch again without --since")
    }
    guard code == .done else { return reconnects && code == .nothingStored ? nil : code }
    progress.begin(final, log: client.log)
    try client.follow { line throws(TransportFailure) in
      try runner.show(line, &output, isJSON: isJSON)
      progress.note(line)
    }
  }
}

/// The position of a watch, kept across its connections.
struct WatchProgress {
  /// The request for the next connection.
  private(set) var request: Request
  private(set) var isResolved = false
  /// True once the daemon has accepted the watch.
  private(set) var hasBegun = false
  var pause = GrowingPause()

  init(_ request: Request) { self.request = request }

  mutating func resolve(_ request: Request) {
    (self.request, isResolved) = (request, true)
  }

  /// Starts the watch on a new connection, at the sequence number of the answer.
  mutating func begin(_ final: ReceivedLine, log: String?) {
    hasBegun = true
    pause = GrowingPause()
    request.options[.log] = log.map(Value.string)
    note(final)
  }

  /// Records that everything up to a line's number was shown. A named consumer resumes where it acknowledged instead.
  mutating func note(_ line: ReceivedLine) {
    guard let sequence = line.object["seq"]?.integer, sequence >= 0, request.options[.as] == nil else { return }
    request.options[.since] = .id(UInt64(sequence))
  }
}

/// Pauses between attempts: 0.1 s, then doubled each time, up to 10 s.
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
  /// True if a restart of the daemon can cause this failure, so that the watch goes on after it.
  fileprivate var isPassing: Bool {
    switch kind {
    case .noDaemon, .silent, .busy, .cut: true
    case .notAllowed, .notConfab, .outputClosed: false
    }
  }
}
