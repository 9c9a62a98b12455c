import Clocks
import ConfabConfiguration
import XMPPStream

/// From a stream, or the way to one, back to nothing.
extension Connector {
  /// How long a password that has worked is not tried again: a random time between half of this and all of it.
  private static let refusalPause = Interval.hours(4)

  /// The link is gone.
  func closed(_ reason: String?) {
    linkIsGone()
    switch phase {
    case .closing: forgetLink()
    case .resolving, .connecting, .negotiating, .online: tryNext(after: reason ?? "the server closed the connection")
    case .idle, .waiting: break
    }
  }

  /// The try or the stream failed.
  func fail(_ failure: StreamFailure) {
    let reason = failure.sentence
    if isAhead, failure.mayBeOurs { return tryCautiously(after: reason) }
    switch failure.remedy {
    // A server that has not proved who it is says nothing that lasts.
    case .soon where !attempt.isSecured, .later where !attempt.isSecured, .rarely where !attempt.isSecured,
      .otherResource where !attempt.isSecured:
      moveOn(after: reason)
    case .again: moveOn(after: reason)
    case .soon: moveOn(after: reason, pause: .seconds(8))
    case .later: moveOn(after: reason, pause: .minutes(1))
    case .rarely: moveOn(after: reason, pause: Backoff.longest)
    case .otherResource: yieldResource(failure)
    case .elsewhere(let host): follow(to: host, reason)
    case .otherPlaces where hasOtherPlaces: moveOn(after: reason)
    case .hoursLater where login.hasSucceeded: waitForHours(after: reason)
    case .otherPlaces, .hoursLater, .never: refuse(reason)
    }
  }

  /// True if the plan has addresses that were not tried.
  private var hasOtherPlaces: Bool {
    if case .negotiating = phase { attempt.plan?.candidates.isEmpty == false } else { false }
  }

  /// Waits hours after the server refuses a password that it accepted before: the server may be faulty, or the password
  /// was changed. So few attempts do not lock an account; each reads the password again.
  private func waitForHours(after reason: String) {
    effects.act(.forgetKeys(account: settings.name))
    let hint = "it accepted this password before, so the daemon tries again in some hours; `confab connect` tries now"
    lose("\(reason); \(hint)", pause: Self.refusalPause)
  }

  /// The present place leads no further: it is tried again without pipelining, or the next one is tried.
  func tryNext(after reason: String) {
    if case .negotiating = phase, stream?.step == .resuming { resumption.noteFailure() }
    if isAhead { tryCautiously(after: reason) } else { moveOn(after: reason) }
  }

  /// Pipelining may be what went wrong: one more try, at once, without it.
  private func tryCautiously(after reason: String) {
    reporter.journal(.info, "\(reason); trying again without pipelining")
    attempt.isCautious = true
    delegate?.linkLost()
    abandon()
    connect()
  }

  /// Tries the next place of the plan, or waits if there is none.
  func moveOn(after reason: String, pause: Interval = .zero) {
    switch phase {
    case .connecting, .negotiating:
      guard let plan = attempt.plan, !plan.candidates.isEmpty else { return lose(reason, pause: pause) }
      reporter.journal(trouble: reason, reason)
      dropLink()
      start(plan)
    default: lose(reason, pause: pause)
    }
  }

  /// Drops the link and tries again after a pause.
  func lose(_ reason: String, pause: Interval = .zero) {
    delegate?.linkLost()
    dropLink()
    if reporter.status.state == .stopped { phase = .idle } else { wait(reason, pause: pause) }
  }

  /// Drops the link for good: the account gets another connector.
  package func abandon(_ reason: String) {
    attempt.networkHasChanged = false
    lose(reason)
  }

  /// Waits before the next try.
  func wait(_ reason: String, pause least: Interval = .zero) {
    let pause = backoff.next(effects.random, atLeast: least)
    phase = .waiting(until: effects.now.instant.advanced(by: pause))
    reporter.report(.waiting, reason, nextTryIn: pause)
    guard attempt.networkHasChanged else { return }
    // The try that failed began on another network.
    attempt.networkHasChanged = false
    hasten()
  }

  /// Waits for the log, which has to be durable before the next try.
  func waitForLog(_ reason: String) {
    phase = .waiting(until: effects.now.instant.advanced(by: Self.stepPatience))
    reporter.report(.connecting, reason)
  }

  /// Gives up until the configuration changes or the user says `connect`; the password may be another one by then.
  func refuse(_ reason: String) {
    delegate?.linkLost()
    abandon()
    effects.act(.forgetKeys(account: settings.name))
    reporter.report(.refused, reason)
  }

  /// Stops connecting.
  func stop(_ reason: String) {
    phase = .idle
    reporter.report(.stopped, reason)
  }

  /// Drops the link, if there is one; nothing is tried until `connect`.
  func abandon() {
    dropLink()
    phase = .idle
  }

  /// The stream is closed, or left: the server has a moment to close, too.
  func awaitClose(_ patience: Interval, leaving: Bool) {
    if leaving, let link { effects.act(.link(link, .close)) }
    phase = .closing
    stepDeadline = effects.now.instant.advanced(by: patience)
  }

  /// Forgets the link of a stream that we closed.
  func forgetLink() {
    abandon()
    delegate?.closed()
  }

  // MARK: - The network

  /// The network changed, or the machine woke. A waiting account tries at once; online, the account probes the server.
  func networkChanged() {
    switch phase {
    case .waiting: hasten()
    case .resolving, .connecting, .negotiating: attempt.networkHasChanged = true
    case .idle, .online, .closing: break
    }
  }

  /// Makes the next try now, if that may be.
  private func hasten() { if case .waiting = phase, backoff.endsEarly(at: effects.now.instant) { connect() } }

  /// The wall clock was set: the next try has another time of day.
  func clockSet() {
    guard case .waiting(let until) = phase else { return }
    reporter.status.retryAt = effects.now.wall.advanced(by: until - effects.now.instant)
  }
}
