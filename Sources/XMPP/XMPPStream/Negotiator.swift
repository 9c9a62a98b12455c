import Bytes
import SASL
import XML
import XMPPCore
import XMPPExtensions

/// Negotiates one client stream, from the connection to a bound resource (RFC 6120, sections 4 to 7; RFC 7590): events
/// in, actions out. It knows no socket, clock, password or random source.
///
/// Encryption is a state here and not a setting: no path leads from the clear to a login. After `ready` or `fail` every
/// input is ignored.
package struct Negotiator: Sendable {
  let parameters: Parameters
  private var state = State.idle
  /// Something was said before the server's word that would have asked for it, and has not been answered.
  package private(set) var isAhead = false

  enum State {
    case idle
    /// Our header is sent, and with it the reply to the features that are expected.
    case opening(StreamStage, said: [Action])
    /// The server's header is read.
    case awaitingFeatures(StreamStage, StreamOpening, said: [Action])
    /// `<starttls/>` is sent.
    case awaitingProceed
    /// The TLS handshake is under way.
    case securing
    case authenticating(Login, TLSFacts)
    /// `<resume/>` is sent.
    case resuming(Resumption, NegotiatedStream)
    case binding(Binding, NegotiatedStream)
    case finished
  }

  package init(_ parameters: Parameters) {
    self.parameters = parameters
  }

  /// The current step of the negotiation, for time-outs and `status`; nil when it is over.
  package var step: NegotiationStep? {
    switch state {
    case .idle: .connecting
    case .opening(.plain, _), .awaitingFeatures(.plain, _, _), .awaitingProceed, .securing: .securing
    case .opening, .awaitingFeatures: .opening
    case .authenticating: .authenticating
    case .resuming: .resuming
    case .binding: .binding
    case .finished: nil
    }
  }

  /// `<resume/>` is sent, be it ahead of the server, and has not been answered.
  package var isResuming: Bool {
    switch state {
    case .resuming: true
    case .opening(.authenticated, let said), .awaitingFeatures(.authenticated, _, let said):
      !said.isEmpty && parameters.resumption != nil
    default: false
    }
  }

  /// Takes one input and appends what is to be done about it.
  package mutating func handle(_ input: Input, into actions: inout [Action]) {
    if case .finished = state { return }
    do throws(StreamFailure) {
      switch input {
      case .connected: connected(&actions)
      case .secured(let facts): try secured(facts, &actions)
      case .item(let item): try receive(item, &actions)
      case .leftover: throw .protocolViolation("it spoke before the new stream was opened")
      case .derived(let credential): try derived(credential, &actions)
      }
    } catch {
      fail(error, &actions)
    }
  }

  private mutating func connected(_ actions: inout [Action]) {
    guard case .idle = state else { return }
    switch parameters.tls {
    case .direct: state = .securing
    case .startTLS:
      actions.append(.newParser(.unauthenticated))
      open(.plain, &actions)
    }
  }

  private mutating func secured(_ facts: TLSFacts, _ actions: inout [Action]) throws(StreamFailure) {
    switch (state, parameters.tls) {
    case (.idle, .direct), (.securing, .direct): actions.append(.newParser(.unauthenticated))
    case (.securing, .startTLS): break  // The parser was made at <proceed/>, and nothing has been fed to it since.
    default: throw .protocolViolation("encryption began out of turn")
    }
    open(.secured(facts), &actions)
  }

  private mutating func derived(_ credential: [UInt8], _ actions: inout [Action]) throws(StreamFailure) {
    // An answer to a question of an earlier state is nobody's fault: a failure may have crossed it.
    guard case .authenticating(var login, let facts) = state else { return }
    defer { state = .authenticating(login, facts) }
    actions.append(.send(try login.derived(credential)))
  }

  /// Sends our header, and behind it what need not wait.
  private mutating func open(_ stage: StreamStage, _ actions: inout [Action]) {
    let isPrivate = stage != .plain
    actions.append(.send(Outgoing.header(to: parameters.jid.domain, from: isPrivate ? parameters.jid : nil)))
    let said = expectedReply(at: stage)
    actions += said
    isAhead = !said.isEmpty
    state = .opening(stage, said: said)
  }
}

// Input from the server.
extension Negotiator {
  private mutating func receive(_ item: StreamItem, _ actions: inout [Action]) throws(StreamFailure) {
    switch item {
    case .header(let header):
      guard case .opening(let stage, let said) = state else { throw .protocolViolation("a stream opened out of turn") }
      state = .awaitingFeatures(stage, try StreamOpening(header, domain: parameters.jid.domain), said: said)
    case .stanza(let element):
      if StreamError.isStreamError(element) { throw StreamFailure(streamError: element) }
      try receive(element, &actions)
    case .refused(let stanza):
      throw .protocolViolation("<\(Wording.line(stanza.name, limit: 40))/> over a limit: \(stanza.reason)")
    case .answerBegins, .answerPart, .answerEnds: throw .protocolViolation("a roster out of turn")
    case .namesExhausted: throw .xml(.namesExhausted)
    case .end: throw .closed
    case .failed(let failure): throw .xml(failure)
    }
  }

