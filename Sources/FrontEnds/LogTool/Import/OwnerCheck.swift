import ConfabClient
import Records

/// Finds out, before anything is written, whether a file is the history of another owner than the account's that it would go
/// into: a line says whose it is by `account_jid`, or, without it, as the author of a message that is `mine`.
struct OwnerCheck {
  let accounts: ImportedAccounts
  let addresses: ImportedAddresses

  /// Reads all lines.
  ///
  /// - Throws: `.account` for the first line of another owner's.
  func run(_ next: () throws(LogCommandFailure) -> InputLines.Line?) throws(LogCommandFailure) {
    var number = 0
    while let line = try next() {
      number += 1
      guard case .whole(let bytes) = line else { continue }
      do throws(LineProblem) {
        try check(bytes)
      } catch {
        if error.endsAll { throw .addresses(error.reason) }
        if error.isOfAnotherOwner { throw .account("line \(number): \(error.reason)") }
      }
    }
  }

  private func check(_ line: [UInt8]) throws(LineProblem) {
    let object = try ImportedObject(line, addresses)
    let account = try accounts.account(try object.text("account"))
    guard !account.jid.isEmpty, let owner = try object.otherOwner(than: account.jid) else { return }
    throw LineProblem(
      "it is of the history of \(owner), but account \(TerminalText.quoted(account.name)) is \(account.jid); nothing was "
        + "imported: name an account of \(owner) with --account NAME --jid \(owner)", isOfAnotherOwner: true)
  }
}

extension ImportedObject {
  /// The bare JID of the owner that the line names, if that is not this one; nil: it is, or the line names none.
  fileprivate func otherOwner(than own: String) throws(LineProblem) -> String? {
    if let owner = try name("account_jid") { return try bareAddress("account_jid", owner, unless: own) }
    guard try flag("mine") == true, let author = try name("from") else { return nil }
    return try bareAddress("from", author, unless: own)
  }

  private func bareAddress(_ name: String, _ text: String, unless own: String) throws(LineProblem) -> String? {
    guard try person(name, text, being: own) == nil else { return nil }
    return String(try address(name, of: text).prefix { $0 != "/" })
  }
}
