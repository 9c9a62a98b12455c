package import XML
import XMPPCore

/// The remedy after a stream failed or ended.
package enum Remedy: Hashable, Sendable {
  /// Again, after the next pause of the back-off.
  case again
  /// Again, but not so soon that all clients of a server that starts come at once.
  case soon
  /// Again after a minute or so at the least: the server has too much to do, or has had enough of us.
  case later
  /// Again, but only now and then: somebody must mend something first.
  case rarely
  /// Again, with another resource: this one is somebody else's.
  case otherResource
  /// At another host, which the server named.
  case elsewhere(String)
  /// Retries at the plan's other addresses; if there are none, waits for the user.
  case otherPlaces
  /// Retries after hours if this password has worked before, because the server's password check may be faulty.
  /// Otherwise waits for the user.
  case hoursLater
  /// Not by itself.
  case never
}

/// The meaning of a stream error from the server (RFC 6120, section 4.9.3): a row for each condition.
package struct StreamErrorMeaning: Sendable {
  package let condition: String
  /// In words; the condition is said behind them.
  let words: String
  package let remedy: Remedy
  /// True if a stanza of ours may have caused it: then the first unacknowledged one is suspected.
  package let blamesStanza: Bool

  private init(_ condition: String, _ words: String, _ remedy: Remedy, blamesStanza: Bool = false) {
    (self.condition, self.words, self.remedy, self.blamesStanza) = (condition, words, remedy, blamesStanza)
  }

  /// The meaning of a condition; of one that is in no row, of `undefined-condition`.
  package static func of(_ condition: String) -> StreamErrorMeaning { byCondition[condition] ?? undefined }

  private static let byCondition = Dictionary(uniqueKeysWithValues: table.map { ($0.condition, $0) })

  private static let undefined = StreamErrorMeaning(
    "undefined-condition", "the server ended the stream with an error", .again, blamesStanza: true)

  /// In the order of section 4.9.3.
  package static let table = [
    StreamErrorMeaning("bad-format", "the server could not read what it was sent", .again, blamesStanza: true),
    StreamErrorMeaning(
      "bad-namespace-prefix", "the server does not take the prefix of what it was sent", .again, blamesStanza: true),
    StreamErrorMeaning("conflict", "another session took the resource over", .otherResource),
    StreamErrorMeaning("connection-timeout", "the server thinks that the connection was dead", .again),
    StreamErrorMeaning("host-gone", "the server does not serve this domain", .rarely),
    StreamErrorMeaning("host-unknown", "the server does not serve this domain", .rarely),
    StreamErrorMeaning(
      "improper-addressing", "the server found no address on what it was sent", .again, blamesStanza: true),
    StreamErrorMeaning("internal-server-error", "the server has gone wrong", .again, blamesStanza: true),
    StreamErrorMeaning(
      "invalid-from", "the server does not believe the sender of what it was sent", .again, blamesStanza: true),
    StreamErrorMeaning(
      "invalid-namespace", "the server does not take the namespace of what it was sent", .again, blamesStanza: true),
    StreamErrorMeaning("invalid-xml", "the server does not take the XML that it was sent", .again, blamesStanza: true),
    StreamErrorMeaning("not-authorized", "the server does not accept this session", .later, blamesStanza: true),
    StreamErrorMeaning(
      "not-well-formed", "the server says that it was sent something that is no XML", .again, blamesStanza: true),
    StreamErrorMeaning(
      "policy-violation", "the server says that its rules were broken", .later, blamesStanza: true),
    StreamErrorMeaning("remote-connection-failed", "the server cannot reach what it needs to serve us", .later),
    StreamErrorMeaning("reset", "the server wants the connection to be made anew", .again),
    StreamErrorMeaning("resource-constraint", "the server has too much to do", .later),
    StreamErrorMeaning(
      "restricted-xml", "the server says that it was sent XML that XMPP forbids", .again, blamesStanza: true),
    // Followed where it names a host that may be followed (`StreamFailure.redirected`).
    StreamErrorMeaning("see-other-host", "the server asks to connect elsewhere", .again),
    StreamErrorMeaning("system-shutdown", "the server is shutting down", .soon),
    undefined,
    StreamErrorMeaning("unsupported-encoding", "the server does not take UTF-8", .rarely),
    StreamErrorMeaning("unsupported-feature", "the server wants something that Confab does not have", .rarely),
    StreamErrorMeaning(
      "unsupported-stanza-type", "the server does not know what it was sent", .again, blamesStanza: true),
    StreamErrorMeaning("unsupported-version", "the server does not speak XMPP 1.0", .rarely),
  ]
}

extension StreamFailure {
  /// The failure that a `<stream:error/>` of the server's is.
  package init(streamError element: Element) {
    let error = StreamError(parsing: element)
    let host = element.child("see-other-host", Namespace.streamErrors)?.text
    self = error.condition == "see-other-host" ? .redirected(to: host ?? "") : .stream(error)
  }

  /// The remedy for the failure.
  package var remedy: Remedy {
    switch self {
    case .stream(let error): StreamErrorMeaning.of(error.condition).remedy
    case .redirected(let host): .elsewhere(host)
    case .resourceConflict: .otherResource
    case .weakened: .otherPlaces
    case .authentication("not-authorized", _, _): .hoursLater
    default: isPermanent ? .never : .again
    }
  }

  /// True if our bytes or their timing may have caused it: a server that fails when we send ahead of its answers may
  /// accept a login step by step.
  package var mayBeOurs: Bool {
    switch self {
    case .stream(let error): StreamErrorMeaning.of(error.condition).blamesStanza
    case .redirected, .resourceConflict: false
    default: !isPermanent
    }
  }
}
