import ConfabClient

/// A part of a message that leads somewhere: a link, a mention, a topic.
package struct TextTarget: Equatable, Sendable {
  /// In Unicode scalars of the text.
  let range: Range<Int>
  /// The text that is copied: a URI, an address or nick, the words of a topic.
  let target: String
  let kind: MarkedSpan.Kind
  /// The message, and where it is.
  let message: UInt64
  let conversation: ConversationKey

  /// The intent of opening it.
  var intent: Intent {
    switch kind {
    case .mention where target.contains("@"):
      return .open(ConversationKey(account: conversation.account, jid: target), name: "")
    case .mention, .topic: return .find(target, conversation)
    default: break
    }
    let address = target.dropFirst("xmpp:".count)
    guard target.hasPrefix("xmpp:"), address.contains("@"), !address.contains("?"), !address.contains("%") else {
      return .browse(target)
    }
    return .open(ConversationKey(account: conversation.account, jid: String(address)), name: "")
  }

  var title: String {
    switch kind {
    case .mention: "Mention"
    case .topic: "Topic"
    default: "Link"
    }
  }

  /// A description of opening it.
  var words: String {
    switch kind {
    case .mention: target.contains("@") ? "opens the conversation" : "searches for the name"
    case .topic: "searches for the topic"
    default: "opens the link"
    }
  }
}

extension MessageRow {
  /// The links, mentions and topics of the text, in order; links alone if the daemon has marked nothing.
  func targets(in key: ConversationKey) -> [TextTarget] {
    guard !details.spans.isEmpty else {
      let scalars = Array(text.unicodeScalars)
      return ShownLinks.links(in: text).map { range in
        let link = String(String.UnicodeScalarView(scalars[range]))
        return TextTarget(range: range, target: link, kind: .link, message: id, conversation: key)
      }
    }
    return details.spans.filter { [.link, .mention, .topic].contains($0.kind) && !$0.target.isEmpty }.map {
      TextTarget(range: $0.range, target: $0.target, kind: $0.kind, message: id, conversation: key)
    }
  }
}
