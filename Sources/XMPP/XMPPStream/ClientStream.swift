package import SASL
package import XML

/// One client stream over one connection: the parser and the negotiator behind one interface. Bytes come in; what is to
/// be done, and the items of the negotiated stream, go out. It knows no socket, clock, password or random source.
package final class ClientStream {
  /// The actions of the negotiation, in order.
  package enum Event: Sendable {
    /// Write these bytes.
    case send([UInt8])
    /// Begin the TLS handshake; `secured` follows.
    case startTLS
    /// Make this of the account's password; `derived` follows.
    case derive(CredentialRequest)
    /// Write the first stanzas behind what was sent before: the resource is requested.
    case sendInitialStanzas(streamManagement: Bool, rosterVersioning: Bool)
    /// `<resume/>` was sent, or will be with what is expected.
    case resuming
    /// Negotiated: the earlier stream goes on, and the server has handled this many of our stanzas.
    case resumed(NegotiatedStream, handled: UInt32)
    /// The earlier stream is over; the server may say how many of our stanzas it had handled. A resource is bound instead.
    case notResumed(condition: String, handled: UInt32?)
    /// Negotiated: a new stream begins.
    case ready(NegotiatedStream)
    /// The negotiation failed at this step: flush what was sent, then close the connection.
    case failed(StreamFailure, at: NegotiationStep?)
  }

  private var parser = StreamParser(limits: .unauthenticated)
  private var negotiator: Negotiator
  private var isNegotiated = false
  /// True if more items follow the present one in the bytes that are being handled.
  private var hasMoreItems = false
  private var isClosed = false

  package init(_ parameters: Negotiator.Parameters) { negotiator = Negotiator(parameters) }

  /// True if we sent something before the server asked for it, and the server has not answered it.
  package var isAhead: Bool { negotiator.isAhead }

  /// The current step of the negotiation; nil when it is over.
  package var step: NegotiationStep? { negotiator.step }

  /// The ids of the iqs whose answers come in parts.
  package func takeInParts(answersTo ids: [String]) {
    if parser.partedAnswerIDs != ids { parser.partedAnswerIDs = ids }
  }

  /// The connection ends: items that follow in the same bytes are dropped.
  package func close() { isClosed = true }

  /// Bytes of the stream, in order; `take` gets the items of the negotiated stream.
  package func receive(
    _ bytes: [UInt8], _ perform: (Event) -> Void, take: (consuming StreamItem) -> Void
  ) {
    var items: [StreamItem] = []
    parser.feed(bytes, into: &items)
    let current = parser
    defer { hasMoreItems = false }
    for index in items.indices {
      // A new parser means a new stream: items behind the element that ended the old one are dropped.
      guard !isClosed, current === parser else { return }
      hasMoreItems = index + 1 < items.count
      // Swapped out, because an item that is read in its place is copied.
      var item = StreamItem.end
      swap(&item, &items[index])
      if isNegotiated { take(item) } else { negotiate(.item(item), perform) }
    }
  }

  /// An event of the connection.
  package func negotiate(_ input: Negotiator.Input, _ perform: (Event) -> Void) {
    let (step, wasResuming) = (negotiator.step, negotiator.isResuming)
    var actions: [Negotiator.Action] = []
    negotiator.handle(input, into: &actions)
    if negotiator.isResuming, !wasResuming { perform(.resuming) }
    for action in actions where !isClosed {
      switch action {
      case .send(let bytes): perform(.send(bytes))
      case .startTLS: perform(.startTLS)
      case .derive(let request): perform(.derive(request))
      case .sendInitialStanzas(let streamManagement, let rosterVersioning):
        perform(.sendInitialStanzas(streamManagement: streamManagement, rosterVersioning: rosterVersioning))
      case .notResumed(let condition, let handled): perform(.notResumed(condition: condition, handled: handled))
      case .resumed(let stream, let handled):
        isNegotiated = true
        perform(.resumed(stream, handled: handled))
      case .ready(let stream):
        isNegotiated = true
        perform(.ready(stream))
      case .fail(let failure): perform(.failed(failure, at: step))
      case .newParser(let limits):
        let isClean = parser.pendingBytes == 0 && !hasMoreItems
        parser = StreamParser(limits: limits)
        hasMoreItems = false
        // The server may not speak before our new stream header: it was injected in the clear behind `<proceed/>`, or is
        // a violation (RFC 6120, 5.4.3.3).
        guard isClean else { return negotiate(.leftover, perform) }
      }
    }
  }
}
