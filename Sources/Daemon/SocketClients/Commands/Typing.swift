import ConfabAccounts
import LineProtocol
import Records
import XMPPCore
import XMPPExtensions

/// `typing`: sends a chat state to a contact (XEP-0085).
extension Command {
  static let typing: [Verb: Handler] = [.typing: { try $0.sayTyping() }]

  private func sayTyping() throws(RequestFailure) {
    let account = try account()
    let jid = try jid()
    try context.checkOnline(account)
    let state = ChatState(rawValue: request.string(.state) ?? "") ?? .active
    if let recipient = recipient(of: jid, account) {
      account.parts.messaging.chatStates.say(state, to: recipient, by: client.id)
    }
    answerOK()
  }

  /// The recipient of a state: a contact, a small room in which I may speak, or the occupant with whom a private
  /// conversation was begun, as long as he is there.
  private func recipient(of jid: JID, _ account: Account) -> ChatStates.Recipient? {
    guard account.room(jid.bare) != nil, let room = account.parts.messaging.rooms[jid.bare.description] else {
      return .contact(jid)
    }
    guard let nick = jid.resource else { return room.sharesSignals ? .room(jid) : nil }
    let known = context.firstOccupant(in: jid.description, of: account) ?? Occupant(nick: nick)
    return room.presence(of: known) == .there ? .occupant(jid) : nil
  }
}
