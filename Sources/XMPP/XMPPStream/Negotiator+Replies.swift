import Bytes
import SASL
import XMPPCore
import XMPPExtensions

// A client's bytes during the opening of a stream follow from the server's features and the progress of the stream
// alone. So they may be sent before the features are read, as the reply to those that are expected. When they come, the
// reply to them is worked out all the same, and must be the one that was given.
extension Negotiator {
  /// The reply to features, and the next state.
  struct Reply {
    let actions: [Action]
    let state: State
  }

  func reply(
    to features: OfferedFeatures, at stage: StreamStage
  ) throws(StreamFailure) -> Reply {
    switch stage {
    case .plain:
      guard features.startTLS else { throw .tlsNotOffered }
      return Reply(actions: [.send(Outgoing.startTLS)], state: .awaitingProceed)
    case .secured(let facts): return try logIn(features.sasl, facts)
    case .authenticated(let facts, let method, let offer):
      guard features.bind else { throw .protocolViolation("it offers no resource") }
      let stream = NegotiatedStream(
        jid: parameters.jid, login: method, tls: facts, offer: offer, features: features.stream)
      return resume(stream) ?? bind(stream)
    }
  }

  /// The reply to expected features, to be given together with our header. None where the server's word is to be waited
  /// for, and where the password is told: that only after the features show that there is nothing better.
  func expectedReply(at stage: StreamStage) -> [Action] {
    guard case .expected(let sasl, let stream) = parameters.pipelining,
      let reply = try? reply(to: OfferedFeatures(expecting: sasl, stream), at: stage)
    else { return [] }
    let takesPassword = reply.actions.contains { if case .derive = $0 { true } else { false } }
    return takesPassword ? [] : reply.actions
  }

  private func logIn(_ offer: SASLOffer, _ facts: TLSFacts) throws(StreamFailure) -> Reply {
    let method = try method(offer, facts)
    var login = try Login(method, offer: offer, username: parameters.jid.local ?? "", nonce: parameters.nonce)
    let actions: [Action] =
      switch try login.start() {
      case .send(let bytes): [.send(bytes)]
      case .derive(let request): [.derive(request)]
      case .succeeded: []
      }
    return Reply(actions: actions, state: .authenticating(login, facts))
  }

  /// The strongest method that both sides have, unless an earlier login had a stronger one: then somebody may have taken
  /// that off the list, and nothing of the password leaves.
  private func method(_ offer: SASLOffer, _ facts: TLSFacts) throws(StreamFailure) -> LoginMethod {
    let method = LoginMethod.choose(
      from: offer, bindings: facts.channelBindings, allowsPlain: parameters.allowsPlain)
    guard let method else { throw .noMechanism(offered: offer.mechanisms) }
    if let pin = parameters.pin, method.mechanism < pin { throw .weakened(from: pin, to: method.mechanism) }
    return method
  }

  /// The earlier stream goes on, where there is one and the server may have kept it.
  private func resume(_ stream: NegotiatedStream) -> Reply? {
    guard let resumption = parameters.resumption, parameters.requestStreamManagement, stream.features.streamManagement
    else { return nil }
    var stream = stream
    stream.jid = resumption.jid
    let request = StreamManagementWriter.resume(previousID: resumption.previousID, handled: resumption.handled)
    return Reply(actions: [.send(request)], state: .resuming(resumption, stream))
  }

  /// The session's first words go out behind the request for its resource: the server takes them in order (RFC 6120,
  /// section 7.1, forbids it only to accept stanzas before the resource is bound).
  func bind(_ stream: NegotiatedStream) -> Reply {
    var stream = stream
    stream.jid = parameters.jid
    if !parameters.requestStreamManagement { stream.features.streamManagement = false }
    let id = parameters.iqIDPrefix + "bind"
    var actions = [Action.send(Outgoing.bind(id: id, resource: parameters.resource))]
    if parameters.pipelining != .none {
      actions.append(
        .sendInitialStanzas(
          streamManagement: stream.features.streamManagement, rosterVersioning: stream.features.rosterVersioning))
    }
    return Reply(actions: actions, state: .binding(Binding(account: parameters.jid, id: id), stream))
  }
}
