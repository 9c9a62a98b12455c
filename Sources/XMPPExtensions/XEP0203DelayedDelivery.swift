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
    self.time = time
    self.claimed = claimed
  }

  /// Looks at the stamps of a message. Of several, the last counts: whoever delivers it adds theirs behind what came.
  /// A stamp that is no time is none.
  ///
  /// A server should drop stamps in its own name that it did not make (section 8); where it does not, a sender can
  /// forge one. Nothing but the place of a message hangs on it.
  ///
  /// - Parameter own: our own address.
  package init(of message: Element, own: JID) {
    for delay in message.children where delay.isNamed("delay", Namespace.delay) {
      guard let stamp = delay.attribute("stamp").flatMap({ Timestamp(rfc3339: $0) }) else { continue }
      if Self.mayStamp(delay.attribute("from"), own) { time = stamp } else { claimed = stamp }
    }
  }

  private static func mayStamp(_ from: String?, _ own: JID) -> Bool {
    guard let from = from.flatMap({ try? JID($0) }) else { return false }
    return from == own.server || from == own.bare
  }
}
