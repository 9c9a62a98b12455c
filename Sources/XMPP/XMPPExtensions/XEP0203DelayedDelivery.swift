package import Clocks
package import XML
package import XMPPCore

/// XEP-0203: when a message was really sent, and who says so.
package struct DelayStamp: Sendable, Equatable {
  /// Stamped by somebody who may: our own server, or our own account.
  package var time: Timestamp?
  /// Stamped by anybody else, or by nobody in particular: what they claim.
  package var claimed: Timestamp?

  package init(time: Timestamp? = nil, claimed: Timestamp? = nil) {
    (self.time, self.claimed) = (time, claimed)
  }

  /// Reads the stamps of a message. Among several in our server's name the last counts: a server adds its own behind
  /// the sender's. The others are claims, and the oldest claim counts: each station that holds a message up adds its
  /// own, and the first is nearest to when it was sent. A stamp that is no time is none.
  ///
  /// A stamp that does not say whose it is, is of whoever sent the message: it is believed where our own server or
  /// account did, and is a claim everywhere else.
  ///
  /// A server should drop stamps in its own name that it did not make (section 5); where it does not, a sender can
  /// forge one: whether it can be true is for the engine to decide.
  ///
  /// - Parameter own: our own address.
  package init(of message: Element, own: JID) {
    for delay in message.children where delay.isNamed("delay", Namespace.delay) {
      guard let stamp = delay.attribute("stamp").flatMap({ Timestamp(rfc3339: $0) }) else { continue }
      if Self.mayStamp(delay, of: message, own) {
        if let time { claim(time) }
        time = stamp
      } else {
        claim(stamp)
      }
    }
  }

  /// Returns the last stamp of exactly one entity, such as a room, for as long as that sends what was said before we
  /// came; later an occupant may forge it.
  package static func time(of message: Element, by assigner: JID) -> Timestamp? {
    message.children("delay", Namespace.delay).last { $0.jid("from") == assigner }?.attribute("stamp").flatMap {
      Timestamp(rfc3339: $0)
    }
  }

  private mutating func claim(_ stamp: Timestamp) { claimed = min(claimed ?? stamp, stamp) }

  private static func mayStamp(_ delay: Element, of message: Element, _ own: JID) -> Bool {
    // A stanza without a sender is from our own account (RFC 6120, section 8.1.2.1).
    guard let from = delay.attribute("from") ?? message.attribute("from") else { return true }
    guard let from = try? JID(from) else { return false }
    return from == own.server || from == own.bare
  }
}
