package import ConfabAccounts
import Bytes
package import State
import LineProtocol
import MessageLog
import Records
import XMPPCore

/// The sources of an answer to a front end: the state, the accounts as they are now, and the effects.
package final class RequestContext {
  /// Another one once the index was made anew.
  package var state: State
  package let accounts: Accounts
  package let effects: Effects
  package let storage: Storage
  package let records: RecordReader
  let unreadable: UnreadablePlaces
  let emoticons = LoadedEmoticons()

  package init(
    _ state: State, _ accounts: Accounts, _ effects: Effects, _ storage: Storage, _ records: RecordReader,
    _ unreadable: UnreadablePlaces
  ) {
    (self.state, self.accounts, self.effects) = (state, accounts, effects)
    (self.storage, self.records, self.unreadable) = (storage, records, unreadable)
  }

  /// The known damage of the log; nil: none.
  package var damage: KnownDamage? {
    let damage = state.damage.with(unreadable.count)
    return damage.places > 0 ? damage : nil
  }

  /// Something of the log is known to be lost, or could not be read before.
  var mayMissMessages: Bool { damage != nil || records.hasMissed }

  /// The account for a request: the one it names, or else the only one (`account-needed`).
  func account(of request: Request) throws(RequestFailure) -> Account {
    if let name = request.account {
      guard let account = accounts.named(name) else { throw noAccount(name) }
      return account
    }
    guard let only = accounts.all.first, accounts.all.count == 1 else {
      throw accountNeeded
    }
    return only
  }

  /// The error for a request that needs an account and names none; the reason lists the accounts.
  var accountNeeded: RequestFailure {
    let names = accounts.all.map(\.name).joined(separator: ", ")
    let which = names.isEmpty ? "no account is configured" : "several accounts are configured (\(names))"
    return RequestFailure(.accountNeeded, "\(which): choose one with account=", argument: "account")
  }

  /// The accounts that a query covers: the one it names, else all.
  func accounts(of request: Request) throws(RequestFailure) -> [Account] {
    request.account == nil ? accounts.all : [try account(of: request)]
  }

  /// A JID argument or option in the spelling of servers; or the one, as it is or prepared by PRECIS, that a roster or
  /// a conversation has: whoever wrote can be answered, and a conversation of before goes on.
  ///
  /// - Parameter isContact: the roster or block list of the server is meant, so that of several known spellings that of
  ///   servers counts.
  func jid(_ text: String?, _ argument: String, isContact: Bool = false) throws(RequestFailure) -> JID {
    guard let text = text.map({ AddressURI.address(in: $0) }) else {
      throw RequestFailure(.badArgument, "the JID is missing", argument: argument)
    }
    let typed = Result { () throws(JIDError) in try JID(typed: text) }
    let others = JID.otherSpellings(ofTyped: text, than: try? typed.get())
    do {
      if let known = others.first(where: isKnown), !isContact || (try? typed.get()).map(isKnown) != true {
        return known
      }
      return try typed.get()
    } catch {
      throw RequestFailure(.badArgument, "\(argument) is not a JID: \(error.sentence)", argument: argument)
    }
  }

  private func isKnown(_ jid: JID) -> Bool { state.accounts.knows(jid.bare.description) }

  /// The account has to be online: the request cannot be queued.
  func checkOnline(_ account: Account) throws(RequestFailure) {
    guard !account.isOnline else { return }
    throw RequestFailure(.notConnected, "account \(account.name) is not connected: \(account.status.reason)")
  }

  /// Refuses what would have to be stored while nothing can be.
  ///
  /// - Parameter usesDiskReserve: takes the room that is kept for a full disk.
  func checkStorage(usesDiskReserve: Bool = false) throws(RequestFailure) {
    guard let trouble = storage.trouble, !(usesDiskReserve && storage.isOnDiskReserve) else { return }
    throw RequestFailure(trouble.cause == .noSpace ? .noSpace : .storage, "nothing can be stored: \(trouble)")
  }

  /// The account's name where it is not the only one configured: then it is part of every object.
  func shownName(of number: UInt32) -> String? {
    if accounts.all.count == 1, accounts.all.first?.number == number { return nil }
    return state.accounts[number]?.label
  }

  private func noAccount(_ name: String) -> RequestFailure {
    RequestFailure(.notFound, "no account is named \(name); see status", argument: "account")
  }
}
