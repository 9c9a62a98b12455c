import Clocks
import State
import Records
import ConfabConfiguration
import XML
import XMPPCore
import XMPPExtensions

/// Fetches from the account's archive (XEP-0313): the first time backwards from the newest message, later forwards from
/// the anchor, the last message fetched. It also finds out whether unacknowledged messages of mine arrived.
final class ArchiveSync: StreamPart {
  /// Messages before the anchor that are fetched again if the archive is asked by time: servers' clocks and ours
  /// differ.
  static let margin = Interval.minutes(2)
  /// How long to wait after the archive failed.
  private static let pause = Interval.minutes(5)
  /// How long to wait until there may be room for what was left in it.
  private static let spacePause = Interval.minutes(1)
  /// Messages that the first fetching takes at most.
  static let mostFilled: UInt64 = 1_000_000

  /// The request that is out.
  struct Question {
    var id = ""
    /// It was sent before the link was lost, on a stream that goes on.
    var isFromBefore = false
    /// Its answer was late, and the link was probed behind it.
    var hasProbed = false
  }

  let jid: JID
  let stream: ReliableStream
  let requests: Requests
  let features: ServerFeatures
  let outbox: OutboxSender
  private let inbox: Inbox
  let progress: ArchiveProgress
  private var settings: AccountSettings
  var question = Question()
  var anchor = ArchiveAnchor()
  var evidence: ArchiveEvidence
  /// When to try again.
  private(set) var deadline: Instant?

  init(
    of jid: JID, _ settings: AccountSettings, _ progress: ArchiveProgress, _ requests: Requests,
    _ features: ServerFeatures, _ inbox: Inbox, _ outbox: OutboxSender, _ stream: ReliableStream
  ) {
    (self.jid, self.settings, self.progress, self.requests) = (jid, settings, progress, requests)
    (self.features, self.inbox, self.outbox, self.stream) = (features, inbox, outbox, stream)
    evidence = ArchiveEvidence(contacts: stream.state.unacknowledgedContacts)
  }

  var state: AccountState { stream.state }
  var effects: Effects { stream.effects }
  var storage: Storage { stream.storage }

  // MARK: - Streams

  func configure(_ settings: AccountSettings) { self.settings = settings }

  func answersAreLost() {
    progress.reset()
    (question, anchor, deadline) = (Question(), ArchiveAnchor(), nil)
    evidence = ArchiveEvidence(contacts: state.unacknowledgedContacts)
  }

  /// The stream is resumed: the server still owes the answer.
  func resume() { question.isFromBefore = progress.run != nil }

  // MARK: - What is asked

  /// It is known whether there is an archive, and carbons are requested already: nothing falls between.
  func begin() {
    deadline = nil
    guard features.isKnown, progress.run == nil, progress.phase == .unknown || progress.phase == .failed else { return }
    // Unacknowledged messages of the last stream are looked for first, as soon as that can be.
    if case .waiting = outbox.resolution, outbox.hasUnresolved { return }
    guard features.hasArchive else {
      rest(.none)
      return outbox.pump()
    }
    if let known = progress.record { catchUp(known) } else { fill() }
  }

  /// The first time: the newest page, then what is before it.
  private func fill() {
    switch settings.archiveFirstSync {
    case .none: start(ArchiveRun(.probe, from: .last), .catchingUp)
    case .all: start(ArchiveRun(.backward, from: .last), .filling)
    case .since(let span):
      let horizon = effects.now.wall.advanced(by: .milliseconds(-span.milliseconds))
      start(ArchiveRun(.backward, from: .last, start: horizon), .filling)
    }
  }

  /// Fetches what came since, from the anchor by its id.
  func catchUp(_ known: ArchiveRecord) {
    guard let anchor = known.anchor else { return catchUpByTime(known) }
    start(ArchiveRun(behind: anchor), .catchingUp)
  }

