import Clocks
import Names
import Settings
import XMPPStream

/// When the server sends us elsewhere, or somebody else has our resource.
extension Account {
  /// Hosts that are followed to, one after the other, before the ordinary way is tried again.
  static let mostRedirects = 3
  /// Who is thrown out again within this time stays out: it is no chance any more.
  static let conflictPeriod = Interval.hours(1)

  /// Connects where the server says, with the same demands on encryption and identity (RFC 6120, section 4.9.3.19): the
  /// certificate is the domain's, or nobody logs in. Where that fails, what is left of the plan is tried, and then the
  /// ordinary way after a pause.
  func follow(to host: String, _ reason: String, _ turn: Turn) {
    if let objection = objection(to: host) { return moveOn(after: "\(reason), which \(objection)", turn) }
    guard let place, let target = target(host, isDirect: place.direct) else { return }
    redirects += 1
    complain(reason, of: reason, turn)
    var rest: ConnectionPlan?
    if case .negotiating(_, let plan, _) = phase { rest = plan }
    endSession(turn)
    dropLink(turn)
    resumesTLS = false
    start(ConnectionPlan(target, then: rest), turn)
  }

  /// Why a redirect is not followed, if so. What was said before the server proved who it is may be anybody's.
  private func objection(to host: String) -> String? {
    if !isSecured { return "is not followed: it came before the connection was secure" }
    if redirects >= Self.mostRedirects { return "is not followed: it is one too many in a row" }
    guard let place, target(host, isDirect: place.direct) != nil else { return "is no host" }
    return nil
  }

  /// The place that was named, to be connected to as the one that named it.
  func target(_ host: String, isDirect: Bool) -> ConnectionPlan.Candidate? {
    guard host.utf8.allSatisfy({ $0 < 0x80 }),
      let found = HostPort(host, defaultPort: isDirect ? 5223 : 5222), (try? DomainName.ascii(found.host)) != nil
    else { return nil }
    return ConnectionPlan.Candidate(host: found.host, port: found.port, direct: isDirect)
  }

  /// Asks for another resource from now on (RFC 6120, section 4.9.3.3: never blindly for the same one): sessions that
  /// throw each other out would do so for ever. Where even that is taken from us soon, the server allows one session
  /// less than there are, and a person has to choose.
  func yieldResource(_ failure: StreamFailure, _ turn: Turn) {
    if case .stream = failure {
      if let last = resourceTaken, turn.now.instant - last < Self.conflictPeriod {
        return refuse("\(failure.sentence), twice in a short time: does the server allow so many sessions?", turn)
      }
      resourceTaken = turn.now.instant
    }
    // Whoever has the resource has the stream.
    endStream(turn)
    resource = "\(ownResource)-\(turn.token(bytes: 3))"
    moveOn(after: "\(failure.sentence); the next try asks for \(resource)", turn)
  }
}
