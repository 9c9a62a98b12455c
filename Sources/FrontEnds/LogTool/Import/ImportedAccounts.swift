import ConfabClient
import Records

/// The accounts that lines may belong to.
struct ImportedAccounts {
  private let records: [AccountRecord]
  private let options: Import.Options

  /// - Parameter records: those of the log.
  init(_ records: [AccountRecord], _ options: Import.Options) {
    (self.records, self.options) = (records, options)
  }

  var isEmpty: Bool { records.isEmpty }

  /// These accounts, and the account that the command line names, if it gives a JID and the account does not exist.
  var withNewOne: ImportedAccounts {
    guard let name = options.account, let jid = options.jid, named(name) == nil else { return self }
    return ImportedAccounts(records + [AccountRecord(number: 0, name: name, jid: jid)], options)
  }

  /// The account of that name, or JID: with the JID that the command line says of the name, else the newest, since one whose
  /// JID was changed in the configuration is another account.
  func named(_ name: String) -> AccountRecord? {
    let jid = name == options.account ? options.jid : nil
    let found = records.filter { $0.name == name && (jid == nil || $0.jid == jid) || $0.jid == name }
    return found.max { $0.number < $1.number }
  }

  /// The account of a line that names this one, or none.
  func account(_ name: String?) throws(LineProblem) -> AccountRecord {
    if let name = name ?? options.account {
      guard let found = named(name) else { throw LineProblem("the log has no account \(TerminalText.quoted(name))") }
      return found
    }
    guard let only = records.first, records.count == 1 else {
      throw LineProblem("the line names no account: add --account NAME")
    }
    return only
  }
}
