import Clocks
import ConfabClient

/// Presences of people, as far as they are known.
extension SocketModel {
  /// nil if it is not known: of one who is no contact or does not show it, and without a daemon or a connection of the account.
  func availability(_ key: ConversationKey) -> ContactRow.Availability? {
    guard link == .connected, let contact = contacts[key] else { return nil }
    if contact.isBlocked { return .blocked }
    guard isOnline(key.account), let availability = known(contact.availability, key.account) else { return nil }
    return contact.isSeen || availability != .offline ? availability : nil
  }

  /// The presence of a contact in words; empty if it is not known.
  func presenceWords(_ contact: ContactRow) -> String {
    guard link == .connected else { return "" }
    var contact = contact
    contact.availability = known(contact.availability, contact.key.account)
    return contact.presenceWords(isOnline: isOnline(contact.key.account))
  }

  /// When the next account has all presences that come with its login; nil: they are here.
  var presencesDue: Timestamp? { accounts.compactMap(\.presencesDue).filter { $0 > wall }.min() }

  /// An availability as far as it is known: nil of somebody who seems offline while the presences of a login still come.
  private func known(_ availability: ContactRow.Availability?, _ account: String) -> ContactRow.Availability? {
    let due = self.account(named: account)?.presencesDue
    return availability == .offline && due.map { $0 > wall } ?? false ? nil : availability
  }

  /// The account of a conversation; nil if the daemon does not tell.
  ///
  /// - Parameter name: empty while there is one account only.
  func account(named name: String) -> AccountRow? { accounts.first { $0.name == name || name.isEmpty } }

  private func isOnline(_ account: String) -> Bool { self.account(named: account)?.isOnline ?? true }
}
