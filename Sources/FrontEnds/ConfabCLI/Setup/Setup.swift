import ConfabClient
import LineProtocol
import Syscalls

/// `confab setup`: from address and password to an account that works. Nothing is written before the login has worked.
struct Setup {
  let runner: CommandRunner
  let request: LocalRequest
  let isJSON: Bool

  func run() -> ExitCode {
    do throws(SetupFailure) {
      if isJSON { throw SetupFailure("setup has no --json; scripts use its exit status", .usage) }
      var draft = try newDraft()
      let (answers, socket) = try login(&draft)
      try ConfigurationWriter(draft: draft).write(jid: answers.jid, password: answers.password)
      runner.say("Written: \(draft.file), and \(draft.passwordFile), which only you can read.")
      try finish(draft, socket)
      return .done
    } catch {
      runner.complain(error.reason)
      return error.code
    }
  }

  /// The account that is to be set up. If the first name is taken and nobody has chosen it, the person is asked for
  /// another.
  private func newDraft() throws(SetupFailure) -> AccountDraft {
    var request = request
    while true {
      do throws(SetupFailure) {
        return try AccountDraft(request, environment: runner.console.environment)
      } catch {
        let taken = request.options["name"] ?? AccountDraft.firstName
        guard error.question == .name, !self.request.has("name"),
          let other = try SetupQuestions(console: runner.console).name(besides: taken)
        else { throw error }
        request.options["name"] = other
      }
    }
  }

  /// Asks until a login works, or nobody answers any more.
  ///
  /// - Returns: the answers, and where the daemon's socket will be.
  private func login(_ draft: inout AccountDraft) throws(SetupFailure) -> (SetupQuestions.Answers, socket: String) {
    let questions = SetupQuestions(console: runner.console)
    let first = LoginTrial(draft: draft)
    var answers = try questions.ask { (jid) throws(SetupFailure) in try first.check(jid: jid) }
    while true {
      do throws(SetupFailure) {
        if let server = answers.server { draft.setServer(server) }
        let trial = LoginTrial(draft: draft)
        try trial.check(jid: answers.jid)
        let socket = try trial.login(jid: answers.jid, password: answers.password) { check in
          _ = runner.show(check.shown(runner.style, columns: runner.columns))
        }
        return (answers, socket)
      } catch {
        guard try questions.askAgain(after: error, &answers) else { throw error }
      }
    }
  }

  /// The running daemon takes the account, or the service is started, or a daemon runs for as long as it takes.
  private func finish(_ draft: AccountDraft, _ socket: String) throws(SetupFailure) {
    let message = SelfMessage(runner: runner, socket: socket, account: draft.name)
    if message.hasDaemon(isComing: false) {
      try message.reload()
      return try message.run()
    }
    if try ServiceOffer(runner: runner, request: request).take() { return try message.run() }
    let daemon = try PassingDaemon(file: draft.file)
    defer { daemon.end() }
    guard message.hasDaemon(isComing: true) else {
      throw SetupFailure("the account is set up, but the daemon does not start: \(daemon.lastWords)")
    }
    try message.run(isPassing: true)
    runner.say("No daemon is running now. To start it: confabd")
  }
}

/// A daemon that runs only as long as this object, and this process, lives.
final class PassingDaemon {
  private let child: ChildProgram
  private let log: OwnedFD

  /// How long it may take to say goodbye.
  private static let patience: Int64 = 10_000

  init(file: String) throws(SetupFailure) {
    do throws(Errno) {
      log = try Files.inMemory([])
      child = try DaemonProgram.start(
        ["--config", file, "--parent", "\(ProcessEnvironment.processID)"], errors: "/proc/self/fd/\(log.raw)")
    } catch {
      throw SetupFailure("the account is set up, but \(DaemonProgram.path) cannot be run: \(error.text)")
    }
  }

  /// The last line of its journal.
  var lastWords: String {
    let text = ((try? Files.readAll(log.raw, limit: 1 << 20)) ?? nil).map { String(decoding: $0, as: UTF8.self) }
    return text?.split(separator: "\n").last.map(String.init) ?? "without a message"
  }

  func end() {
    child.interrupt()
    _ = try? child.end(within: Self.patience)
  }
}
