import ConfabAccounts
import Timelines
import State

/// The conversations that clients show to people who are there (docs/PROTOCOL.md, `focus`), one a client at most.
struct Focuses {
  private struct Focus: Equatable {
    let account: UInt32
    let jid: String
  }

  private var byClient: [ClientID: Focus] = [:]

  /// A client shows this conversation.
  mutating func set(_ client: ClientID, account: UInt32, jid: String) {
    byClient[client] = Focus(account: account, jid: jid)
  }

  /// The client shows nothing, or is gone.
  mutating func clear(_ client: ClientID) { byClient[client] = nil }

  var isEmpty: Bool { byClient.isEmpty }

  /// True if any client shows this conversation.
  func contains(_ conversation: Conversation) -> Bool {
    byClient.values.contains(Focus(account: conversation.account, jid: conversation.jid))
  }
}
