import LineProtocol

// Anybody can begin conversations, any number of them: for people, those of strangers stand behind all others.
extension Request {
  /// Over the conversations of strangers.
  static let strangersTitle = "Strangers, neither in the roster nor ever written to:"

  /// Whether it asks for a list of conversations from its beginning, of everybody.
  var listsEverybody: Bool { verb == .conversations && options[.known] == nil && options[.before] == nil }

  /// The same, of one group.
  func of(known: Bool) -> Request {
    var request = self
    request.options[.known] = .string(known ? "yes" : "no")
    return request
  }
}
