import ConfabClient
import JSON
import LineProtocol

/// `confab` without a command: the accounts and how they are, then the conversations by recency.
struct Overview {
  let runner: CommandRunner
  let invocation: Invocation

  /// How many conversations are shown.
  private static let conversations = 20

  func show() -> ExitCode {
    var client = runner.client(invocation)
    let status = ask(Request(.status), "No account is configured.", &client)
    guard status == .done else { return status }
    if !invocation.isJSON { _ = runner.show("") }
    let list = Request(.conversations, options: [.limit: .integer(Self.conversations)])
    if invocation.isJSON { return ask(list, "", &client) }
    let known = ask(list.of(known: true), "No conversation yet. Start one with: confab send JID TEXT", &client)
    guard known == .done else { return known }
    return ask(list.of(known: false), under: Request.strangersTitle, "", &client)
  }

  /// Shows the data lines of one answer, or `nothing` where there are none.
  private func ask(
    _ request: Request, under title: String = "", _ nothing: String, _ client: inout DaemonClient
  ) -> ExitCode {
    var output = runner.output(invocation, isBrief: true)
    var isEmpty = true
    do {
      let final = try client.ask(request) { line throws(TransportFailure) in
        if isEmpty, !title.isEmpty, !invocation.isJSON { _ = runner.show(title) }
        isEmpty = false
        try runner.show(line, &output, isJSON: invocation.isJSON)
      }
      guard final.kind == .done else {
        runner.complain(output.refused(final, request))
        return ExitCode(final: final, of: request)
      }
      if isEmpty, !nothing.isEmpty, !invocation.isJSON { _ = runner.show(nothing) }
      return .done
    } catch {
      return runner.explain(error, request)
    }
  }
}
