import Bytes
import XML
import XMPPCore

/// A cache of parsed `from` addresses: senders write again. Records of one sender share its strings, too. Each slot
/// holds one address; a newcomer replaces the previous one.
struct SenderCache {
  /// A sender with a valid address. A reference, because it is passed on for each message.
  final class Sender {
    /// The address as it was received.
    fileprivate let text: [UInt8]
    let jid: JID
    /// The bare form, which names the conversation.
    let bare: String
    /// The resource, which names an occupant of a room; empty if there is none.
    let nick: String

    fileprivate init(text: [UInt8], jid: JID) {
      (self.text, self.jid, bare, nick) = (text, jid, jid.bare.description, jid.resource ?? "")
    }

    fileprivate func isWritten(_ bytes: Span<UInt8>) -> Bool { text.hasBytes(of: bytes) }
  }

  /// Empty until the first one comes: most rooms are silent.
  private var slots: [Sender?] = []

  /// The sender in an attribute of a stanza; our own account if the attribute is missing. Nil if it is no address.
  mutating func sender(_ attribute: KnownName, of stanza: Element, or own: JID) -> Sender? {
    stanza.lendAttribute(attribute) { sender($0) } ?? sender(own.description.utf8.span)
  }

  /// Nil where the text is no address.
  mutating func sender(_ text: Span<UInt8>) -> Sender? {
    if slots.isEmpty { slots = Array(repeating: nil, count: 256) }
    let slot = Self.slot(of: text)
    if let known = slots[slot], known.isWritten(text) { return known }
    let bytes = Array<UInt8>(capacity: text.count) { $0.append(copying: text) }
    guard let jid = try? JID(String(decoding: bytes, as: UTF8.self)) else { return nil }
    let sender = Sender(text: bytes, jid: jid)
    slots[slot] = sender
    return sender
  }

  /// The slot of an address, by the bits of the hash that the last bytes change: nicks in a room differ there alone. A
  /// sender who makes addresses collide gains nothing: each one is parsed again.
  private static func slot(of bytes: Span<UInt8>) -> Int { Int(bytes.cacheHash >> 16) }
}
