import Facts
import Records
import SASL
import Settings
import XMPPStream

/// From a login to a session, how far that goes ahead of the server, and what follows where the server does not bear it.
extension Account {
  /// So many logins in a row that had to be done again show that the server wants to be waited for.
  static let mostSetbacks: UInt8 = 2

  /// How the present try is made.
  var pipelining: Negotiator.Pipelining {
    if isCautious { return .none }
    guard let offer = facts.lastOffer else { return .known }
    return offer.setbacks < Self.mostSetbacks ? offer.pipelining : .none
  }

  /// The setbacks to be remembered when the present try has come to a session.
  private var setbacks: UInt8 {
    let known = facts.lastOffer?.setbacks ?? 0
    if isCautious { return min(known, Self.mostSetbacks - 1) + 1 }
    return pipelining == .none ? known : 0
  }

  /// Something was said before the server's word that would have asked for it, and has not been answered.
  var isAhead: Bool {
    switch phase {
    case .negotiating(let negotiator, _, _): negotiator.isAhead
    case .online(let session): session.isAhead
    case .idle, .waiting, .resolving, .connecting, .closing: false
    }
  }

  /// What went ahead of the server may be what went wrong: once more, at once, word by word.
  func tryCautiously(after reason: String) {
    journal(.info, "\(reason); trying again without going ahead of the server")
    isCautious = true
    endSession()
    dropLink()
    phase = .idle
    connect()
  }

  /// The resource is asked for: a session says its first words behind that.
  func greet(streamManagement: Bool, rosterVersioning: Bool) {
    guard let link else { return }
    let session = Session(jid, deliveries, settings, effects, storage, records)
    session.greet(streamManagement: streamManagement, rosterVersioning: rosterVersioning)
    session.isAhead = true
    greeted = session
    effects.act(.link(link, .write(session.takeOutput())))
  }

  /// A login went through, and a session begins or goes on.
  func enterSession(_ stream: NegotiatedStream) {
    stepDeadline = nil
    isStreamOver = false
    // A login that is bound to the certificate needs the one that the server has now.
    resumesTLS = stream.login.channelBinding != .tlsServerEndPoint
    networkHasChanged = false
    hasSignedIn = true
    status.sasl = stream.login.description
    remember(stream.login)
    isCautious = false
  }

  /// The resource is bound.
  func begin(_ stream: NegotiatedStream) {
    let setbacks = setbacks
    enterSession(stream)
    let session = greeted.take() ?? sessionGreeting(stream)
    session.isDirect = place?.direct == true
    phase = .online(session)
    let unused = stream.login.leavesBindingUnused ? "; channel binding is not used: \(Self.unknownBinding)" : ""
    session.signedIn = "signed in as \(stream.jid)\(unused)"
    report(.online, session.signedIn)
    session.begin(stream, setbacks: setbacks, after: suspension.after)
  }

  /// A session that says its first words now that its resource is bound.
  private func sessionGreeting(_ stream: NegotiatedStream) -> Session {
    let session = Session(jid, deliveries, settings, effects, storage, records)
    session.greet(
      streamManagement: stream.features.streamManagement, rosterVersioning: stream.features.rosterVersioning)
    return session
  }
}
