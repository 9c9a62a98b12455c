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
  func closed(_ reason: String?, _ turn: Turn) {
    link = nil
    switch phase {
    case .closing: forgetLink(turn)
    case .resolving, .connecting, .negotiating, .online:
      tryNext(after: reason ?? "the server closed the connection", turn)
    case .idle, .waiting: break
    }
  }

  /// The stream of the session is over.
  func ended(_ end: Session.End, _ turn: Turn) {
    session?.isEndedByServer = true
    switch end {
    case .closed: tryNext(after: "the server closed the stream", turn)
    case .failed(let failure):
      if case .stream(let error) = failure { suspect(error, turn) }
      answer(failure, turn)
      fail(failure, turn)
    }
  }

  /// The try or the session failed.
  func fail(_ failure: StreamFailure, _ turn: Turn) {
    let reason = failure.sentence
    if isAhead, failure.mayBeOurs { return tryCautiously(after: reason, turn) }
    switch failure.remedy {
    // Who has not proved to be the server says nothing that lasts.
    case .soon where !isSecured, .later where !isSecured, .rarely where !isSecured, .otherResource where !isSecured:
      moveOn(after: reason, turn)
    case .again: moveOn(after: reason, turn)
    case .soon: moveOn(after: reason, pause: .seconds(8), turn)
    case .later: moveOn(after: reason, pause: .minutes(1), turn)
    case .rarely: moveOn(after: reason, pause: Backoff.longest, turn)
    case .otherResource: yieldResource(failure, turn)
    case .elsewhere(let host): follow(to: host, reason, turn)
    case .otherPlaces where hasOtherPlaces: moveOn(after: reason, turn)
    case .hoursLater where hasSignedIn: waitForHours(after: reason, turn)
    case .otherPlaces, .hoursLater, .never: refuse(reason, turn)
    }
  }

  /// Whether the connection plan has addresses that were not tried.
  private var hasOtherPlaces: Bool {
    if case .negotiating(_, let plan, _) = phase { !plan.candidates.isEmpty } else { false }
  }

  /// Waits hours after the server refuses a password that it accepted before: the server may be faulty, or the password
  /// was changed. So few attempts do not lock an account; each reads the password again.
  private func waitForHours(after reason: String, _ turn: Turn) {
    turn.act(.forgetKeys(account: name))
    let hint = "it took this password before, so it is asked again in some hours; `confab connect` asks now"
    lose("\(reason); \(hint)", pause: Self.refusalPause, turn)
  }

  /// The way that was tried leads no further: the same once more, word by word, where it went ahead of the server.
  func tryNext(after reason: String, _ turn: Turn) {
    noteSetback(turn)
    if isAhead { tryCautiously(after: reason, turn) } else { moveOn(after: reason, turn) }
  }

  /// Drops the link and tries again after a pause.
  func lose(_ reason: String, pause: Interval = .zero, _ turn: Turn) {
    endSession(turn)
    dropLink(turn)
    if status.state == .stopped { phase = .idle } else { wait(reason, pause: pause, turn) }
  }

  /// Waits before the next try.
  func wait(_ reason: String, pause least: Interval = .zero, _ turn: Turn) {
    let pause = backoff.next(turn.random, atLeast: least)
    isPauseAskedFor = least >= .minutes(1)
    phase = .waiting(until: turn.now.instant.advanced(by: pause))
    status.retryAt = turn.now.wall.advanced(by: pause)
    report(.waiting, reason, turn)
    hastenIfChanged(turn)
  }

  /// Gives up until the configuration changes or somebody says `connect`; the password may be another one by then.
  func refuse(_ reason: String, _ turn: Turn) {
    endSession(turn)
    dropLink(turn)
    turn.act(.forgetKeys(account: name))
    phase = .idle
    report(.refused, reason, turn)
  }

  /// The user's wish was stored: connect, disconnect, or another presence.
  func wishChanged(isCommand: Bool, _ turn: Turn) {
    guard isCommand else {
      if closing == nil { session?.announce(turn) }
      return
    }
    if facts.wish.connected { start(turn) } else { close(.stopped, "disconnected by command", turn) }
  }

  /// Connects now, whatever was before.
  func start(_ turn: Turn) {
    backoff.reset()
    complaints = Complaints()
    (resource, conflicts) = (ownResource, 0)
    failPoisoned(turn)
    scheduleOutbox(turn)
    if case .closing = phase { report(.connecting, "connecting again", turn) }
    if closing != nil { report(.connecting, "connecting again", turn) }
    connect(turn)
  }

  /// Connects where it waits for something that is over.
  func reconnect(_ turn: Turn) {
    scheduleOutbox(turn)
    if case .waiting = phase { connect(turn) }
  }

  /// Nothing is open and nothing is owed.
  var isQuiet: Bool {
    switch phase {
    case .idle, .waiting: true
    case .resolving, .connecting, .negotiating, .online, .closing: false
    }
  }

  /// Fails messages that were the first unacknowledged one at two stream errors.
  func failPoisoned(_ turn: Turn) {
    for entry in facts.outbox.entries where entry.suspicions >= Outbox.maximumSuspicions {
      let failure = Failure(
        condition: "policy-violation", text: "the server ended the stream twice when this message was sent")
      deliveries.advance(DeliveryRecord(entry, of: number, .failed, failure: failure), turn)
    }
  }

  func endSession(_ turn: Turn) {
    closing = nil
    guard let session else { return }
    let lasted = turn.now.instant - session.since.instant
    backoff.lasted(lasted)
    if lasted >= Backoff.stable { complaints = Complaints() }
    session.end(turn)
    suspend(session, turn)
  }

  /// What was written still leaves; what comes on this link is nobody's from now on.
  func dropLink(_ turn: Turn) {
    if let link { turn.act(.link(link, .close)) }
    link = nil
    stepDeadline = nil
    (status.tls, status.sasl) = (nil, nil)
  }

  /// Notes the first unacknowledged message when a stream error may be its fault. Where the server has taken nothing since
  /// the stream was resumed, that may be what is wrong: then no message is to blame, and the next stream is a new one.
  private func suspect(_ error: StreamError, _ turn: Turn) {
    guard let session, StreamErrorMeaning.of(error.condition).blamesStanza else { return }
    guard session.isHeard else { return endStream(turn) }
    guard let first = facts.outbox.entries.first, first.transmitted, first.order <= session.transmittedUpTo
    else { return }
    turn.append(.suspicion(SuspicionRecord(account: number, id: first.id)))
  }

  /// Tells the server why we close, where the mistake is its own (RFC 6120, section 4.9).
  private func answer(_ failure: StreamFailure, _ turn: Turn) {
    guard let link, let session else { return }
    switch failure {
    case .xml(let failure): session.output += StreamError.closing(failure.streamErrorCondition)
    case .protocolViolation: session.output += StreamError.closing("undefined-condition")
    case .impossibleAcknowledgement(let it):
      session.output += StreamError.closing(
        "undefined-condition", detail: StreamManagementWriter.tooHigh(h: it.h, sent: it.sent))
    default: return
    }
    endStream(turn)
    turn.act(.link(link, .write(session.takeOutput(turn))))
  }
}
