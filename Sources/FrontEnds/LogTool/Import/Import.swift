import ConfabClient
import LogFiles
import Records
import State
import Syscalls

/// `confab log import`: messages from a file into the log of a daemon that does not run. A wrong line is reported by
/// its number, and the import continues; messages in the log already are skipped. After an interruption the same file
/// can be imported again. Another owner's history is not imported.
struct Import {
  /// The options of the command line.
  struct Options: Equatable {
    /// `-`: standard input.
    var file = "-"
    /// The account of objects that name none.
    var account: String?
    /// Its JID, where it is to be made.
    var jid: String?
    /// True if all messages count as read; otherwise those up to the last one of mine do.
    var isRead = false
    /// The lines are another client's history, whose times and ids differ from the log's.
    var isForeign = false
    /// True if nothing is written.
    var isCheck = false
  }

  private let options: Options
  private let prepare: PrepareAddress
  private let output: LineOutput
  private let complaints: LineOutput

  init(
    _ options: Options, _ prepare: @escaping PrepareAddress, _ output: LineOutput, _ complaints: LineOutput
  ) {
    (self.options, self.prepare, self.output, self.complaints) = (options, prepare, output, complaints)
  }

  /// Imports into the log in a data directory; the exit status.
  ///
  /// - Parameter scratch: a directory for a copy of what can be read only once.
  func run(_ path: String, scratch: String) throws(LogCommandFailure) -> Int32 {
    let file = try ImportFile(options.file, scratch: scratch)
    let (options, addresses) = (try checked(path), ImportedAddresses(prepare))
    // Before anything is made on the disk: what cannot be read, and accounts that there cannot be.
    let log: WritableLog? = isMissing(path) ? nil : try Importer.open(path)
    let accounts = ImportedAccounts(log?.state.accounts.all.map(\.record) ?? [], options)
    var lines = file.lines
    try OwnerCheck(accounts: accounts.withNewOne, addresses: addresses).run { () throws(LogCommandFailure) in
      try next(&lines)
    }
    let target = if let log { log } else { try Importer.open(path) }
    var importer = try Importer(target, options, addresses)
    if let name = options.account, let old = importer.formerName {
      complaints.line("confab log: account \(name) continues account \(TerminalText.clean(old))")
    }
    return try take(file.lines, &importer)
  }

  private func take(_ input: InputLines, _ importer: inout Importer) throws(LogCommandFailure) -> Int32 {
    var lines = input
    var (number, wrong) = (0, 0)
    while let taken = try next(&lines) {
      number += 1
      do throws(LineProblem) {
        try importer.take(taken)
      } catch {
        if let failure = importer.failure { throw failure }
        wrong += 1
        complaints.line("confab log: line \(number): \(error.reason)")
      }
      if let failure = importer.failure { throw failure }
    }
    try importer.close()
    output.line(
      "\(importer.imported) messages imported, \(importer.doubles) were here already, \(wrong) lines were wrong")
    return wrong == 0 ? LogCommand.done : LogCommand.broken
  }

  /// The options, with the account's JID prepared; refused where there is neither a log nor an account to be made.
  func checked(_ path: String) throws(LogCommandFailure) -> Options {
    var options = options
    guard let jid = options.jid else {
      if isMissing(path) { throw .account(Self.noAccount) }
      return options
    }
    switch prepare(jid, true) {
    case .address(let address) where !address.contains("/"): options.jid = address
    case .address: throw .usage("--jid needs the bare JID of an account")
    case .wrong(let reason): throw .usage("--jid needs the bare JID of an account: \(reason)")
    case .unknown(let reason): throw .addresses(reason)
    }
    return options
  }

  private func isMissing(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try DataDirectory.open(path).storage(readOnly: true)
      return false
    } catch {
      return error.isMissing
    }
  }

  static let noAccount = "the log has no account: create one with --account NAME --jid JID"

  private func next(_ lines: inout InputLines) throws(LogCommandFailure) -> InputLines.Line? {
    do throws(Errno) { return try lines.next() } catch { throw .input(options.file, error.text) }
  }
}
