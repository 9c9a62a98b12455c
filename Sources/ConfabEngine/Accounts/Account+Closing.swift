import Clocks
import Facts
import Records
import Settings
import XMPPCore

/// The orderly ends of a session: by command, with the daemon, and where the configuration has changed.
extension Account {
  /// Ends in order: what was received is synced and acknowledged, what was sent is acknowledged by the server or has had
  /// its time, then the stream is closed.
  ///
  /// - Parameters:
  ///   - leaving: the stream is left to be resumed, where the server allows that.
  ///   - isLastWordAwaited: the server is asked what it has before the stream is left, too: nobody may resume it.
  func close(
    _ state: AccountStatus.State, _ reason: String, leaving: Bool = false, isLastWordAwaited: Bool = false, _ turn: Turn
  ) {
    report(state, reason, turn)
    guard let session else {
      if case .closing = phase { return }
      if !leaving { endStream(turn) }
      dropLink(turn)
      phase = .idle
      return
    }
    isLeaving = leaving && session.isResumable
    awaitsLastWord = isLastWordAwaited || !isLeaving
    session.stopSending()
    session.recordProgress(turn)
    closing = Closing(storingUpTo: session.isComplete && !session.lane.hasMessages ? 0 : turn.ledger.last)
    turn.ledger.hurry()
    goOnClosing(turn)
  }

  /// Something came, was stored, or is due.
  func goOnClosing(_ turn: Turn) {
    guard let session else { return }
    let step = closing?.step(
      isAwaiting: awaitsLastWord && session.isAwaitingAcknowledgement, isComplete: session.isComplete,
      durable: turn.ledger.durable, at: turn.now.instant)
    switch step {
    case .wait, nil: break
    // Without stream management, a ping behind the messages has asked already.
    case .ask: if session.managementState == .on { session.probe(turn) }
    case .store:
      session.recordProgress(turn)
      closing?.store(upTo: turn.ledger.last)
      turn.ledger.hurry()
    case .finish: finishClosing(turn)
    }
  }

  /// The session has nothing left to acknowledge.
  func finishClosing(_ turn: Turn) {
    guard let link, let session else { return }
    if isPaused { turn.act(.link(link, .resume)) }
    isPaused = false
    session.close(leaving: isLeaving)
    turn.act(.link(link, .write(session.takeOutput(turn))))
    endSession(turn)
    if !isLeaving { endStream(turn) }
    guard !isLeaving || status.state == .stopped else { return forgetLink(turn) }
    if isLeaving { turn.act(.link(link, .close)) }
    phase = .closing
    stepDeadline = turn.now.instant.advanced(by: Self.closePatience)
  }

  /// Nothing is open any more, after a close that we began.
  func forgetLink(_ turn: Turn) {
    dropLink(turn)
    phase = .idle
    if status.state != .stopped { connect(turn) }
  }

  /// Gone from the configuration: its session ends in order, without anybody to watch.
  func retire(_ turn: Turn) { close(.stopped, "no longer in the configuration", turn) }

  /// The configuration says something else of the account. A login that stays as it is keeps its stream. Another one
  /// begins when the server has said what it has of ours, and resumes the stream where it asks for the same resource.
  ///
  /// - Parameter resource: its own, as the new settings have it.
  func reconfigure(_ new: AccountSettings, resource: String, _ turn: Turn) {
    let isSameLogin = settings.hasSameLogin(as: new)
    settings = new
    for session in [session, greeted] { session?.settings = new }
    if isSameLogin { return }
    (ownResource, resumesTLS, isCautious, hasSignedIn) = (resource, false, false, false)
    let isSameResource = (facts.stream?.beginning.jid).flatMap { try? JID($0) }.map(isWanted) ?? false
    close(
      .connecting, "the configuration of the account has changed", leaving: isSameResource, isLastWordAwaited: true,
      turn)
  }
}
