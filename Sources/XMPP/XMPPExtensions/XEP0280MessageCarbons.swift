package import XML
import XMPPCore

/// XEP-0280: what others write to another of our devices, and what is written there.
///
/// Only our own account may say so (CVE-2017-5589): who sent the copy is for the caller to see to.
package struct MessageCarbon: Sendable {
  /// The direction in which the message went.
  package enum Direction: Sendable, Equatable {
    /// From another of our devices.
    case sent
    /// To another of our devices.
    case received
  }

  package let direction: Direction
  package let copy: ForwardedMessage

  /// Reads a `<sent/>` or `<received/>`. Nil where it does not hold exactly one message, or one that its sender wanted no
  /// copies of (section 9).
  package init?(_ element: Element) {
    guard let copy = ForwardedMessage(in: element), !Self.isPrivate(copy.message) else { return nil }
    direction = element.isNamed("sent", Namespace.carbons) ? .sent : .received
    self.copy = copy
  }

  /// True if the sender of a message wants no copies on other devices.
  package static func isPrivate(_ message: Element) -> Bool {
    message.child("private", Namespace.carbons) != nil || message.child("no-copy", Namespace.hints) != nil
  }

  /// Asks our server for copies from now on, on this stream.
  package static func enableRequest(id: String) -> [UInt8] {
    IQ.set(id: id) { $0.empty("enable", xmlns: Namespace.carbons) }
  }
}
