import AddressPreparation
import ConfabConfiguration
import XMPPStream

/// When the server redirects us, or another session has our resource.
extension Connector {
  /// Redirects in a row that are followed before the ordinary way is tried again.
  static let mostRedirects = 3

  /// Follows a redirect, with the same demands on encryption and identity (RFC 6120, section 4.9.3.19): the certificate
  /// has to be the domain's. If that fails, the rest of the plan is tried, and then the ordinary way after a pause.
  func follow(to host: String, _ reason: String) {
    if let objection = objection(to: host) { return moveOn(after: "\(reason), which \(objection)") }
    guard let place = attempt.place, let target = self.place(at: host, isDirect: place.direct) else { return }
    attempt.redirects += 1
    reporter.journal(trouble: reason, reason)
    let rest: ConnectionPlan? = if case .negotiating = phase { attempt.plan } else { nil }
    delegate?.linkLost()
    dropLink()
    login.resumesTLS = false
    start(ConnectionPlan(target, then: rest))
  }

  /// The reason not to follow a redirect; nil if it is followed. A redirect that came before the server proved its
  /// identity may be anybody's.
  private func objection(to host: String) -> String? {
    if !attempt.isSecured { return "is ignored: it came before TLS" }
    if attempt.redirects >= Self.mostRedirects { return "is ignored: too many redirects in a row" }
    guard let place = attempt.place, self.place(at: host, isDirect: place.direct) != nil else { return "is not a host" }
    return nil
  }

  /// The place that a server named, to be connected to in the same way; nil: it is no host.
  func place(at host: String, isDirect: Bool) -> ConnectionPlan.Candidate? {
    guard host.utf8.allSatisfy({ $0 < 0x80 }),
      let found = HostPort(host, defaultPort: isDirect ? 5223 : 5222), (try? DomainName.ascii(found.host)) != nil
    else { return nil }
    return ConnectionPlan.Candidate(host: found.host, port: found.port, direct: isDirect)
  }

  /// Another session took over the resource, or has it. The next try requests another resource (RFC 6120, section
  /// 4.9.3.3: never blindly the same one).
  func yieldResource(_ failure: StreamFailure) {
    // The session that has the resource has the stream.
    resumption.end(isOnline: isOnline)
    let lasted = delegate?.streamAge
    if let lasted, lasted.isResumed, lasted.age < Backoff.stable {
      // A server that is asked to resume one stream over two links, one of them lost, may resume both and end one with
      // a conflict. No other session is involved.
      return moveOn(after: failure.sentence)
    }
    login.resource = "\(login.ownResource)-\(effects.token(bytes: 3))"
    let reason = "\(failure.sentence); the next try uses the resource \(login.resource)"
    guard case .stream = failure else { return moveOn(after: reason) }
    let pause = login.conflicts.note(after: lasted?.age)
    if login.conflicts.count == 1 { return moveOn(after: reason) }
    moveOn(
      after: "\(reason); \(login.conflicts.count) conflicts in a row; the server may limit the number of sessions",
      pause: pause)
  }
}
