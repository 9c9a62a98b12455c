package import SASL
package import XML
package import XMPPCore

/// The steps of a login, for time-outs and for saying where one stands.
package enum NegotiationStep: String, Hashable, Sendable, CaseIterable {
  case connecting = "the connection"
  case securing = "encryption"
  case opening = "the stream"
  case authenticating = "the login"
  case resuming = "the earlier stream"
  case binding = "the resource"
}

/// Why a stream could not be negotiated, or ended. Texts in it are the server's own, not cleaned: show `sentence`.
package enum StreamFailure: Error, Equatable, Sendable {
  /// The features before TLS have no `<starttls/>`: the server has none, or somebody in between removed it.
  case tlsNotOffered
  /// `<starttls/>` was answered with `<failure/>` (RFC 6120, section 5.4.2.2).
  case tlsRefused
  /// The server's SASL `<failure/>` (RFC 6120, section 6.5), to a login that was bound to the connection or not.
  case authentication(condition: String, text: String?, isBound: Bool = false)
  /// None of our mechanisms among what the server offers.
  case noMechanism(offered: [String])
  /// The best that this connection has to log in with is weaker than what an earlier login had.
  case weakened(from: Mechanism, to: Mechanism)
  /// The server called the login a success without proof, or with a wrong one, that it knows the password.
  case serverNotVerified
  /// The SASL exchange broke down on our side: the server's message was refused.
  case login(SASLError)
  /// The server refused to bind a resource (RFC 6120, section 7.6.2 and 7.7.2).
  case bind(StanzaError)
  /// Another session has our resource, and the server keeps it (RFC 6120, section 7.7.2.2).
  case resourceConflict
  /// A stream error of the server's (RFC 6120, section 4.9).
  case stream(StreamError)
  /// The stream error `see-other-host`: the server wants us to connect elsewhere; as it wrote it.
  case redirected(to: String)
  /// The server's bytes are not XML that XMPP allows.
  case xml(XMLFailure)
  /// The server sent what the protocol does not allow at this point; the words say what.
  case protocolViolation(String)
  /// The server acknowledged what it was not sent, or took an acknowledgement back (XEP-0198, section 6).
  case impossibleAcknowledgement(StreamManagement.ImpossibleAcknowledgement)
  /// The server's offer does not fit bytes that we sent ahead, or the server refused them; the text says how.
  case notAsExpected(String)
  /// The server closed the stream without an error.
  case closed
  /// A step took too long.
  case timeout(NegotiationStep)
}

extension StreamFailure {
  /// True if automatic retries are of no use or do harm, so that the account waits for a person (`connect`, or a new
  /// configuration).
  ///
  /// That is so for what the server says of the account or the password, since repeating it may lock the account, and
  /// for what only somebody who poses as the server by a valid certificate would do: fail to prove that it knows the
  /// password, change its offer, offer less than before. Everything that somebody without a certificate on the way
  /// could cause, or the server's administrator can mend, is tried again.
  package var isPermanent: Bool {
    switch self {
    case .authentication(let condition, _, _): !Self.passingConditions.contains(condition)
    case .serverNotVerified, .weakened: true
    case .login(.emptyUsername), .login(.unusableUsername), .login(.refused), .login(.offerChanged): true
    case .bind(let error): error.condition == "bad-request"
    default: false
    }
  }

  /// SASL's conditions that are not about the account (RFC 6120, section 6.5): the server contradicts what it offered or
  /// cannot read what it may not refuse to read, or says itself that it will pass.
  private static let passingConditions: Set<String> = [
    "aborted", "encryption-required", "incorrect-encoding", "invalid-mechanism", "malformed-request",
    "temporary-auth-failure",
  ]

  /// The failure in plain words for `status` and the journal: one line, no full stop.
  package var sentence: String {
    switch self {
    case .tlsNotOffered: "the server offers no encryption"
    case .tlsRefused: "the server refused to start encryption"
    case .authentication(let condition, let text, let isBound):
      "\(Self.meaning(ofLoginFailure: condition, isBound)) \(Wording.condition(condition, text))"
    case .noMechanism(let offered): Self.sentence(noMechanismAmong: offered)
    case .weakened(let pin, let mechanism):
      "only \(mechanism.rawValue) can be used to log in, where \(pin.rawValue) was before: somebody may be in between; "
        + "if it is the server's own doing, `confab unpin` accepts it"
    case .serverNotVerified: "the server could not prove that it knows the password: it may not be the real one"
    case .login(let error): Wording.line(error.description)
    case .bind(let error):
      "the server refused to bind the resource \(Wording.condition(error.condition, error.text))"
    case .resourceConflict: "the server says that the resource is in use (conflict)"
    case .stream(let error):
      "\(StreamErrorMeaning.of(error.condition).words) \(Wording.condition(error.condition, error.text))"
    case .redirected(let host):
      "the server asks to connect to \(Wording.line(host)) instead (see-other-host)"
    case .xml(let failure): Self.sentence(for: failure)
    case .protocolViolation(let what): "the server broke the protocol: \(Wording.line(what))"
    case .impossibleAcknowledgement(let it):
      "the server broke the protocol: it acknowledged \(it.h) stanzas, where \(it.sent) were sent and "
        + "\(it.acknowledged) acknowledged before"
    case .notAsExpected(let what): "the server is not as expected: \(what)"
    case .closed: "the server closed the stream"
    case .timeout(let step): "the server took too long over \(step.rawValue)"
    }
  }

  private static func meaning(ofLoginFailure condition: String, _ isBound: Bool) -> String {
    switch condition {
    case "not-authorized" where isBound: "the password is wrong, or somebody is between us and the server"
    case "not-authorized": "the server says the password is wrong"
    case "account-disabled": "the server says the account is disabled"
    case "credentials-expired": "the server says the password has expired"
    case "temporary-auth-failure": "the server cannot check the password at the moment"
    case "mechanism-too-weak": "the server says the login mechanism is too weak"
    case "invalid-authzid": "the server says that this account may not be used"
    case "encryption-required": "the server says that the connection is not encrypted"
    case "invalid-mechanism": "the server refuses a login mechanism that it offered"
    default: "the server refused the login"
    }
  }

  private static func sentence(noMechanismAmong offered: [String]) -> String {
    guard !offered.isEmpty else { return "the server offers no way to log in" }
    let names = Wording.line(offered.joined(separator: ", "))
    return "the server offers no way to log in that is safe enough (it offers \(names))"
  }

  private static func sentence(for failure: XMLFailure) -> String {
    let what = "the server sent"
    return switch failure {
    case .notWellFormed(let detail): "\(what) something that is no XML: \(Wording.line(detail))"
    case .restricted(let detail): "\(what) XML that XMPP forbids: \(Wording.line(detail))"
    case .badEncoding: "\(what) XML in an encoding other than UTF-8"
    case .nestedStream: "\(what) the start of a stream within the stream"
    case .tooLarge(let detail): "\(what) more than is accepted: \(Wording.line(detail))"
    default: "\(what) XML that cannot be read (\(failure.streamErrorCondition))"
    }
  }
}
