import Clocks
import State
import XMPPExtensions
import XMPPStream

/// Begins, resumes and loses the streams of an account: what is sent first, and in which order the parts hear of it.
package final class StreamLifecycle {
  private let parts: AccountParts
  private let router: StanzaRouter
  private let stream: ReliableStream
  private let outbox: OutboxSender
  /// True if the first stanzas of a stream are sent, though its resource is not bound yet.
  private(set) var hasSentInitialStanzas = false

  init(_ parts: AccountParts, _ router: StanzaRouter) {
    (self.parts, self.router) = (parts, router)
    (stream, outbox) = (parts.core.stream, parts.messaging.outbox)
  }

  private var core: CoreParts { parts.core }
  private var people: PeopleParts { parts.people }
  private var messaging: MessagingParts { parts.messaging }

  // MARK: - The start of a stream

  /// A new try to log in.
  func tryBegins() { hasSentInitialStanzas = false }

  /// Sends the first stanzas of a new stream: enables stream management, requests the roster and sends initial
  /// presence, all at once (RFC 6121, 2.2: the roster first). Presence precedes each archive query, even if
  /// unacknowledged messages wait for its answer: Prosody withholds offline messages from a session that has queried
  /// the archive (decision 0057).
  func sendInitialStanzas(streamManagement: Bool, rosterVersioning: Bool) {
    stream.reset()
    forgetAnswers()
    messaging.receipts.reset()
    outbox.restart()
    core.offers.reset()
    prepareParts()
    if streamManagement {
      stream.enable()
      stream.awaitAnswer()
    }
    people.roster.request(versioned: rosterVersioning)
    core.features.request()
    people.presence.announce()
    hasSentInitialStanzas = true
  }

  private func forgetAnswers() {
    core.requests.reset()
    core.features.reset()
    for part in parts.listeners { part.answersAreLost() }
  }

  private func prepareParts() {
    router.streamBegins()
    people.roster.recount()
    core.archive.readIDsSince()
  }

  /// The resource is bound: what is durable may leave.
  ///
  /// - Parameters:
  ///   - pipeliningFailures: how many logins in a row were repeated because they were pipelined.
  ///   - sequence: the last record of the earlier stream.
  func begin(_ negotiated: NegotiatedStream, isDirect: Bool, pipeliningFailures: UInt8, after sequence: UInt64) {
    bound(negotiated, isDirect)
    messaging.inbox.deduplicator.notePendingOfEarlierStream()
    core.offers.note(negotiated, pipeliningFailures: pipeliningFailures)
    if stream.mode == .off { stream.recordStart() }
    outbox.resolution = .waiting(after: sequence)
    messaging.archive.resolveWhenDurable()
  }

  private func bound(_ negotiated: NegotiatedStream, _ isDirect: Bool) {
    hasSentInitialStanzas = false
    (stream.record.jid, stream.record.isDirect) = (negotiated.jid, isDirect)
    core.keepAlive.heard()
    for part in parts.listeners { part.streamBegins(negotiated) }
  }

  /// The server resumed the stream, and has handled `h` of our stanzas. The others are sent again, in order, under the
  /// same ids.
  ///
  /// - Parameters:
  ///   - counters: those of the stream.
  ///   - isRestored: true: they are from the log, which knows only the numbers of stanzas other than messages.
  ///   - keepsAnswers: true: the server still answers requests made on the stream.
  func resume(
    _ negotiated: NegotiatedStream, _ counters: StreamManagement, h: UInt32, isDirect: Bool, isRestored: Bool,
    keepsAnswers: Bool
  ) -> StanzaRouter.End? {
    guard let log = stream.state.stream else {
      return .failed(.protocolViolation("it resumed an unknown stream"))
    }
    prepareParts()
    if keepsAnswers { keepAnswers() } else { forgetAnswers() }
    let stanzas: (acknowledged: [UInt64], again: [StreamManagement.Stanza])
    do { stanzas = try stream.resume(counters, h: h, from: log) } catch {
      return .failed(.impossibleAcknowledgement(error))
    }
    // Stanzas that parts send from here on take counts (XEP-0198) that messages still have in the log. They leave
    // once the log has the new counts of these messages.
    let movesMessages = stanzas.again.contains { if case .message = $0 { true } else { false } }
    if movesMessages { stream.holdBack(until: .max) }
    bound(negotiated, isDirect)
    if isRestored { messaging.receipts.restore(log.unconfirmedReceipts) }
    messaging.receipts.resume(h)
    core.features.resume(keepsArchiveIDs: log.keepsArchiveIDs)
    continueOutbox(stanzas.acknowledged, stanzas.again)
    if movesMessages { stream.holdBack(until: stream.storage.queue.last) }
    takeUp(log, h: h, isRestored: isRestored)
    core.offers.note(negotiated, pipeliningFailures: 0)
    core.offers.answered()
    stream.reportPresences()
    if !keepsAnswers {
      core.features.request()
    } else if core.archive.phase == .unknown {
      messaging.archive.begin()
    }
    return nil
  }

  private func keepAnswers() {
    core.requests.pending.renew(at: stream.effects.now.instant)
    messaging.archive.sync.resume()
  }

  private func continueOutbox(_ acknowledged: [UInt64], _ again: [StreamManagement.Stanza]) {
    outbox.restart(acknowledgedUpTo: acknowledged.last)
    outbox.acknowledged(acknowledged)
    stream.recordResumption()
    outbox.sendAgain(again)
  }

  /// Repeats what was requested and never came, or changed while it could not be sent.
  private func takeUp(_ log: StreamState, h: UInt32, isRestored: Bool) {
    let isLost = log.presencePlace.map { isRestored && $0.isBeyond(h) } ?? true
    // The next record says where our presence stands now. A stanza that takes its old place before that would be taken
    // for it.
    if isLost { stream.holdBack(until: stream.storage.queue.last + 1) }
    // A server that has given a version knows them.
    if !log.hasRoster, !people.roster.isPending {
      people.roster.request(versioned: stream.state.contacts.rosterVersion != nil)
    }
    if isLost { people.presence.announce() }
    core.requests.askAgain()
    stream.request()
    if messaging.archive.evidence.isAwaited { return }
    // No message of mine has left on it: whether those of an earlier one arrived was still being asked.
    if outbox.transmittedUpTo == 0, outbox.hasUnresolved { return messaging.archive.resolve() }
    outbox.resolved()
  }

  /// Announces us anew, and makes sure that it arrives.
  func announce() {
    people.presence.announce()
    stream.probe()
  }

  // MARK: - The end of a stream

  /// The server ends the stream because of a stanza: it may be what a client asked for.
  func refuseRequestsOfClients(_ reason: String) {
    people.avatarPublisher.linkLost()
    failRequestsOfClients(.refused(reason))
  }

  /// The link is lost: no client gets an answer of the server any more.
  func linkLost() {
    outbox.stop()
    // Before their requests fail: nothing new is begun for those.
    for part in parts.listeners { part.linkLost() }
    failRequestsOfClients(.disconnected)
    stream.reportPresences()
  }

  private func failRequestsOfClients(_ outcome: TicketOutcome) {
    for inquiry in core.requests.pending.takeInquiries(where: \.isOfClient) { inquiry.answered(.missing(outcome)) }
  }

  // MARK: - Syncs, deadlines, output

  /// A sync came: what depends on it may leave.
  func synced() { for part in parts.listeners { part.synced() } }

  /// The link has handed all it had to the kernel.
  func drained() {
    stream.drained()
    outbox.pump()
  }

  /// The earliest time at which something is due.
  var deadline: Instant? {
    var due = core.keepAlive.deadline
    for part in parts.listeners { due = due.orEarlier(part.deadline) }
    return due
  }

  /// Does what is due; returns why the link is dead, if it is.
  func tick() -> String? {
    for part in parts.listeners { part.tick() }
    return core.keepAlive.tick { purpose in
      if messaging.archive.sync.awaitsFurther(purpose) { return false }
      router.iqs.fail(purpose, .timedOut)
      return true
    }
  }

  /// Records what is new of the stream, because a batch of the log is about to be written.
  package func recordProgress() {
    for part in parts.listeners { part.recordDone() }
    stream.recordProgress()
  }

  /// Takes the bytes to write, behind one `<r/>` or ping for all that was sent.
  func takeOutput() -> [UInt8] {
    let isOverdue = stream.mode == .on && stream.ackRequests.isOverdue(stream.counters.sentCount)
    if messaging.receipts.areMany, isOverdue { stream.request() }
    if let order = stream.ackRequests.takePing() { core.requests.send(.ping(upTo: order)) { Ping.request(id: $0) } }
    return stream.takeOutput()
  }
}
