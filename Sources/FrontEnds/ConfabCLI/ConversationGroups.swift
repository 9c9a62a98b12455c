import LineProtocol

// Anybody can begin conversations, any number of them: for people, those of strangers are behind all others.
extension Request {
  /// Over the conversations of strangers.
  static let strangersTitle = "Strangers, neither in the roster nor ever written to:"

  /// True if the request lists the conversations of all people, from the beginning of the list.
  var listsEverybody: Bool { verb == .conversations && options[.known] == nil && options[.before] == nil }

  /// Returns the request limited to one group: people whom I know, or strangers.
  func of(known: Bool) -> Request {
    var request = self
    request.options[.known] = .string(known ? "yes" : "no")
    return request
  }
}
