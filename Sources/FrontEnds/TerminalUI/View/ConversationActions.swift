import ConfabClient
import LineProtocol

/// Maps an action to the intent for a whole conversation: the open one, or the one at the cursor.
struct ConversationActions {
  let key: ConversationKey
  let row: ConversationRow?
  /// The message from which on it is marked unread.
  let unreadFrom: UInt64?

  /// nil: the action is no such action, or there is nothing that it could be done with.
  func intent(_ action: UserAction) -> Intent? {
    switch action {
    case .markRead: request(.read, [:], "mark \(key.jid) read")
    case .readAll: .request(Request(.read, options: [.all: .string("yes")]), "mark everything read")
    case .markUnread: unreadFrom.map { request(.unreadFrom, [.id: .id($0)], "mark unread") }
    case .mute: .popup(.mute(key))
    case .pin: choice(.pin, !(row?.isPinned ?? false))
    case .archive: choice(.archive, !(row?.isArchived ?? false))
    default: nil
    }
  }

  func choice(_ verb: Verb, _ isYes: Bool) -> Intent {
    request(verb, [.value: .string(isYes ? "yes" : "no")], "\(isYes ? "" : "un")\(verb.rawValue) \(key.jid)")
  }

  private func request(_ verb: Verb, _ arguments: NamedValues<ArgumentName>, _ label: String) -> Intent {
    var request = Request(verb, arguments: arguments, account: key.accountName)
    request.arguments[.jid] = .string(key.jid)
    return .request(request, label)
  }
}
