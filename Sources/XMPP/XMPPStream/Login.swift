import Bytes
import SASL
import XML
import XMPPCore

/// The SASL exchange of one stream (RFC 6120, section 6.4) by one method, from `<auth/>` to a success: with SCRAM one that
/// the server has proved its right to.
struct Login: Sendable {
  let method: LoginMethod
  private var exchange: Exchange
  private var state = State.created
  /// The server's offer.
  let offer: SASLOffer
  private let username: String

  private enum Exchange {
    case scram(SCRAM)
    /// RFC 4616: one message, and the server proves nothing but its certificate.
    case plain
  }

  private enum State {
    case created
    case awaitingChallenge
    /// Whatever the password is needed for is being made.
    case awaitingCredential
    /// Our proof is sent. The server's comes with the success, or in one more challenge before it.
    case awaitingOutcome
  }

  /// The next step.
  enum Step: Equatable {
    case send([UInt8])
    case derive(CredentialRequest)
    case succeeded
  }

  init(_ method: LoginMethod, offer: SASLOffer, username: String, nonce: String) throws(StreamFailure) {
    (self.method, self.offer, self.username) = (method, offer, username)
    guard let hash = method.mechanism.hash else {
      exchange = .plain
      return
    }
    do {
      exchange = .scram(try SCRAM(hash: hash, username: username, nonce: nonce, gs2: method.flag))
    } catch { throw .login(error) }
  }

  /// True while the server waits for an answer of ours, so that `<abort/>` is allowed.
  private(set) var mayAbort = false

  /// The first step: SCRAM sends `<auth/>` at once, PLAIN needs the password for it.
  mutating func start() throws(StreamFailure) -> Step {
    switch exchange {
    case .plain:
      state = .awaitingCredential
      return .derive(.plainMessage(username: username))
    case .scram(var scram):
      let message = try Self.scram { () throws(SASLError) in try scram.firstMessage() }
      (exchange, state) = (.scram(scram), .awaitingChallenge)
      return .send(Outgoing.auth(method.mechanism, initial: message))
    }
  }

  /// Takes an element of the server's. After a throw the login is over.
  mutating func receive(_ element: Element) throws(StreamFailure) -> Step {
    if element.isNamed("challenge", Namespace.sasl) {
      mayAbort = true
      return try challenged(element)
    }
    mayAbort = false
    if element.isNamed("success", Namespace.sasl) { return try succeeded(element) }
    if element.isNamed("failure", Namespace.sasl) { throw failure(element) }
    throw .protocolViolation("\(Wording.name(element)) during the login")
  }

  /// Takes the credential that `derive` asked for; what is to be sent.
  mutating func derived(_ credential: [UInt8]) throws(StreamFailure) -> [UInt8] {
    guard case .awaitingCredential = state else { throw .login(.outOfOrder) }
    state = .awaitingOutcome
    mayAbort = false
    switch exchange {
    case .plain: return Outgoing.auth(method.mechanism, initial: credential)
    case .scram(var scram):
      let message = try Self.scram { () throws(SASLError) in try scram.finalMessage(saltedPassword: credential) }
      exchange = .scram(scram)
      return Outgoing.response(message)
    }
  }

  private mutating func challenged(_ element: Element) throws(StreamFailure) -> Step {
    let message = try Self.message(element)
    guard case .scram(var scram) = exchange else { throw .login(.outOfOrder) }
    defer { exchange = .scram(scram) }
    switch state {
    case .awaitingChallenge:
      let offer = offer
      let derivation = try Self.scram { () throws(SASLError) in try scram.receive(challenge: message, offer: offer) }
      state = .awaitingCredential
      return .derive(.saltedPassword(derivation))
    case .awaitingOutcome:
      try Self.verify(message, &scram)
      mayAbort = false
      return .send(Outgoing.response([]))
    case .created, .awaitingCredential: throw .login(.outOfOrder)
    }
  }

  /// A SCRAM's success counts only with the server's proof, here or in a challenge before.
  private mutating func succeeded(_ element: Element) throws(StreamFailure) -> Step {
    let message = try Self.message(element)
    guard case .awaitingOutcome = state else { throw .serverNotVerified }
    guard case .scram(var scram) = exchange else { return .succeeded }
    defer { exchange = .scram(scram) }
    if !message.isEmpty { try Self.verify(message, &scram) }
    guard scram.isVerified else { throw .serverNotVerified }
    return .succeeded
  }
}

extension Login {
  private static func verify(_ message: [UInt8], _ scram: inout SCRAM) throws(StreamFailure) {
    do {
      try scram.verify(serverFinal: message)
    } catch {
      throw error == .wrongServerSignature ? .serverNotVerified : .login(error)
    }
  }

  /// A step of SCRAM; what goes wrong in it ends the stream.
  private static func scram<Result>(_ step: () throws(SASLError) -> Result) throws(StreamFailure) -> Result {
    do { return try step() } catch { throw .login(error) }
  }

  /// The bytes that an element carries: base64, where a lone `=` stands for none (RFC 6120, section 6.4.2).
  private static func message(_ element: Element) throws(StreamFailure) -> [UInt8] {
    let text = element.text
    if text == "=" { return [] }
    guard let bytes = Base64.decode(text) else { throw .login(.malformed("it is not base64")) }
    return bytes
  }

  /// `<failure/>`: the first child that is not the text names the condition (section 6.4.5).
  private func failure(_ element: Element) -> StreamFailure {
    let condition = element.children.first { !$0.isNamed("text", Namespace.sasl) }
    return .authentication(
      condition: condition?.local ?? "undefined-condition", text: element.child("text", Namespace.sasl)?.text,
      isBound: method.mechanism.isBound)
  }
}