  private mutating func receive(_ element: Element, _ actions: inout [Action]) throws(StreamFailure) {
    switch state {
    case .awaitingFeatures(let stage, let opening, let said): try features(element, stage, opening, said, &actions)
    case .awaitingProceed: try proceed(element, &actions)
    case .authenticating(let login, let facts): try authenticate(element, login, facts, &actions)
    case .resuming(let resumption, let stream): try resume(element, resumption, stream, &actions)
    case .binding(let binding, var stream):
      stream.jid = try binding.receive(element)
      isAhead = false
      state = .finished
      actions.append(.ready(stream))
    case .idle, .opening, .securing, .finished: throw .protocolViolation("\(Wording.name(element)) out of turn")
    }
  }

  private mutating func features(
    _ element: Element, _ stage: StreamStage, _ opening: StreamOpening, _ said: [Action], _ actions: inout [Action]
  ) throws(StreamFailure) {
    guard let offered = OfferedFeatures(element) else {
      throw .protocolViolation("\(Wording.name(element)) before the features")
    }
    if let stranger = opening.stranger {
      throw .protocolViolation("it says that it is \(stranger), not \(parameters.jid.domain)")
    }
    let reply = try reply(to: offered, at: stage)
    state = reply.state
    if said.isEmpty {
      actions += reply.actions
      isAhead = reply.actions.contains { if case .sendInitialStanzas = $0 { true } else { false } }
    } else if said != reply.actions {
      throw .notAsExpected("it offers something else than at the last login")
    }
  }

  /// The server's answer to `<resume/>` (XEP-0198, section 5).
  private mutating func resume(
    _ element: Element, _ resumption: Resumption, _ stream: NegotiatedStream, _ actions: inout [Action]
  ) throws(StreamFailure) {
    switch StreamManagementElement(element) {
    case .resumed(let handled, let previousID) where previousID.utf8.elementsEqual(resumption.previousID.utf8):
      isAhead = false
      state = .finished
      actions.append(.resumed(stream, handled: handled))
    case .failed(let condition, let handled):
      actions.append(.notResumed(condition: condition, handled: handled))
      let reply = bind(stream)
      state = reply.state
      actions += reply.actions
      isAhead = reply.actions.contains { if case .sendInitialStanzas = $0 { true } else { false } }
    default: throw .protocolViolation("\(Wording.name(element)) in answer to <resume/>")
    }
  }

  private mutating func proceed(_ element: Element, _ actions: inout [Action]) throws(StreamFailure) {
    if element.isNamed("failure", Namespace.tls) { throw .tlsRefused }
    guard element.isNamed("proceed", Namespace.tls) else {
      throw .protocolViolation("\(Wording.name(element)) in answer to <starttls/>")
    }
    isAhead = false
    state = .securing
    actions += [.newParser(.unauthenticated), .startTLS]
  }

  private mutating func authenticate(
    _ element: Element, _ login: Login, _ facts: TLSFacts, _ actions: inout [Action]
  ) throws(StreamFailure) {
    var login = login
    // Whatever the login made of the element, and even where it throws, is what the farewell looks at.
    defer { if case .authenticating = state { state = .authenticating(login, facts) } }
    perform(try login.receive(element), login, facts, &actions)
  }

  private mutating func perform(_ step: Login.Step, _ login: Login, _ facts: TLSFacts, _ actions: inout [Action]) {
    switch step {
    case .send(let bytes): actions.append(.send(bytes))
    case .derive(let request):
      isAhead = false
      actions.append(.derive(request))
    case .succeeded:
      actions.append(.newParser(.authenticated))
      open(.authenticated(facts, login.method, login.offer), &actions)
    }
  }
}

// The end of it.
extension Negotiator {
  private mutating func fail(_ failure: StreamFailure, _ actions: inout [Action]) {
    let farewell = farewell(failure)
    state = .finished
    if !farewell.isEmpty { actions.append(.send(farewell)) }
    actions.append(.fail(failure))
  }

  /// Returns the last bytes before the connection is closed: the error, if the server made it, and the end of the
  /// stream, if one is open.
  private func farewell(_ failure: StreamFailure) -> [UInt8] {
    switch state {
    case .idle, .securing, .finished: return []
    case .authenticating(let login, _) where login.mayAbort: return Outgoing.abort + Outgoing.close
    default: break
    }
    switch failure {
    case .xml(let failure): return StreamError.closing(failure.streamErrorCondition)
    case .protocolViolation: return StreamError.closing("undefined-condition")
    default: return Outgoing.close
    }
  }
}
