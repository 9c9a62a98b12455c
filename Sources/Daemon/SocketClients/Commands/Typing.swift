import ConfabAccounts
import LineProtocol
import XMPPExtensions

/// `typing`: sends a chat state to a contact (XEP-0085).
extension Command {
  static let typing: [Verb: Handler] = [.typing: { try $0.sayTyping() }]

  private func sayTyping() throws(RequestFailure) {
    let account = try account()
    let jid = try jid()
    try context.checkOnline(account)
    let state = ChatState(rawValue: request.string(.state) ?? "") ?? .active
    account.parts.messaging.chatStates.say(state, to: jid, by: client.id)
    answerOK()
  }
}
