import ConfabClient
import LineProtocol

extension Request {
  /// A request about a room, in its account.
  init(
    _ verb: Verb, in room: ConversationKey, options: NamedValues<OptionName> = [:],
    _ arguments: NamedValues<ArgumentName> = [:], text: String = ""
  ) {
    self.init(
      verb, options: options, arguments: arguments, text: text.isEmpty ? nil : text, account: room.accountName)
    self.arguments[.room] = .string(room.jid)
  }
}
