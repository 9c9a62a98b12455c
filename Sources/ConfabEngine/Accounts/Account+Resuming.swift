import Clocks
import Facts
import Records
import Settings
import XMPPCore
import XMPPStream

/// A stream that was lost goes on where that is possible (XEP-0198, section 5): after a cut, a crash, an upgrade. What is
/// durable decides.
extension Account {
  /// What is known of the last stream.
  struct Suspension {
    /// Its counters, and what it has not had; nil: only the log knows of it, from before a start or a trouble of the disk.
    var management: StreamManagement?
    /// What was asked on it, and what came of that; nil: nobody knows any more.
    var questions: Session.Questions?
    /// Receipts and markers that it may not have had.
    var telling = Telling()
    /// When it was lost; of a stream from before a start, when that was.
    var since: Instant
    /// It goes on only when the log is durable up to this record.
    var after: UInt64 = 0
    /// How often `<resume/>` was sent for it.
    var attempts = 0
    /// How often in a row the server ended the connection over it.
    var setbacks = 0
    /// How often in a row the server resumed it and then answered nothing on it.
    var silences = 0
    /// Where the server wants to be connected to for it has been tried.
    var hasTriedLocation = false
  }

  /// Who breaks down over a stream so often cannot resume it.
  static let mostSetbacksOfResuming = 3
  /// Who resumes a stream and answers nothing on it so often does not hear us on it.
  static let mostSilences = 2

  /// The stream to resume with the next login; nil: there is none, or it is too late.
  func resumption() -> Negotiator.Resumption? {
    guard !isStreamOver, let stream = facts.stream, let id = stream.beginning.id, isKept(stream),
      let bound = try? JID(stream.beginning.jid), bound.bare == jid, isWanted(bound)
    else { return nil }
    return Negotiator.Resumption(jid: bound, previousID: id, handled: stream.handled)
  }

  /// Where the server wants to be connected to for it, once.
  func takeLocation() -> ConnectionPlan.Candidate? {
    guard !suspension.hasTriedLocation, resumption() != nil, let stream = facts.stream?.beginning,
      let location = stream.location
    else { return nil }
    suspension.hasTriedLocation = true
    return target(location, isDirect: stream.isDirect)
  }

  /// The server keeps it only for so long.
  private func isKept(_ stream: StreamFacts) -> Bool {
    guard let maximum = stream.beginning.maximumSeconds else { return true }
    var elapsed = effects.now.instant - suspension.since
    if let left = stream.leftAt, suspension.management == nil {
      elapsed = max(elapsed, effects.now.wall - Timestamp(milliseconds: left))
    }
    return elapsed < .seconds(Int64(maximum))
  }

  /// It is bound to the resource that is configured now, if any is.
  func isWanted(_ bound: JID) -> Bool {
    settings.resource == nil || bound.resource?.hasPrefix(ownResource) == true
  }

  /// The session is over: what can go on does so with the next login.
  func suspend(_ session: Session) {
    suspension = Suspension(since: effects.now.instant)
    // What the disk has not taken so far is of this stream: it counts, or is given up, before the stream goes on.
    if !storage.mayAppend { suspension.after = storage.queue.last }
    guard storage.mayAppend, !isStreamOver, session.isResumable else { return }
    // A link that comes and goes says nothing about the server, which has kept what there was.
    if !session.isEndedByServer, haste.take(1, at: effects.now.instant) { backoff.reset() }
    session.recordProgress()
    if isLeaving { session.leave() }
    suspension.silences = session.silences
    suspension.management = session.suspended()
    suspension.telling = session.telling
    suspension.questions = session.questions
    suspension.after = storage.queue.last
    storage.queue.hurry()
  }

  /// Nothing goes on before all that the last stream came to is durable: until then the next try waits for the disk.
  func isLastStreamDurable() -> Bool {
    guard suspension.after > storage.queue.durable else { return true }
    storage.queue.hurry()
    waitsForLog = true
    phase = .waiting(until: effects.now.instant.advanced(by: Self.stepPatience))
    report(.connecting, "what came last is being stored")
    return false
  }

  /// A sync came.
  func goOnAfterSync() {
    guard waitsForLog, suspension.after <= storage.queue.durable else { return }
    waitsForLog = false
    if case .waiting = phase { connect() }
  }

  /// Records were given up: only what is durable counts.
  func forgetUnstored() {
    suspension.management = nil
    suspension.questions = nil
    suspension.telling = Telling()
    suspension.after = 0
    gapNoted = 0
    deliveries.forget()
  }

