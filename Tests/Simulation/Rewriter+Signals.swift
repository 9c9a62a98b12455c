/// Mistakes with what people say of messages.
extension Rewriter {
  /// What the engine reads.
  static func signals(_ text: String, _ bug: Mistake) -> String {
    switch bug {
    case .lostBareSignal: withoutBareSignals(text)
    case .lostOldMarker:
      replaced("<acknowledged ", "<x ", replaced("<received xmlns='\(Signal.markers)'", "<x xmlns='x'", text))
    case .lostBounce: replaced("/phone' type='error' id='", "/phone' type='error' x='", text)
    case .unknownOrigin: replaced("<origin-id xmlns='urn:xmpp:sid:0' id='o-", "<x id='x-", text)
    default: text
    }
  }

  private static func withoutBareSignals(_ text: String) -> String {
    text.split(separator: "<message ", omittingEmptySubsequences: false).map { part in
      let isBare = ["org", "example"].contains { part.contains("\($0)' type='chat' id='signal-") }
      return isBare && part.hasPrefix("from='")
        ? replaced("<received ", "<x ", replaced("<displayed ", "<x ", String(part))) : String(part)
    }.joined(separator: "<message ")
  }
}
