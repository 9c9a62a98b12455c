import Clocks
import ConfabClient
import JSON
import LineProtocol
import ConfabConfiguration
import Syscalls

/// Sends one verb over a connection of its own and shows the answer.
struct VerbCommand {
  let runner: CommandRunner
  let invocation: Invocation
  /// Go with the request.
  private var files: [PassedDescriptor] = []
  private var progress = TransferProgress()

  init(runner: CommandRunner, invocation: Invocation) {
    (self.runner, self.invocation) = (runner, invocation)
  }

  mutating func run(_ request: Request) -> ExitCode {
    var client = runner.client(invocation)
    do {
      let inputLimit = try inputLimit(of: request)
      do throws(UsageFailure) {
        files = try FileTransfer.open(invocation.files, inputLimit: inputLimit)
        if request.row.givesDescriptor { try checkOutput() }
      } catch {
        return refuse(error)
      }
      switch try named(request, &client) {
      case .failure(let failure): return refuse(failure)
      case .success(let request): return try askInGroups(request, &client)
      }
    } catch {
      return runner.explain(error, request)
    }
  }

  private func refuse(_ failure: UsageFailure) -> ExitCode {
    runner.complain(failure.reason)
    return failure.code
  }

  /// The daemon says how much may wait to be uploaded. That connection is not kept open while a program writes.
  private func inputLimit(of request: Request) throws(TransportFailure) -> InputLimit {
    if request.verb == .avatarSet || !invocation.files.contains("-") { return .avatar }
    var client = runner.client(invocation)
    return .spool(try client.askSpoolSize() ?? UInt64(FileSettings().spoolSize))
  }

  private mutating func askInGroups(
    _ request: Request, _ client: inout DaemonClient
  ) throws(TransportFailure) -> ExitCode {
    guard request.listsEverybody, !invocation.isJSON else { return try ask(request, &client) }
    let code = try ask(request.of(known: true), &client)
    return code == .done ? try ask(request.of(known: false), under: Request.strangersTitle, &client) : code
  }

  private mutating func ask(
    _ request: Request, under title: String? = nil, _ client: inout DaemonClient
  ) throws(TransportFailure) -> ExitCode {
    var title = title
    var output = runner.output(invocation)
    if request.verb == .roster, !invocation.isJSON {
      _ = try client.ask(Request(.status)) { output.note(account: $0) }
    }
    let showsProgress = try watchTransfers(of: request, &client)
    var progress = progress
    var final = try client.ask(request, passing: files) { line throws(TransportFailure) in
      if showsProgress { return try show(line, &progress) }
      if let title = title.take() { _ = runner.show(title) }
      try runner.show(line, &output, isJSON: invocation.isJSON)
    }
    if showsProgress { final = try follow(final, of: request, &progress, &client) }
    if final.kind == .done, request.listsUnread, !invocation.isJSON {
      try listUnread(request, of: final.object["unread"]?.integer ?? 0, &client)
    }
    runner.finish(final, request, invocation, output)
    if final.kind == .done, request.row.givesDescriptor, !invocation.isJSON || invocation.output != nil {
      return save(client.takeDescriptor())
    }
    return ExitCode(final: final, of: request)
  }

  // MARK: - Progress

  /// Watches how files move, for a person at a terminal; false: nothing is to be shown.
  private mutating func watchTransfers(
    of request: Request, _ client: inout DaemonClient
  ) throws(TransportFailure) -> Bool {
    guard request.verb == .sendFile || request.verb == .fetch, runner.console.outputIsTerminal, !invocation.isJSON
    else { return false }
    var watch = Request(.watch, options: [.kinds: .list(["transfer"])])
    if let to = request.string(.to) { watch.options[.in] = .string(to) }
    let answer = try client.ask(watch)
    progress = TransferProgress(
      id: request.id(.id).flatMap { Int64(exactly: $0) },
      after: request.verb == .sendFile ? answer.object["seq"]?.integer : nil,
      count: request.verb == .sendFile ? files.count : nil)
    return answer.kind == .done
  }

