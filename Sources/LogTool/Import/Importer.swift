import Clocks
import Conversations
import Facts
import Records

/// What lines become.
struct Importer {
  private let log: WritableLog
  private let options: Import.Options
  private let addresses: ImportedAddresses
  private var known: Doubles
  private(set) var imported = 0
  private(set) var doubles = 0
  /// The log cannot be written, or addresses cannot be prepared: nothing more is taken.
  private(set) var failure: LogCommandFailure?

  init(
    _ path: String, _ options: Import.Options, _ prepare: @escaping PrepareAddress
  ) throws(LogCommandFailure) {
    do throws(WritableLogError) {
      log = try WritableLog(path)
      (self.options, addresses) = (options, ImportedAddresses(prepare))
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
    let message = try read(bytes)
    do throws(WritableLogError) {
      guard let found = known.find(message.record) else { return try append(message) }
      doubles += 1
      if case .stored(let id) = found { try addState(of: message, to: id) }
    } catch {
      failure = .notWritten(error)
    }
  }

  private mutating func read(_ line: [UInt8]) throws(LineProblem) -> ImportedMessage {
    do throws(LineProblem) {
      return try ImportedMessage(line, addresses) { (name) throws(LineProblem) in try account(name) }
    } catch {
      if error.endsAll { failure = .addresses(error.reason) }
      throw error
    }
  }

  func close() throws(LogCommandFailure) {
    do throws(WritableLogError) { try log.close() } catch { throw .notWritten(error) }
  }

  private mutating func append(_ message: ImportedMessage) throws(WritableLogError) {
    known.insert(message.record)
    try log.append(.message(message.record)) { id in message.delivery(of: id).map { .delivery($0) } }
    if log.waitingCount == 0 { known.forgetWaiting() }
    imported += 1
  }

  /// One that is here, by an import that was cut off behind it or by another device, and of which no more is known than
  /// that it was sent. What was queued has left since where the archive has it, at another time.
  private func addState(of message: ImportedMessage, to id: UInt64) throws(WritableLogError) {
    guard var delivery = message.delivery(of: id), let known = log.message(id), known.elsewhere,
      !message.wasQueued || known.time == delivery.time,
      let timeline = log.facts.existingConversation(known.account, known.jid)?.timeline,
      let row = timeline.row(ofTime: Timestamp(milliseconds: known.time), id: id),
      timeline[row].flags.state == .sent, !timeline[row].flags.contains(.inDoubt)
    else { return }
    delivery.time = known.time
    try log.append(.delivery(delivery))
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
    guard !log.facts.accounts.isEmpty else { throw .account(Import.noAccount) }
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
