import Clocks
import Names
import Settings
import XMPPStream

/// When the server sends us elsewhere, or somebody else has our resource.
extension Account {
  /// Hosts that are followed to, one after the other, before the ordinary way is tried again.
  static let mostRedirects = 3
  /// A session that lasted this long resets the count of conflicts.
  static let conflictPeriod = Interval.hours(1)
  /// The longest pause after a conflict.
  static let longestYield = Interval.hours(1)

  /// Connects where the server says, with the same demands on encryption and identity (RFC 6120, section 4.9.3.19): the
  /// certificate is the domain's, or nobody logs in. Where that fails, what is left of the plan is tried, and then the
  /// ordinary way after a pause.
  func follow(to host: String, _ reason: String) {
    if let objection = objection(to: host) { return moveOn(after: "\(reason), which \(objection)") }
    guard let place, let target = target(host, isDirect: place.direct) else { return }
    redirects += 1
    complain(reason, of: reason)
    var rest: ConnectionPlan?
    if case .negotiating(_, let plan, _) = phase { rest = plan }
    endSession()
    dropLink()
    resumesTLS = false
    start(ConnectionPlan(target, then: rest))
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

  /// Another session took over the resource, or has it. The next attempt asks for another resource (RFC 6120, section
  /// 4.9.3.3: never blindly for the same one). Two sessions could disconnect each other for ever, so each further
  /// conflict doubles the pause, from a minute up to an hour.
  func yieldResource(_ failure: StreamFailure) {
    // Whoever has the resource has the stream.
    endStream()
    if isConflictOfResuming() { return moveOn(after: failure.sentence) }
    resource = "\(ownResource)-\(effects.token(bytes: 3))"
    let reason = "\(failure.sentence); the next try asks for \(resource)"
    guard case .stream = failure else { return moveOn(after: reason) }
    if let session, effects.now.instant - session.since.instant >= Self.conflictPeriod { conflicts = 0 }
    conflicts += 1
    if conflicts == 1 { return moveOn(after: reason) }
    moveOn(
      after: "\(reason); \(conflicts) conflicts in a row: does the server allow so many sessions?",
      pause: min(.minutes(1 << min(Int64(conflicts) - 2, 6)), Self.longestYield))
  }

  /// Whether a conflict comes from resuming: a server that is asked to resume one stream over two links, one of them
  /// lost, may resume both and end one with a conflict. No other session is involved.
  private func isConflictOfResuming() -> Bool {
    guard let session, session.isResumed else { return false }
    return effects.now.instant - session.since.instant < Backoff.stable
  }
}
