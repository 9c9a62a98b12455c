import Bytes
import SASL
import XML
import XMPPCore

/// The SASL exchange of one stream (RFC 6120, section 6.4) with one mechanism, from `<auth/>` to a success that the
/// server has proved its right to.
struct Login: Sendable {
  let mechanism: Mechanism
  private var scram: SCRAM
  private var state = State.created

  private enum State {
    case created
    case awaitingChallenge
    /// The challenge is read; the salted password is being derived.
    case awaitingKey
    /// Our proof is sent. The server's comes with the success, or in one more challenge before it.
    case awaitingOutcome
  }

  /// What to do after an element of the server's.
  enum Step: Equatable {
    case send([UInt8])
    case derive(KeyDerivation)
    case succeeded
  }

  init(mechanism: Mechanism, username: String, nonce: String) throws(StreamFailure) {
    self.mechanism = mechanism
    do {
      scram = try SCRAM(hash: mechanism.hash, username: username, nonce: nonce, gs2: .unsupported)
    } catch { throw .login(error) }
  }

  /// Whether the server waits for an answer of ours, so that `<abort/>` has a place.
  private(set) var mayAbort = false

  /// The `<auth/>` element.
  mutating func start() throws(StreamFailure) -> [UInt8] {
    do {
      let message = try scram.firstMessage()
      state = .awaitingChallenge
      return Outgoing.auth(mechanism, initial: message)
    } catch { throw .login(error) }
  }

  /// Takes an element of the server's. After a throw the login is over.
  mutating func receive(_ element: Element) throws(StreamFailure) -> Step {
    if element.isNamed("challenge", Namespace.sasl) {
      mayAbort = true
      return try challenged(element)
    }
    mayAbort = false
    if element.isNamed("success", Namespace.sasl) { return try succeeded(element) }
    if element.isNamed("failure", Namespace.sasl) { throw Self.failure(element) }
    throw .protocolViolation("\(Wording.name(element)) during the login")
  }

  /// Takes the salted password that `derive` asked for; the `<response/>` element.
  mutating func derived(_ saltedPassword: [UInt8]) throws(StreamFailure) -> [UInt8] {
    guard case .awaitingKey = state else { throw .login(.outOfOrder) }
    do {
      let message = try scram.finalMessage(saltedPassword: saltedPassword)
      state = .awaitingOutcome
      mayAbort = false
      return Outgoing.response(message)
    } catch { throw .login(error) }
  }

  private mutating func challenged(_ element: Element) throws(StreamFailure) -> Step {
    let message = try Self.message(element)
    switch state {
    case .awaitingChallenge:
      do {
        let derivation = try scram.receive(challenge: message)
        state = .awaitingKey
        return .derive(derivation)
      } catch { throw .login(error) }
    case .awaitingOutcome:
      try verify(message)
      mayAbort = false
      return .send(Outgoing.response([]))
    case .created, .awaitingKey: throw .login(.outOfOrder)
    }
  }

  /// A success counts only with the server's proof, here or in a challenge before.
  private mutating func succeeded(_ element: Element) throws(StreamFailure) -> Step {
    let message = try Self.message(element)
    guard case .awaitingOutcome = state else { throw .serverNotVerified }
    if !message.isEmpty { try verify(message) }
    guard scram.isVerified else { throw .serverNotVerified }
    return .succeeded
  }

  private mutating func verify(_ message: [UInt8]) throws(StreamFailure) {
    do {
      try scram.verify(serverFinal: message)
    } catch {
      throw error == .wrongServerSignature ? .serverNotVerified : .login(error)
    }
  }
}

extension Login {
  /// The bytes that an element carries: base64, where a lone `=` stands for none (RFC 6120, section 6.4.2).
  private static func message(_ element: Element) throws(StreamFailure) -> [UInt8] {
    let text = element.text
    if text == "=" { return [] }
    guard let bytes = Base64.decode(text) else { throw .login(.malformed("it is not base64")) }
    return bytes
  }

  /// `<failure/>`: the first child that is not the text names the condition (section 6.4.5).
  private static func failure(_ element: Element) -> StreamFailure {
    let condition = element.children.first { !$0.isNamed("text", Namespace.sasl) }
    return .authentication(
      condition: condition?.local ?? "undefined-condition", text: element.child("text", Namespace.sasl)?.text)
  }
}
