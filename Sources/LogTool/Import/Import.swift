import Facts
import LogFiles
import Records
import Syscalls

/// `confab log import`: messages from a file into the log of a daemon that does not run. A line that is wrong is told by
/// its number, and the others go on; what is in the log already is passed over. Where it is cut off, the same file can be
/// imported again.
struct Import {
  /// What the command line says.
  struct Options: Equatable {
    /// `-`: standard input.
    var file = "-"
    /// The account of objects that name none.
    var account: String?
    /// Its JID, where it is to be made.
    var jid: String?
  }

  private let options: Options
  private let output: LineOutput
  private let complaints: LineOutput

  init(_ options: Options, _ output: LineOutput, _ complaints: LineOutput) {
    (self.options, self.output, self.complaints) = (options, output, complaints)
  }

  /// Imports; the exit status.
  func run(_ path: String) throws(LogCommandFailure) -> Int32 {
    guard options.file != "-" else { return try run(path, 0) }
    let file: OwnedFD
    do throws(Errno) {
      file = try Files.openForReading(options.file)
    } catch {
      throw .input(options.file, error.text)
    }
    return try run(path, file.raw)
  }

  private func run(_ path: String, _ descriptor: CInt) throws(LogCommandFailure) -> Int32 {
    var importer = try Importer(path, options)
    var lines = InputLines(descriptor)
    var (number, wrong) = (0, 0)
    while let line = try next(&lines) {
      number += 1
      do throws(LineProblem) {
        try importer.take(line)
      } catch {
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

  private func next(_ lines: inout InputLines) throws(LogCommandFailure) -> InputLines.Line? {
    do throws(Errno) { return try lines.next() } catch { throw .input(options.file, error.text) }
  }
}

/// What lines become.
private struct Importer {
  private let log: WritableLog
  private let options: Import.Options
  private var known: Doubles
  private(set) var imported = 0
  private(set) var doubles = 0
  /// The log cannot be written: nothing more is taken.
  private(set) var failure: LogCommandFailure?

  init(_ path: String, _ options: Import.Options) throws(LogCommandFailure) {
    do throws(WritableLogError) {
      log = try WritableLog(path)
      self.options = options
      known = Doubles(log)
      try makeAccount()
    } catch {
      throw .notWritten(error)
    }
    try checkAccount()
  }

  mutating func take(_ line: InputLines.Line) throws(LineProblem) {
    guard case .whole(let bytes) = line else {
      throw LineProblem("it is longer than \(InputLines.longest) bytes")
    }
    guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { return }
    let message = try ImportedMessage(bytes) { (name) throws(LineProblem) in try account(name) }
    guard !known.contains(message.record) else { return doubles += 1 }
    do throws(WritableLogError) {
      try append(message)
    } catch {
      failure = .notWritten(error)
    }
  }

  func close() throws(LogCommandFailure) {
    do throws(WritableLogError) { try log.close() } catch { throw .notWritten(error) }
  }

  private mutating func append(_ message: ImportedMessage) throws(WritableLogError) {
    known.insert(message.record)
    // Cut off between the two, it would be here already when the file is imported again.
    try log.append(.message(message.record)) { id in message.delivery(of: id).map { .delivery($0) } }
    if log.waitingCount == 0 { known.forgetWaiting() }
    imported += 1
  }

  /// The account that the command line names is made where it says its JID too.
  private func makeAccount() throws(WritableLogError) {
    guard let name = options.account, let jid = options.jid, account(named: name) == nil else { return }
    let number = log.facts.account(name, jid)?.record.number ?? log.facts.freeNumber
    try log.append(.account(AccountRecord(number: number, name: name, jid: jid)))
    try log.commit()
  }

  /// What no line can mend is told once.
  private func checkAccount() throws(LogCommandFailure) {
    guard !log.facts.accounts.isEmpty else { throw .account("the log has no account: say --account NAME --jid JID") }
    guard let name = options.account, account(named: name) == nil else { return }
    throw .account("there is no account \(SafeText.quoted(name)) in the log: say its --jid, too")
  }

  /// The account of that name: with the JID that the command line says of it, else the newest, since one whose JID was
  /// changed in the configuration is another account.
  private func account(named name: String) -> AccountRecord? {
    let jid = name == options.account ? options.jid : nil
    return log.facts.accounts.values.map(\.record).filter { $0.name == name && (jid == nil || $0.jid == jid) }
      .max { $0.number < $1.number }
  }

  private func account(_ name: String?) throws(LineProblem) -> AccountRecord {
    if let name = name ?? options.account {
      guard let found = account(named: name) else {
        throw LineProblem("there is no account \(SafeText.quoted(name)) in the log")
      }
      return found
    }
    let accounts = log.facts.accounts.values.map(\.record)
    guard let only = accounts.first, accounts.count == 1 else {
      throw LineProblem("it names no account: say --account")
    }
    return only
  }
}
