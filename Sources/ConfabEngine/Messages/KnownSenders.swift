import XML
import XMPPCore

/// The addresses that lately stood in `from`, read once: those who write, write again. Records of one sender share its
/// strings, too. As many as there are slots; a newcomer takes the place of who was there.
struct KnownSenders {
  /// Somebody whose address is one.
  struct Sender {
    /// As it came.
    fileprivate let text: String
    let jid: JID
    /// The bare form, which names the conversation.
    let bare: String
  }

  private var slots: [Sender?] = Array(repeating: nil, count: 64)

  /// Nil where the text is no address.
  mutating func sender(_ text: String) -> Sender? {
    let slot = Self.slot(of: text)
    if let known = slots[slot], known.text.utf8.elementsEqual(text.utf8) { return known }
    guard let jid = try? JID(text) else { return nil }
    let sender = Sender(text: text, jid: jid, bare: jid.bare.description)
    slots[slot] = sender
    return sender
  }

  /// Whoever sends addresses made to meet in one slot gains nothing but that each is read.
  private static func slot(of text: String) -> Int {
    let bytes = text.utf8.span
    var hash: UInt32 = 0
    for index in bytes.indices { hash = hash &* 31 &+ UInt32(bytes[index]) }
    return Int((hash ^ hash >> 16) & 63)
  }
}
