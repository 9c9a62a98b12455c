import ConfabClient

/// The open conversation of the plain mode, as far as it was said.
struct SpokenConversation {
  let key: ConversationKey
  /// True if the newest messages were printed.
  var isSaid = false
  /// Day of the message that was said last, in days since 1970-01-01.
  var day: Int64
}

/// The conversations by the numbers with which they were said last.
struct PlainChoice {
  var numbered: [ConversationKey] = []
  /// True if the line before printed them: then a number chooses one of them, in whatever conversation.
  var isNext = false
  /// True if the last name opened nothing: texts that follow were written for somebody else than a later line may open.
  var isMissed = false

  static let refusal = "Not sent: no conversation is open. Type a number of /list, or /open NAME."

  /// The conversation of a number, from 1; nil if none has it.
  subscript(number: Int) -> ConversationKey? {
    numbered.indices.contains(number - 1) ? numbered[number - 1] : nil
  }
}