  /// Fetches by time, from a little before the anchor. If the archive had nothing before, or nothing that was wanted,
  /// all wanted messages have come since, and no anchor can show that the archive is still the same.
  private func catchUpByTime(_ known: ArchiveRecord) {
    if known.anchor == nil { distrustEarlierIDs(isAnother: false) }
    let start =
      (known.anchor?.time).map {
        Timestamp(milliseconds: $0).advanced(by: .milliseconds(-Self.margin.milliseconds))
      } ?? known.horizon.map { Timestamp(milliseconds: $0) }
    self.start(ArchiveRun(.forward, from: .first, start: start), .catchingUp)
  }

  /// Continues the first fetching where it was cut off.
  func fillFurther(_ known: ArchiveRecord, _ floor: String) {
    let horizon = known.horizon.map { Timestamp(milliseconds: $0) }
    start(ArchiveRun(.backward, from: .before(floor), start: horizon), .filling)
  }

  func start(_ run: ArchiveRun, _ phase: ArchiveProgress.Phase) {
    (progress.run, progress.phase, progress.reason) = (run, phase, nil)
    anchor.probed = nil
    deadline = nil
    // Texts that were left are behind the anchor, and come again.
    if run.course == .forward || run.course == .backward { progress.leftCount = 0 }
    ask()
  }

  /// Requests the next page, under a token that nobody has seen.
  func ask() {
    let token = effects.token(bytes: 12)
    progress.run?.token = token
    question.hasProbed = false
    guard let query = progress.run?.query else { return }
    question.id = requests.send(.archive(token: token)) { query.request(to: jid, id: $0) }
  }

  /// The archive does not answer. An answer that was owed when the link was lost may be lost with it: the page is
  /// requested once more.
  func timedOut() {
    guard question.isFromBefore else { return fail("the archive did not answer") }
    question.isFromBefore = false
    progress.run?.results.recount()
    ask()
  }

  /// True if an overdue answer is still awaited: while messages wait for it and the link may bring it, until a later
  /// request is answered, or the link is given up.
  func awaitsFurther(_ purpose: PendingIQs.Purpose) -> Bool {
    guard case .archive = purpose else { return false }
    let isLinkOpen = !question.hasProbed || stream.ackRequests.isAwaited || requests.pending.isPingPending
    guard evidence.isAwaited, !question.isFromBefore, isLinkOpen else { return false }
    requests.pending.putBack(purpose, as: question.id, at: effects.now.instant)
    if !question.hasProbed { stream.probe() }
    question.hasProbed = true
    return true
  }

  /// Tries again after a failure.
  func tick() {
    guard let due = deadline, due <= effects.now.instant else { return }
    if progress.leftCount > 0, progress.isAnchored { fetchLeft() } else { begin() }
  }

  /// Fetches from the anchor on, if there is room again.
  private func fetchLeft() {
    deadline = nil
    guard !storage.strangersFloor.isReached, let known = progress.record else { return waitForSpace() }
    catchUp(known)
  }

  /// If texts of strangers were left in the archive, room for them is awaited.
  func waitForSpace() {
    guard progress.leftCount > 0, progress.isAnchored, deadline == nil else { return }
    deadline = effects.now.instant.advanced(by: Self.spacePause)
  }

  // MARK: - What comes

  /// Takes a result of the archive if it answers the request that is out; returns what it contains if that is no
  /// message for a conversation.
  func receive(_ result: ArchiveResult) -> IncomingMessage? {
    guard let course = progress.run?.course, result.token == progress.run?.token else {
      ignoreUnrequested()
      return nil
    }
    requests.pending.renew(question.id, at: effects.now.instant)
    guard progress.run?.results.note(result.id, stamp: result.copy?.time) == true else {
      fail("the archive sent more than was requested")
      return nil
    }
    guard let copy = result.copy, course != .check else { return nil }
    let message = inbox.decider.decide(copy, archiveID: result.id)
    if course == .probe {
      anchor.probed = inbox.time(of: message)
      return nil
    }
    return take(message)
  }

