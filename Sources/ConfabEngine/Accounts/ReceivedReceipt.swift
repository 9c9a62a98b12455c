import Records
import XML
import XMPPCore
import XMPPExtensions

/// A receipt (XEP-0184) or marker (XEP-0333): a message without a text that says how far another one got.
struct ReceivedReceipt {
  enum Subject {
    /// One of mine reached somebody's client.
    case delivered
    /// Somebody has read one of mine, and all before it; or I have read somebody's, on another of my devices.
    case displayed
  }

  let subject: Subject
  /// The stanza id of the message.
  let id: String
  let from: JID
  /// Whom it went to, where that is not this device: it is in a copy, or in the archive.
  let to: JID?

  /// Nil where the message is neither, or does not say of which it speaks.
  init?(_ message: Element, from: JID, to: JID?) {
    if let id = DisplayedMarker.about(message) {
      (subject, self.id) = (.displayed, id)
    } else if let id = DeliveryReceipt.about(message) {
      (subject, self.id) = (.delivered, id)
    } else {
      return nil
    }
    (self.from, self.to) = (from, to)
    guard (1...DeliveryReceipt.longestID).contains(id.utf8.count) else { return nil }
  }
}
