import Clocks
import ConfabClient
import JSON
import LineProtocol

/// Does what the command line asks for, over a `Console`; its answer is the exit status.
package struct CommandRunner {
  let console: Console
  let style: TextStyle

  package init(_ console: Console) {
    self.console = console
    style = TextStyle(isTerminal: console.outputIsTerminal, environment: console.environment)
  }

  /// The whole program. `arguments` come without the program's name; nil stands for one that is not UTF-8.
  package func run(_ arguments: [String?]) -> Int32 {
    do {
      let times = TimeWords(now: console.now, offset: console.offset)
      return try perform(try ArgumentReader.read(arguments, times: times))
    } catch {
      complain(error.reason)
      return error.code.rawValue
    }
  }

  private func perform(_ invocation: Invocation) throws(UsageFailure) -> Int32 {
    switch invocation.action {
    case .interface(let request): return try show(request, invocation)
    case .overview: return Overview(runner: self, invocation: invocation).show().rawValue
    case .help(let verb): return show(verb.map(HelpText.of) ?? HelpText.all()).rawValue
    case .version: return show("confab " + HelpText.version).rawValue
    case .log(let arguments): return console.log(arguments, console.environment)
    case .localHelp(let command): return show(HelpText.of(command)).rawValue
    case .local(let request):
      return switch request.command {
      case .doctor: DoctorCommand(runner: self, invocation: invocation, request: request).run().rawValue
      case .setup: Setup(runner: self, request: request, isJSON: invocation.isJSON).run().rawValue
      case .log, .import: console.log([], console.environment)
      }
    case .ask(let request, let textFromInput):
      let whole = try complete(request, textFromInput: textFromInput)
      if request.verb == .help { return help(whole, isJSON: invocation.isJSON).rawValue }
      if request.verb == .watch { return WatchCommand(runner: self, invocation: invocation).run(whole).rawValue }
      var command = VerbCommand(runner: self, invocation: invocation)
      return command.run(whole).rawValue
    }
  }
}

// MARK: - Output

extension CommandRunner {
  /// Writes lines for people; a reader that has gone is no failure.
  func show(_ text: String) -> ExitCode {
    try? console.write(Array((text + "\n").utf8))
    return .done
  }

  /// Columns of the terminal that the output goes to; nil if it goes to none.
  var columns: Int? { console.outputIsTerminal ? console.columns() : nil }

  /// Writes a sentence, on a terminal in lines that end between words.
  func say(_ text: String) {
    _ = show(columns.map { TextLines.wrapped(text, columns: $0).joined(separator: "\n") } ?? text)
  }

  /// Makes the formatter for the lines of one answer.
  func output(_ invocation: Invocation, isBrief: Bool = false) -> HumanOutput {
    var listsLater = false
    if case .ask(let request, _) = invocation.action { listsLater = request.verb == .scheduled }
    return HumanOutput(
      style: style, clock: LocalClock(offset: console.offset), options: invocation.options, isBrief: isBrief,
      listsLater: listsLater)
  }

  /// Shows a data or event line.
  func show(_ line: ReceivedLine, _ output: inout HumanOutput, isJSON: Bool) throws(TransportFailure) {
    if isJSON { return try pass(line) }
    guard let text = output.line(line) else { return }
    try console.write(Array((wrapped(text) + "\n").utf8))
  }

  /// Lines as wide as the terminal, if they go to one.
  private func wrapped(_ text: String) -> String {
    guard let columns else { return text }
    return WrappedLines.wrap(text, columns: columns, indent: 6)
  }

  /// Shows a final line.
  func finish(_ final: ReceivedLine, _ request: Request, _ invocation: Invocation, _ output: HumanOutput) {
    if invocation.isJSON {
      try? pass(final)
    } else if final.kind == .done {
      if let text = output.done(final, request) {
        // Behind a list, which `wc -l` may count, totals are no line of it.
        if request.listsUnread { console.complain(text) } else { _ = show(text) }
      }
      if request.verb == .fingerprint, console.outputIsTerminal { drawCode(final.object["uri"]?.string ?? "") }
      for hint in output.hints(final, request, invocation) { complain(hint) }
    } else {
      complain(output.refused(final, request))
    }
  }

