import Clocks
import Facts
import Records
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// From a session, or the way to one, back to nothing.
extension Account {
  /// The link is gone.
  func closed(_ reason: String?) {
    link = nil
    switch phase {
    case .closing: forgetLink()
    case .resolving, .connecting, .negotiating, .online:
      tryNext(after: reason ?? "the server closed the connection")
    case .idle, .waiting: break
    }
  }

  /// The stream of the session is over.
  func ended(_ end: Session.End) {
    session?.isEndedByServer = true
    switch end {
    case .closed: tryNext(after: "the server closed the stream")
    case .failed(let failure):
      if case .stream(let error) = failure { suspect(error) }
      answer(failure)
      fail(failure)
    }
  }

  /// The try or the session failed.
  func fail(_ failure: StreamFailure) {
    let reason = failure.sentence
    if isAhead, failure.mayBeOurs { return tryCautiously(after: reason) }
    switch failure.remedy {
    // Who has not proved to be the server says nothing that lasts.
    case .soon where !isSecured, .later where !isSecured, .rarely where !isSecured, .otherResource where !isSecured:
      moveOn(after: reason)
    case .again: moveOn(after: reason)
    case .soon: moveOn(after: reason, pause: .seconds(8))
    case .later: moveOn(after: reason, pause: .minutes(1))
    case .rarely: moveOn(after: reason, pause: Backoff.longest)
    case .otherResource: yieldResource(failure)
    case .elsewhere(let host): follow(to: host, reason)
    case .otherPlaces where hasOtherPlaces: moveOn(after: reason)
    case .hoursLater where hasSignedIn: waitForHours(after: reason)
    case .otherPlaces, .hoursLater, .never: refuse(reason)
    }
  }

  /// Whether the connection plan has addresses that were not tried.
  private var hasOtherPlaces: Bool {
    if case .negotiating(_, let plan, _) = phase { !plan.candidates.isEmpty } else { false }
  }

  /// Waits hours after the server refuses a password that it accepted before: the server may be faulty, or the password
  /// was changed. So few attempts do not lock an account; each reads the password again.
  private func waitForHours(after reason: String) {
    effects.act(.forgetKeys(account: name))
    let hint = "it took this password before, so it is asked again in some hours; `confab connect` asks now"
    lose("\(reason); \(hint)", pause: Self.refusalPause)
  }

  /// The way that was tried leads no further: the same once more, word by word, where it went ahead of the server.
  func tryNext(after reason: String) {
    noteSetback()
    if isAhead { tryCautiously(after: reason) } else { moveOn(after: reason) }
  }

  /// Drops the link and tries again after a pause.
  func lose(_ reason: String, pause: Interval = .zero) {
    endSession()
    dropLink()
    if status.state == .stopped { phase = .idle } else { wait(reason, pause: pause) }
  }

  /// Waits before the next try.
  func wait(_ reason: String, pause least: Interval = .zero) {
    let pause = backoff.next(effects.random, atLeast: least)
    isPauseAskedFor = least >= .minutes(1)
    phase = .waiting(until: effects.now.instant.advanced(by: pause))
    status.retryAt = effects.now.wall.advanced(by: pause)
    report(.waiting, reason)
    hastenIfChanged()
  }

  /// Gives up until the configuration changes or somebody says `connect`; the password may be another one by then.
  func refuse(_ reason: String) {
    endSession()
    dropLink()
    effects.act(.forgetKeys(account: name))
    phase = .idle
    report(.refused, reason)
  }

  /// The user's wish was stored: connect, disconnect, or another presence.
  func wishChanged(isCommand: Bool) {
    guard isCommand else {
      if closing == nil { session?.announce() }
      return
    }
    if facts.wish.connected { start() } else { close(.stopped, "disconnected by command") }
  }

  /// Connects now, whatever was before.
  func start() {
    backoff.reset()
    complaints = Complaints()
    (resource, conflicts) = (ownResource, 0)
    failPoisoned()
    scheduleOutbox()
    if case .closing = phase { report(.connecting, "connecting again") }
    if closing != nil { report(.connecting, "connecting again") }
    connect()
  }

  /// Connects where it waits for something that is over.
  func reconnect() {
    scheduleOutbox()
    if case .waiting = phase { connect() }
  }

  /// Nothing is open and nothing is owed.
  var isQuiet: Bool {
    switch phase {
    case .idle, .waiting: true
    case .resolving, .connecting, .negotiating, .online, .closing: false
    }
  }

  /// Fails messages that were the first unacknowledged one at two stream errors.
  func failPoisoned() {
    for entry in facts.outbox.entries where entry.suspicions >= Outbox.maximumSuspicions {
      let failure = Failure(
        condition: "policy-violation", text: "the server ended the stream twice when this message was sent")
      deliveries.advance(DeliveryRecord(entry, of: number, .failed, failure: failure))
    }
  }

  func endSession() {
    closing = nil
    guard let session else { return }
    let lasted = effects.now.instant - session.since.instant
    backoff.lasted(lasted)
    if lasted >= Backoff.stable { complaints = Complaints() }
    session.end()
    suspend(session)
  }

  /// What was written still leaves; what comes on this link is nobody's from now on.
  func dropLink() {
    if let link { effects.act(.link(link, .close)) }
    link = nil
    stepDeadline = nil
    (status.tls, status.sasl) = (nil, nil)
  }

  /// Notes the first unacknowledged message when a stream error may be its fault. Where the server has taken nothing since
  /// the stream was resumed, that may be what is wrong: then no message is to blame, and the next stream is a new one.
  private func suspect(_ error: StreamError) {
    guard let session, StreamErrorMeaning.of(error.condition).blamesStanza else { return }
    guard session.isHeard else { return endStream() }
    guard let first = facts.outbox.entries.first, first.transmitted, first.order <= session.transmittedUpTo
    else { return }
    storage.append(.suspicion(SuspicionRecord(account: number, id: first.id)))
  }

  /// Tells the server why we close, where the mistake is its own (RFC 6120, section 4.9).
  private func answer(_ failure: StreamFailure) {
    guard let link, let session else { return }
    switch failure {
    case .xml(let failure): session.output += StreamError.closing(failure.streamErrorCondition)
    case .protocolViolation: session.output += StreamError.closing("undefined-condition")
    case .impossibleAcknowledgement(let it):
      session.output += StreamError.closing(
        "undefined-condition", detail: StreamManagementWriter.tooHigh(h: it.h, sent: it.sent))
    default: return
    }
    endStream()
    effects.act(.link(link, .write(session.takeOutput())))
  }
}
