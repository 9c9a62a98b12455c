import ConfabClient
import JSON
import LineProtocol

/// Sends one verb over a connection of its own and shows the answer.
struct VerbCommand {
  let runner: CommandRunner
  let invocation: Invocation

  func run(_ request: Request) -> ExitCode {
    var client = runner.client(invocation)
    do {
      switch try named(request, &client) {
      case .failure(let failure):
        runner.complain(failure.reason)
        return failure.code
      case .success(let request): return try ask(request, &client)
      }
    } catch {
      return runner.explain(error, request)
    }
  }

  private func ask(_ request: Request, _ client: inout DaemonClient) throws(TransportFailure) -> ExitCode {
    var output = runner.output(invocation)
    let final = try client.ask(request) { line throws(TransportFailure) in
      try runner.show(line, &output, isJSON: invocation.isJSON)
    }
    if final.kind == .done, request.verb == .unread, request.options[.in] == nil, !invocation.isJSON {
      try listUnread(request, of: final.object["unread"]?.integer ?? 0, &client)
    }
    runner.finish(final, request, invocation, output)
    return ExitCode(final: final, of: request)
  }

  /// The request with the names of contacts replaced by JIDs.
  func named(
    _ request: Request, _ client: inout DaemonClient
  ) throws(TransportFailure) -> Result<Request, UsageFailure> {
    guard !invocation.options.contains(.jid), NameLookup.isNeeded(request) else { return .success(request) }
    var lookup = NameLookup()
    let final = try client.ask(Request(.roster, account: request.account)) { line throws(TransportFailure) in
      lookup.note(line.object)
    }
    // A socket without the right to ask for the roster takes the JID as typed; the request itself reports other errors.
    guard final.kind == .done else { return .success(request) }
    return Result { () throws(UsageFailure) in try lookup.resolve(request) }
  }

  /// Lists the conversations with unread messages, newest first, until all `total` unread messages are accounted for.
  private func listUnread(
    _ request: Request, of total: Int64, _ client: inout DaemonClient
  ) throws(TransportFailure) {
    var output = runner.output(invocation)
    var left = total
    var page = Request(.conversations, options: [.limit: .integer(Limits.page)], account: request.account)
    while left > 0 {
      var last: String?
      let final = try client.ask(page) { line throws(TransportFailure) in
        last = line.object["conversation"]?["jid"]?.string
        guard let unread = line.object["conversation"]?["unread"]?.integer, unread > 0 else { return }
        left -= unread
        try runner.show(line, &output, isJSON: false)
      }
      guard final.object["more_before"]?.bool == true, let last else { return }
      page.options[.before] = .string(last)
    }
  }
}