  private func show(_ line: ReceivedLine, _ progress: inout TransferProgress) throws(TransportFailure) {
    if let text = progress.line(line.object) { try runner.console.write(Array(text.utf8)) }
  }

  /// Shows an upload until the message is sent, or nothing moves any more; the final line to be shown.
  private func follow(
    _ first: ReceivedLine, of request: Request, _ progress: inout TransferProgress, _ client: inout DaemonClient
  ) throws(TransportFailure) -> ReceivedLine {
    var final = first
    progress.id = first.object["id"]?.integer ?? progress.id
    if request.verb == .sendFile, request.string(.wait) == nil, let id = progress.id.flatMap({ UInt64(exactly: $0) }) {
      var wait = Request(.wait, options: [.for: .string("sent"), .timeout: .duration(.seconds(5))])
      wait.arguments[.id] = .id(id)
      var events = -1
      while final.kind == .done, final.object["state"]?.string == "queued", events < progress.eventCount {
        events = progress.eventCount
        let answer = try client.ask(wait) { line throws(TransportFailure) in try show(line, &progress) }
        if answer.object["error"]?.string != "timeout" { final = answer }
      }
    }
    if let text = progress.end() { try runner.console.write(Array(text.utf8)) }
    return final
  }

  /// A file is shown on no terminal.
  private func checkOutput() throws(UsageFailure) {
    guard invocation.output == nil, !invocation.isJSON, runner.console.outputIsTerminal else { return }
    throw UsageFailure("standard output is a terminal; name a file: --output=FILE")
  }

  /// Writes the file that came with the answer to where it is wanted.
  private func save(_ file: PassedDescriptor?) -> ExitCode {
    guard let file else {
      runner.complain("the daemon sent no file")
      return .refused
    }
    do {
      let transfer = FileTransfer(file)
      guard let path = invocation.output else {
        try transfer.write { try runner.console.write($0) }
        return .done
      }
      try transfer.save(as: path, replacing: invocation.options.contains(.force))
      return .done
    } catch let failure as UsageFailure {
      runner.complain(failure.reason)
      return failure.code
    } catch is TransportFailure {
      return .done
    } catch {
      runner.complain("\(error)")
      return .outputFailed
    }
  }

  /// The request with the names of contacts, and of rooms where no contact has the name, replaced by JIDs.
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
    if !lookup.knowsAll(of: request) {
      _ = try client.ask(Request(.rooms, account: request.account)) { line throws(TransportFailure) in
        lookup.note(line.object)
      }
    }
    return Result { () throws(UsageFailure) in try lookup.resolve(request) }
  }

  /// Lists the conversations with unread messages, newest first, until all `total` unread messages are accounted for;
  /// those of strangers behind the others.
  private func listUnread(
    _ request: Request, of total: Int64, _ client: inout DaemonClient
  ) throws(TransportFailure) {
    var left = total
    let list = Request(.conversations, options: [.limit: .integer(Limits.page)], account: request.account)
    try listUnread(list.of(known: true), &left, &client)
    let title = runner.console.outputIsTerminal ? Request.strangersTitle : nil
    try listUnread(list.of(known: false), under: title, &left, &client)
  }

  private func listUnread(
    _ list: Request, under title: String? = nil, _ left: inout Int64, _ client: inout DaemonClient
  ) throws(TransportFailure) {
    var output = runner.output(invocation)
    var (page, title) = (list, title)
    while left > 0 {
      var last: String?
      let final = try client.ask(page) { line throws(TransportFailure) in
        last = line.object["conversation"]?["jid"]?.string
        guard let unread = line.object["conversation"]?["unread"]?.integer, unread > 0 else { return }
        left -= unread
        if let title = title.take() { _ = runner.show(title) }
        try runner.show(line, &output, isJSON: false)
      }
      guard final.object["more_before"]?.bool == true, let last else { return }
      page.options[.before] = .string(last)
    }
  }
}

extension Request {
  /// True if the command lists the conversations behind the totals.
  var listsUnread: Bool { verb == .unread && options[.in] == nil }
}