  /// Draws a text as a QR code.
  private func drawCode(_ text: String) {
    guard let code = QRCode(text) else { return complain("no QR code can be drawn: libqrencode4 is not installed") }
    guard CodeLines.columns(code) <= columns ?? .max else {
      return complain("the QR code needs \(CodeLines.columns(code)) columns")
    }
    _ = show(CodeLines.lines(code, hasColour: style.hasColour).joined(separator: "\n"))
  }

  /// Says on standard error what went wrong.
  func complain(_ reason: String) {
    console.complain("confab: " + TerminalText.clean(reason, .shown))
  }

  /// Writes one line of the daemon's as it is, but for what would steer a terminal.
  func pass(_ line: ReceivedLine) throws(TransportFailure) {
    try console.write((console.outputIsTerminal ? TerminalText.cleanJSON(line.bytes) : line.bytes) + [0x0A])
  }

  private func help(_ request: Request, isJSON: Bool) -> ExitCode {
    guard isJSON || request.string(.format) == "json" else {
      guard let name = request.string(.about) else { return show(HelpText.all()) }
      if let command = LocalCommand(rawValue: name) { return show(HelpText.of(command)) }
      if name == "keys" { return helpKeys() }
      guard let verb = Verb(rawValue: name), VerbTable[verb].isCommand else {
        complain(UsageFailure.unknownCommand(name).reason)
        return .usage
      }
      return show(HelpText.of(verb))
    }
    var writer = JSONWriter()
    Help.answer(request, into: &writer)
    try? console.write(writer.bytes)
    return .done
  }

  /// The keys of the terminal UI, which that knows itself.
  private func helpKeys() -> ExitCode {
    complain(console.becomeInterface(["--keys"]))
    return .refused
  }
}

// MARK: - Asking

extension CommandRunner {
  /// The request with its text from standard input and a key of its own.
  private func complete(_ request: Request, textFromInput: Bool) throws(UsageFailure) -> Request {
    var whole = request
    if textFromInput {
      whole.text = try inputText()
      try ArgumentReader.check(whole)
    }
    if [.send, .sendFile].contains(whole.verb), whole.options[.key] == nil {
      whole.options[.key] = console.token().map(Value.string)
    }
    return whole
  }

  /// Every byte of standard input, with LF for CR LF, but for one final newline.
  private func inputText() throws(UsageFailure) -> String {
    guard var bytes = console.readInput(2 * Limits.text + 4)?.withoutCarriageReturns else {
      throw UsageFailure("standard input cannot be read", .badText)
    }
    if bytes.last == 0x0A { bytes.removeLast() }
    guard bytes.count <= Limits.text else {
      throw UsageFailure("the text is longer than \(Limits.text) bytes", .badText)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageFailure("the text is not UTF-8", .badText)
    }
    return text
  }

  /// Makes the client of this invocation.
  func client(_ invocation: Invocation, watching: Bool = false) -> DaemonClient {
    DaemonClient { (isRepeat: Bool) throws(TransportFailure) in
      try console.dial(invocation.socket, watching, isRepeat)
    }
  }

  /// A request without a final line: says what is known of it.
  func explain(_ failure: TransportFailure, _ request: Request) -> ExitCode {
    let code = ExitCode(failure, of: request)
    guard failure.kind != .outputClosed else { return code }
    complain(failure.reason + hint(failure))
    if !failure.nothingSent, code == .noDaemon, request.kind == .command {
      let key = request.string(.key).map { "; repeat the command with --key=\($0) to send it once only" } ?? ""
      complain("the message may or may not have been stored" + key)
    }
    return code
  }

  /// A hint on what to do if no daemon answers.
  private func hint(_ failure: TransportFailure) -> String {
    switch failure.kind {
    case .noDaemon where failure.nothingSent:
      "; start the daemon with 'systemctl --user start confabd' or 'confabd'; 'confab doctor' finds what is wrong"
    case .silent: "; 'confab doctor' finds what is wrong"
    default: ""
    }
  }
}

extension [UInt8] {
  /// With LF for each CR LF.
  fileprivate var withoutCarriageReturns: [UInt8] {
    indices.filter { self[$0] != 0x0D || $0 + 1 == endIndex || self[$0 + 1] != 0x0A }.map { self[$0] }
  }
}
