import Clocks
import State
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Routes iq stanzas: answers to the parts that asked, and requests to the extension that answers them.
final class IQRouter {
  private let parts: AccountParts
  private let requests: Requests
  private let roster: RosterSync
  private let archive: OwnArchive
  private let stream: ReliableStream

  init(_ parts: AccountParts) {
    self.parts = parts
    (requests, stream) = (parts.core.requests, parts.core.stream)
    (roster, archive) = (parts.people.roster, parts.messaging.archive)
  }

  /// Handles an iq stanza; `own` is the bound JID.
  func receive(_ element: Element, own: JID) {
    guard let header = StanzaHeader(element) else { return }
    if header.type == "result" || header.type == "error" {
      guard let purpose = requests.pending.take(header, own: own) else { return }
      receiveAnswer(to: purpose, element, succeeded: header.type == "result")
    } else if header.type == "set", let push = RosterPush(element, own: own) {
      roster.receivePush(push, element)
    } else if BlockList.isPush(element, own: own) {
      stream.send(IQ.result(replyingTo: element))
      parts.people.blocking.receivePush(element)
    } else if let answer = Registry.answer(iq: element, context: context(for: header, own: own)) {
      stream.send(answer)
    }
  }

  private func receiveAnswer(to purpose: PendingIQs.Purpose, _ element: Element, succeeded: Bool) {
    switch purpose {
    case .roster:
      if succeeded { roster.receive(element) } else { roster.refused(StanzaError(parsing: element).sentence) }
    case .features(let subject):
      if parts.core.features.receive(of: subject, succeeded ? DiscoInfo(element) : nil) { tellFeatures() }
    case .archive(let token, let room):
      sync(of: room)?.receiveEnd(element, succeeded: succeeded, token: token)
    case .archivePreferences: archive.receivePreferences(succeeded ? ArchivePreferences(element) : nil)
    case .ping(let order):
      stream.ackRequests.pingAnswered()
      parts.messaging.outbox.acknowledged(upTo: order)
    case .inquiry(let inquiry): inquiry.answered(succeeded ? .result(element) : .error(element))
    }
  }

  /// The fetching of an archive: of a room, or the account's own.
  private func sync(of room: JID?) -> ArchiveSync? {
    room.map { parts.messaging.rooms[$0.description]?.history.sync } ?? archive.sync
  }

  private func tellFeatures() {
    for part in parts.listeners { part.featuresAreKnown() }
  }

  /// An answer that a client waits for was skipped.
  func skipped(_ refused: RefusedStanza) {
    guard refused.name == "iq", let id = refused.id, let inquiry = requests.pending.takeInquiry(id) else { return }
    inquiry.answered(.missing(.refused("the server's answer was skipped: \(refused.reason)")))
  }

  /// A request is not answered.
  func fail(_ purpose: PendingIQs.Purpose, _ outcome: TicketOutcome) {
    switch purpose {
    case .roster:
      // A server that leaves the roster unanswered for so long does it for another reason than pipelining.
      parts.core.offers.isAhead = false
      parts.messaging.outbox.pump()
    case .features(let subject):
      if parts.core.features.lost(subject) { tellFeatures() }
    case .archive(_, let room): sync(of: room)?.timedOut()
    case .archivePreferences: archive.receivePreferences(nil)
    case .inquiry(let inquiry): inquiry.answered(.missing(outcome))
    case .ping: break
    }
  }

  /// The context of a request: its asker, and the answers that it may get (XEP-0030, 0092, 0202).
  private func context(for header: StanzaHeader, own: JID) -> ExtensionContext {
    var context = ExtensionContext.capabilities(at: stream.effects.now.wall)
    context.utcOffsetSeconds = stream.effects.utcOffset(stream.effects.now.wall)
    if header.hasBadFrom { return context }
    context.asker = ExtensionContext.Asker(sender: header.fromJID, own: own) { jid in
      stream.state.contacts[jid.description]?.seesPresence == true
    }
    return context
  }
}

extension ExtensionContext {
  /// The context of our own capabilities; it answers no request.
  static func capabilities(at now: Timestamp) -> ExtensionContext {
    ExtensionContext(softwareVersion: ConfabVersion.text, now: now, asker: .stranger)
  }
}

extension StanzaError {
  /// In words, for the person who asked.
  var sentence: String { "the server says \(condition)" + (text.map { ": \($0)" } ?? "") }
}