  /// The stream goes on: what is needed of it for that.
  func resumed(_ stream: NegotiatedStream, h: UInt32) {
    guard facts.stream != nil, let management = suspension.management ?? facts.restoredManagement else {
      return refuseUnknownStream()
    }
    enterSession(stream)
    let session = Session(jid, deliveries, settings, resuming: management, effects, storage, records)
    session.own = stream.jid
    session.isDirect = place?.direct == true
    session.telling = lastTelling
    session.silences = suspension.silences
    phase = .online(session)
    session.signedIn = "resumed the stream of \(stream.jid) where it was lost"
    report(.online, session.signedIn)
    let last = suspension
    suspension = Suspension(since: effects.now.instant)
    // A server that was asked before, and whose answer nobody read, may have gone on without us: ejabberd loses what it
    // had for the stream where it is asked twice at once. What it owed may never come, and the archive has the messages.
    let questions = last.attempts > 1 ? nil : last.questions
    session.takeUp(questions)
    if let end = session.resume(stream, h: h, isRestored: last.management == nil) { return ended(end) }
    session.askFurther(questions)
  }

  /// Refuses a resumed stream that the log does not know: the counts of stanzas on either side are unknown.
  private func refuseUnknownStream() {
    let reason = "the server resumed a stream that is not in the log"
    journal(.error, "\(reason); a new one begins")
    endStream()
    lose(reason)
  }

  /// The server cannot let it go on. What it had handled of ours is settled by its word, where it gives it.
  func notResumed(_ condition: String, h: UInt32?) {
    effects.journal(.info, "account \(name): the stream cannot be resumed (\(condition)); a new one begins")
    var management = suspension.management ?? facts.restoredManagement
    let settled = h.flatMap { h in (try? management?.resumed(h: h))?.acknowledged }
    for id in settled ?? [] {
      guard let entry = facts.outbox.entry(id) else { continue }
      deliveries.advance(DeliveryRecord(entry, of: number, .sent))
    }
    if settled != nil, let h { settleTold(h) }
    endStream(settled: settled == nil ? nil : h)
    storage.queue.hurry()
  }

  /// Receipts and markers of the last stream: what it came to, or how the log says that it was left.
  private var lastTelling: Telling {
    suspension.management == nil ? Telling(leftWith: facts.stream?.told ?? []) : suspension.telling
  }

  /// Receipts and markers that the server has had.
  private func settleTold(_ count: UInt32) {
    var telling = lastTelling
    telling.acknowledged(count)
    let done = telling.takeDone()
    if !done.isEmpty { storage.append(.told(ToldRecord(account: number, sequences: done))) }
  }

  /// It is over, by our will or the server's: nobody is to resume it.
  func endStream(settled: UInt32? = nil) {
    suspension = Suspension(since: effects.now.instant)
    isStreamOver = true
    guard facts.stream != nil || session?.foundedBy != nil, storage.mayAppend else { return }
    var record = StreamRecord(account: number)
    (record.isOver, record.settled) = (true, settled)
    suspension.after = storage.append(.stream(record))
  }

  /// Nothing was answered for too long. Where that is so again and again on a stream that the server says goes on, and
  /// that nothing was taken of since, another one is heard.
  func noteSilence(of session: Session) {
    guard !session.isHeard else { return }
    session.silences += 1
    if session.silences >= Self.mostSilences { giveUpUnheard() }
  }

  /// The server does not hear what is written on the stream that it resumed.
  private func giveUpUnheard() {
    journal(.warning, "the server resumed the stream and does not hear what is sent on it; a new one begins")
    endStream()
  }

  /// The server broke off where it was asked to resume a stream: it may be for that.
  func noteSetback() {
    guard case .negotiating(let negotiator, _, _) = phase, negotiator.step == .resuming else { return }
    suspension.setbacks += 1
    guard suspension.setbacks >= Self.mostSetbacksOfResuming else { return }
    effects.journal(
      .warning, "account \(name): the server ends each connection that is to resume the stream; it is given up")
    endStream()
  }
}

extension AccountFacts {
  /// The counters of the stream, as far as the log has them.
  var restoredManagement: StreamManagement? {
    stream.map { stream in
      StreamManagement(
        ceiling: stream.ceiling, handled: stream.handled,
        messages: outbox.entries.compactMap { entry in entry.place.map { (entry.id, $0) } })
    }
  }
}
