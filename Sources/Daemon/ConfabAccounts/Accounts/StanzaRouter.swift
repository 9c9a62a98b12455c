import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Routes what a logged-in stream receives to the parts of its account. It decides nothing itself.
final class StanzaRouter {
  /// Why a stream ends, decided by what was received.
  enum End {
    /// The server closed the stream in order.
    case closed
    /// The server ended the stream with an error, or broke the rules.
    case failed(StreamFailure)
  }

  private let jid: JID
  private let parts: AccountParts
  private let stream: ReliableStream
  private let messages: MessageRouter
  let iqs: IQRouter
  /// True if the parser's budget of names is spent: the stream has to be renewed.
  private(set) var mustRenew = false

  init(of jid: JID, _ parts: AccountParts) {
    (self.jid, self.parts) = (jid, parts)
    stream = parts.core.stream
    (messages, iqs) = (MessageRouter(parts), IQRouter(parts))
  }

  /// A stream begins or goes on, with a parser of its own.
  func streamBegins() { mustRenew = false }

  /// Handles one item of the stream; returns the reason if it is the last.
  func receive(_ item: consuming StreamItem) -> End? {
    parts.core.keepAlive.heard()
    switch consume item {
    case .stanza(let element): return receive(element)
    case .answerBegins(let element):
      parts.people.roster.begin(element, own: own)
      parts.core.requests.begin(element, own: own)
    case .answerPart(let element):
      parts.people.roster.receiveItem(element)
      parts.core.requests.receivePart(element)
    case .answerEnds:
      parts.people.roster.end()
      parts.core.requests.end()
      stream.handled()
    case .refused(let refused): skip(refused)
    case .namesExhausted: mustRenew = true
    case .end: return .closed
    case .failed(let failure): return .failed(.xml(failure))
    case .header: return .failed(.protocolViolation("a second stream header"))
    }
    return nil
  }

  /// The bound JID.
  private var own: JID { stream.record.jid ?? jid }

  private func receive(_ element: Element) -> End? {
    if let kind = StanzaHeader.kind(of: element) {
      switch kind {
      case .message:
        receive(message: element)
        parts.messaging.encryption.settle()
      case .presence: receive(presence: element)
      case .iq:
        iqs.receive(element, own: own)
        // The archive may have got further.
        parts.messaging.displayed.advance()
      }
      stream.handled()
      return nil
    }
    if let management = StreamManagementElement(element) { return receive(management) }
    if StreamError.isStreamError(element) { return .failed(StreamFailure(streamError: element)) }
    return .failed(.protocolViolation("an element that is not a stanza: \(element.local)"))
  }

  private func receive(message element: Element) {
    let decider = parts.messaging.inbox.decider
    let rooms = parts.messaging.rooms
    if !rooms.isEmpty, let sender = decider.sender(of: element), rooms.receive(element, from: sender) { return }
    messages.route(decider.decide(element))
  }

  private func receive(presence element: Element) {
    if parts.messaging.rooms.receive(element) { return }
    if let asker = parts.people.presence.receive(element, own: own) {
      parts.people.nicknames.receive(request: element, from: asker)
    }
    for part in parts.listeners { part.receive(presence: element, own: own) }
  }

  private func receive(_ element: StreamManagementElement) -> End? {
    switch stream.receive(element, isAhead: parts.core.offers.isAhead) {
    case .none: break
    case .started: parts.messaging.outbox.pump()
    case .acknowledged(let ids):
      parts.messaging.outbox.acknowledged(ids)
      parts.messaging.receipts.acknowledged(stream.counters.acknowledgedCount)
    case .failed(let failure): return .failed(failure)
    }
    return nil
  }

  /// The parser skipped an element that is over its limits.
  private func skip(_ refused: RefusedStanza) {
    parts.messaging.inbox.limits.note(refused)
    if refused.id == parts.core.requests.pending.rosterID { parts.people.roster.skipped(refused.reason) }
    iqs.skipped(refused)
    if refused.isStanza { stream.handled() }
  }
}

extension RefusedStanza {
  /// True for an element that XEP-0198 counts.
  fileprivate var isStanza: Bool {
    ["message", "presence", "iq"].contains(name) && namespace == Namespace.client.description
  }
}
