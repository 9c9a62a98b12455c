package import XML
import XMPPCore

/// XEP-0444: the emoji with which somebody reacts to a message. Each message has all of them: those before are of no account
/// any more.
package enum MessageReactions {
  package static let namespace: StaticString = "urn:xmpp:reactions:0"

  /// More emoji of one person are not taken.
  package static let most = 32
  private static let longestEmoji = 64

  /// The stanza's id of the message, and the emoji, each once; nil if there is no id that could be one.
  static func target(_ reactions: Element) -> (id: String, emoji: [String])? {
    guard let id = StanzaIDs.id(in: reactions) else { return nil }
    var emoji: [String] = []
    for reaction in reactions.children where reaction.isNamed("reaction", namespace) && emoji.count < most {
      let text = reaction.text
      if isEmoji(text), !emoji.contains(text) { emoji.append(text) }
    }
    return (id, emoji)
  }

  /// True if a text is a single emoji (section 5, by UTS #51).
  package static func isEmoji(_ text: String) -> Bool {
    guard text.utf8.count <= longestEmoji, text.count == 1, let first = text.unicodeScalars.first,
      first.properties.isEmoji
    else { return false }
    // Digits and some signs are emoji only with what makes them such.
    let isShown = first.value > 0x238C || first.properties.isEmojiPresentation
    return isShown || text.unicodeScalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
  }

  /// All that is in the message.
  package static func write(_ emoji: [String], to id: String, into writer: inout XMLWriter) {
    writer.open("reactions", xmlns: namespace, attributes: ["id": id])
    for emoji in emoji { writer.element("reaction", text: emoji) }
    writer.close()
    MessageHints.writeStore(into: &writer)
  }
}
