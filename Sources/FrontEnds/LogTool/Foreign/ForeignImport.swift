import State
import Clocks
import ConfabClient
import JSON
import Records
import Syscalls

/// `confab import CLIENT`: the history of another client into the log of a daemon that does not run. All of it is read
/// before anything is written, and then imported as lines of `confab log import` are.
struct ForeignImport {
  /// The options of the command line.
  struct Options: Equatable {
    var client: String
    /// Nil: where the client keeps its history.
    var path: String?
    /// The account of histories of JIDs that the log does not have, or that name none.
    var account: String?
    /// The JID of the account to create; nil if the account exists.
    var jid: String?
    /// True if all messages count as read.
    var isRead = false
    /// True if nothing is written.
    var isCheck = false
    /// The name of the time zone of local times; nil: the machine's.
    var zone: String?
    /// JIDs by nicks.
    var nicks: [String: String] = [:]

    var importOptions: Import.Options {
      Import.Options(account: account, jid: jid, isRead: isRead, isForeign: true, isCheck: isCheck)
    }
  }

  let options: Options
  let prepare: PrepareAddress
  let output: LineOutput
  let complaints: LineOutput
  let environment: [String: String]
  let offset: (Timestamp) -> Int

  /// Imports into the log in a data directory; the exit status.
  func run(_ directory: String, scratch: String) throws(LogCommandFailure) -> Int32 {
    guard let client = ForeignClient.named(options.client) else {
      throw .usage("'\(options.client)' is none of \(ForeignClient.names)")
    }
    let path = try path(of: client)
    let importOptions = try Import(options.importOptions, prepare, output, complaints).checked(directory)
    let log = try Importer.open(directory)
    let accounts = try HistoryAccounts(log.state.accounts.all.map(\.record), importOptions)
    let spool = try HistorySpool(in: scratch, complaints, account: accounts.account)
    try read(client, path, accounts, log, spool)
    report(spool, path)
    guard spool.count > 0 else { return nothing(spool) }
    if options.isCheck, accounts.isNew {
      output.line("\(spool.count) messages would be imported into a new account")
      return LogCommand.done
    }
    var importer = try Importer(log, importOptions, ImportedAddresses(prepare))
    let wrong = try take(spool, &importer)
    if !options.isCheck { try importer.close() }
    summarize(importer, wrong, spool)
    return wrong + spool.rejected == 0 && spool.homeless.isEmpty ? LogCommand.done : LogCommand.broken
  }

  private func path(of client: ForeignClient) throws(LogCommandFailure) -> String {
    if let path = options.path { return path }
    let places = client.places.compactMap { $0.path(environment) }
    for place in places where (try? Paths.status(place)) != nil { return place }
    throw .input(places.first ?? client.name, "there is no history of \(client.name); name its file or directory")
  }

  private func read(
    _ client: ForeignClient, _ path: String, _ accounts: HistoryAccounts, _ log: WritableLog, _ spool: HistorySpool
  ) throws(LogCommandFailure) {
    var surroundings = HistorySurroundings(clock: HistoryClock(offset: offset, name: zoneName))
    (surroundings.owner, surroundings.nicks) = (accounts.usual?.jid, options.nicks)
    let number = accounts.usual?.number
    surroundings.isRoom = { jid in number.flatMap { log.state.accounts[$0]?.rooms.has(jid) } ?? false }
    var sink: any HistorySink = spool
    do throws(HistoryFailure) {
      try client.read(path, surroundings, &sink)
      try spool.flush()
    } catch {
      throw .input(error.file, error.reason)
    }
  }

  private var zoneName: String { options.zone ?? "the machine's zone" }

  /// Prints a summary of the history.
  private func report(_ spool: HistorySpool, _ path: String) {
    let span = spool.span.map { span in
      let days = [span.lowerBound, span.upperBound].map { Timestamp(milliseconds: $0).rfc3339.prefix(10) }
      return " of \(days[0]) to \(days[1])"
    }
    output.line(
      "\(TerminalText.clean(path)): \(spool.count) messages\(span ?? "") in \(spool.conversationCount) conversations; "
        + "\(spool.passed) other entries, \(spool.rejected) unreadable; times without a zone are read in \(zoneName)")
    for (jid, count) in spool.homeless.sorted(by: { $0.key < $1.key }) {
      let whose = jid.isEmpty ? "an account that the history does not name" : TerminalText.clean(jid)
      complaints.line(
        "confab import: \(count) messages are of \(whose), which the log does not have: name an account for them with "
          + "--account NAME")
    }
  }

  private func nothing(_ spool: HistorySpool) -> Int32 {
    output.line("nothing to import")
    if !spool.homeless.isEmpty { return LogCommand.misused }
    return spool.rejected == 0 ? LogCommand.done : LogCommand.broken
  }

  /// Imports the lines; returns the number of invalid ones.
  private func take(_ spool: HistorySpool, _ importer: inout Importer) throws(LogCommandFailure) -> Int {
    var (lines, wrong) = (spool.lines, 0)
    while let line = try next(&lines) {
      do throws(LineProblem) {
        try importer.take(line)
      } catch {
        if let failure = importer.failure { throw failure }
        wrong += 1
        if wrong <= 100 { complaints.line("confab import: \(place(of: line)): \(error.reason)") }
      }
      if let failure = importer.failure { throw failure }
    }
    return wrong
  }

  private func next(_ lines: inout InputLines) throws(LogCommandFailure) -> InputLines.Line? {
    do throws(Errno) { return try lines.next() } catch { throw .input("the copy of the history", error.text) }
  }

  /// The file and the line of a message, out of its line of the spool.
  private func place(of line: InputLines.Line) -> String {
    guard case .whole(let bytes) = line, let value = try? JSONParser.parse(bytes) else { return "a message" }
    return TerminalText.clean(value["place"]?.string ?? "a message")
  }

  private func summarize(_ importer: Importer, _ wrong: Int, _ spool: HistorySpool) {
    let done = options.isCheck ? "would be imported" : "imported"
    output.line(
      "\(importer.imported) messages \(done), \(importer.doubles) were here already, \(wrong + spool.rejected) were unreadable"
    )
  }
}

/// The accounts of the log, for the owners that histories name.
struct HistoryAccounts {
  private let records: [AccountRecord]
  /// The account of the command line, or the only one.
  let usual: AccountRecord?
  /// True if the command line creates the account.
  let isNew: Bool
  private let isNamed: Bool

  /// - Parameters:
  ///   - records: those of the log.
  ///   - options: its JID is prepared.
  init(_ records: [AccountRecord], _ options: Import.Options) throws(LogCommandFailure) {
    let known = ImportedAccounts(records, options)
    let named = options.account.flatMap { known.withNewOne.named($0) }
    if let name = options.account, named == nil {
      throw .account("the log has no account \(TerminalText.quoted(name)): create it with --jid JID")
    }
    guard options.account != nil || !records.isEmpty else { throw .account(Import.noAccount) }
    isNew = options.account.map { known.named($0) == nil } ?? false
    (isNamed, usual) = (named != nil, named ?? (records.count == 1 ? records.first : nil))
    self.records = records
  }

  /// The account of a history; nil: the log has none. One that names no owner goes to the only account.
  func account(_ owner: String?) -> AccountRecord? {
    guard let owner else { return usual }
    let jid = String(owner.prefix { $0 != "/" }).lowercased()
    if let usual, usual.jid == jid { return usual }
    return records.filter { $0.jid == jid }.max { $0.number < $1.number } ?? (isNamed ? usual : nil)
  }
}
