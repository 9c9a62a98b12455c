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
    let id = try log.append(.message(message.record))
    known.insert(message.record)
    if message.state != .sent || message.inDoubt {
      var delivery = DeliveryRecord(
        account: message.record.account, jid: message.record.jid, time: message.record.time, id: id,
        state: message.state, failure: message.failure)
      delivery.inDoubt = message.inDoubt
      try log.append(.delivery(delivery))
    }
    if log.waitingCount == 0 { known.forgetWaiting() }
    imported += 1
  }

  /// The account that the command line names is made where it says its JID too.
  private func makeAccount() throws(WritableLogError) {
    let accounts = log.facts.accounts.values.map(\.record)
    guard let name = options.account, let jid = options.jid, !accounts.contains(where: { $0.name == name }) else {
      return
    }
    try log.append(
      .account(AccountRecord(number: (accounts.map(\.number).max() ?? 0) + 1, name: name, jid: jid)))
    try log.commit()
  }

  /// What no line can mend is told once.
  private func checkAccount() throws(LogCommandFailure) {
    let names = log.facts.accounts.values.map(\.record.name)
    guard !names.isEmpty else { throw .account("the log has no account: say --account NAME --jid JID") }
    guard let name = options.account, !names.contains(name) else { return }
    throw .account("there is no account \(SafeText.quoted(name)) in the log: say its --jid, too")
  }

  private func account(_ name: String?) throws(LineProblem) -> AccountRecord {
    let accounts = log.facts.accounts.values.map(\.record)
    if let name = name ?? options.account {
      guard let found = accounts.first(where: { $0.name == name }) else {
        throw LineProblem("there is no account \(SafeText.quoted(name)) in the log")
      }
      return found
    }
    guard let only = accounts.first, accounts.count == 1 else {
      throw LineProblem("it names no account: say --account")
    }
    return only
  }
}