  /// On a resumed stream the server sends again what was requested before.
  private func ignoreUnrequested() {
    if stream.isResumed {
      journal(.debug, .ignored, "ignored an archived message of an earlier query")
    } else {
      journal(.warning, .forged, "ignored an archived message that was not requested")
    }
  }

  private func take(_ message: IncomingMessage) -> IncomingMessage? {
    switch message {
    case .keep(let message, _):
      take(message)
      return nil
    case .change(let change, let way):
      let (known, kept) = inbox.take(change, way)
      if let known { noteArrival(of: known) }
      if let kept { notePassed(kept) }
      return nil
    case .both(let signals, let beside): return take(beside).map { .both(signals, $0) } ?? .signals(signals)
    case .payload(let payload, _): return inbox.forgotten.has(payload) ? nil : message
    default: return message
    }
  }

  /// Puts a message out of the archive where it belongs.
  private func take(_ message: MessageRecord) {
    let (known, kept) = inbox.take(archived: message)
    if let known {
      noteArrival(of: known)
      progress.run?.passed(known.record)
    }
    if let kept { notePassed(kept) }
  }

  private func notePassed(_ kept: MessageRecord) {
    progress.taken += 1
    progress.run?.passed(kept)
  }

  /// A message of mine in the archive has arrived. No page ever moves the anchor over it unseen.
  private func noteArrival(of known: KnownMessage) {
    if known.record.author.isMe { evidence.show(known.record.jid) }
    guard let entry = state.outbox.entry(known.id), entry.transmitted || entry.inDoubt,
      evidence.arrived.insert(known.id).inserted
    else { return }
    outbox.acknowledged([known.id])
  }

  /// A message came or left otherwise: after some, the anchor follows.
  func noteLive() {
    guard progress.isAnchored, progress.leftCount == 0 else { return waitForSpace() }
    guard anchor.noteMessage(), let known = progress.record else { return }
    if features.hasCarbons, features.keepsArchiveIDs {
      start(ArchiveRun(.probe, from: .last), .complete)
    } else {
      catchUp(known)
    }
  }

  // MARK: - The anchor

  /// Distrusts archive ids from before now: the archive does not know one of its own ids, so it may have been replaced
  /// and have the same messages under new ids.
  ///
  /// - Parameter isAnother: the archive is known to have been replaced: the former archive may have had messages that
  ///   this one lacks.
  func distrustEarlierIDs(isAnother: Bool) {
    guard var record = progress.record else { return }
    record.idsSince = storage.queue.last + 1
    if isAnother { record.provesSince = record.idsSince }
    write(record)
  }

  /// Fetches by time, because the archive does not know the anchor.
  func fetchByTime(_ known: ArchiveRecord) {
    journal(.notice, .archive, "the archive no longer has the last message fetched: fetching by time")
    distrustEarlierIDs(isAnother: true)
    catchUpByTime(progress.record ?? known)
  }

  /// Appends the position in the archive, behind the messages that it covers.
  func write(_ record: ArchiveRecord) {
    var record = record
    if progress.leftCount > 0 {
      guard let known = progress.record else { return }
      record.stay(at: known)
    }
    guard record != progress.record else { return }
    if record.anchor != progress.record?.anchor { anchor.isKnown = true }
    progress.write(record)
  }

  // MARK: - The end of a run

  func rest(_ phase: ArchiveProgress.Phase) {
    progress.rest(phase)
    anchor.followed()
    waitForSpace()
  }

  /// Gives up for now. Messages stay, and the anchor stays where it is.
  func fail(_ reason: String) {
    guard progress.run != nil else { return }
    (progress.run, progress.phase, progress.reason) = (nil, .failed, reason)
    deadline = effects.now.instant.advanced(by: Self.pause)
    journal(.warning, .archive, "\(reason); trying again in \(Self.pause)")
    guard evidence.isAwaited else { return outbox.pump() }
    evidence.isAwaited = false
    leaveInDoubt()
  }

  private func journal(_ level: LogLevel, _ topic: JournalGate.Topic, _ line: String) {
    effects.journal(level, topic, of: state.record, line)
  }
}
