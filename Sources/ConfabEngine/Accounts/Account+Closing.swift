import Clocks
import Facts
import Records
import Settings
import XMPPCore

/// The orderly end of a session: on a client's command, when the daemon stops, or after a change of the configuration.
extension Account {
  /// Ends the session in order: syncs and acknowledges the stanzas received, waits a limited time for the server's
  /// acknowledgement of the stanzas sent, then closes the stream.
  ///
  /// - Parameters:
  ///   - leaving: keeps the stream resumable, if the server allows that.
  ///   - isLastWordAwaited: waits for the server's acknowledgement even if the stream stays resumable, because it may
  ///   not be resumed.
  func close(
    _ state: AccountStatus.State, _ reason: String, leaving: Bool = false, isLastWordAwaited: Bool = false
  ) {
    report(state, reason)
    guard let session else {
      if case .closing = phase { return }
      if !leaving { endStream() }
      dropLink()
      phase = .idle
      return
    }
    isLeaving = leaving && session.isResumable
    awaitsLastWord = isLastWordAwaited || !isLeaving
    session.stopSending()
    session.recordProgress()
    closing = Closing(storingUpTo: session.isComplete && !session.lane.hasMessages ? 0 : storage.queue.last)
    storage.queue.hurry()
    goOnClosing()
  }

  /// Continues the close after a stanza, a sync or a deadline.
  func goOnClosing() {
    guard let session else { return }
    let step = closing?.step(
      isAwaiting: awaitsLastWord && session.isAwaitingAcknowledgement, isComplete: session.isComplete,
      durable: storage.queue.durable, at: effects.now.instant)
    switch step {
    case .wait, nil: break
    // Without stream management, a ping was sent after the messages.
    case .ask: if session.managementState == .on { session.probe() }
    case .store:
      session.recordProgress()
      closing?.store(upTo: storage.queue.last)
      storage.queue.hurry()
    case .finish: finishClosing()
    }
  }

  /// Ends the session after its last acknowledgements.
  func finishClosing() {
    guard let link, let session else { return }
    if isPaused { effects.act(.link(link, .resume)) }
    isPaused = false
    session.close(leaving: isLeaving)
    effects.act(.link(link, .write(session.takeOutput())))
    endSession()
    if !isLeaving { endStream() }
    guard !isLeaving || status.state == .stopped else { return forgetLink() }
    if isLeaving { effects.act(.link(link, .close)) }
    phase = .closing
    stepDeadline = effects.now.instant.advanced(
      by: status.state == .stopped ? Self.closePatience : Self.relayPatience)
  }

  /// Forgets the link after a close that we began, and connects again unless the account is stopped.
  func forgetLink() {
    dropLink()
    phase = .idle
    if status.state != .stopped { connect() }
  }

  /// Ends the session of an account that was removed from the configuration.
  func retire() { close(.stopped, "no longer in the configuration") }

  /// Takes the account's changed settings. An unchanged login keeps its stream. A changed login begins after the
  /// server's acknowledgement, and resumes the stream if it asks for the same resource.
  ///
  /// - Parameter resource: the resource of this login in the new settings.
  func reconfigure(_ new: AccountSettings, resource: String) {
    let isSameLogin = settings.hasSameLogin(as: new)
    settings = new
    for session in [session, greeted] { session?.settings = new }
    if isSameLogin { return }
    (ownResource, resumesTLS, isCautious, hasSignedIn) = (resource, false, false, false)
    let isSameResource = (facts.stream?.beginning.jid).flatMap { try? JID($0) }.map(isWanted) ?? false
    close(
      .connecting, "the configuration of the account has changed", leaving: isSameResource, isLastWordAwaited: true)
  }
}
