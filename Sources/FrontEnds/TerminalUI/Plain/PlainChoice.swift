/// The open conversation of the plain mode, as far as it was said.
struct PlainTalk {
  let key: ConversationKey
  /// Whether the newest messages were said.
  var isSaid = false
  /// Day of the message that was said last, in days since 1970-01-01.
  var day: Int64
}

/// The conversations by the numbers with which they were said last.
struct PlainChoice {
  var numbered: [ConversationKey] = []
  /// Whether the line before said them: then a number chooses one of them, whatever is open.
  var isNext = false
  /// Whether the last name opened nothing: texts that follow were written for somebody else than a later line may open.
  var isMissed = false

  static let refusal = "Not sent: no conversation is open. Type a number of /list, or /open NAME."

  /// The conversation of a number, from 1; nil if none has it.
  subscript(number: Int) -> ConversationKey? {
    numbered.indices.contains(number - 1) ? numbered[number - 1] : nil
  }
}
