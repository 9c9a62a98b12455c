import Clocks
import ConfabConfiguration
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// A part of an account that hears what becomes of its streams. It implements the events that it depends on, and has
/// its row in `AccountParts.listeners`.
protocol StreamPart: AnyObject {
  /// The settings of the account changed.
  func configure(_ settings: AccountSettings)

  /// Nothing that was requested is answered any more: a stream begins anew, or goes on without what its server owed.
  func answersAreLost()

  /// The resource is bound, or the stream goes on.
  func streamBegins(_ stream: NegotiatedStream)

  /// It is known what the server and our account can do.
  func featuresAreKnown()

  /// A presence came.
  ///
  /// - Parameter own: the bound JID, whose presences a server may send back.
  func receive(presence: Element, own: JID)

  /// A sync came while the stream is online: what depends on it may leave.
  func synced()

  /// When something is due while the stream is online.
  var deadline: Instant? { get }

  /// Does what is due.
  func tick()

  /// A batch of the log is about to be written: records what is done.
  func recordDone()

  /// The link is lost.
  func linkLost()

  /// The account was removed from the configuration; its stream, if there is one, is about to end.
  func retired()

  /// A client disconnected; the account may be offline.
  func clientLeft(_ client: ClientID)
}

extension StreamPart {
  func configure(_ settings: AccountSettings) {}
  func answersAreLost() {}
  func streamBegins(_ stream: NegotiatedStream) {}
  func featuresAreKnown() {}
  func receive(presence: Element, own: JID) {}
  func synced() {}
  var deadline: Instant? { nil }
  func tick() {}
  func recordDone() {}
  func linkLost() {}
  func retired() {}
  func clientLeft(_ client: ClientID) {}
}

/// A part that keeps what a node of personal eventing holds (XEP-0163). The node is announced by its extension's
/// `+notify` feature (`Registry`).
protocol PersonalNodePart: StreamPart {
  var node: String { get }

  /// Takes an event of the node.
  ///
  /// - Parameter owner: the bare JID whose node it is.
  func receive(_ event: PersonalEvent, of owner: JID)
}
