import Clocks
import ConfabConfiguration
import State
import Records
import XML
import XMPPCore
import XMPPExtensions

/// The owner of an archive: it begins each fetching, reads what the archive has, and hears how the fetching ends.
protocol ArchiveOwner: AnyObject {
  /// True while the owner asks what became of its messages: what is left to fetch is fetched afterwards.
  var isResolving: Bool { get }

  /// True if all of the archive is fetched, page after page; else older pages are asked for.
  var fillsByItself: Bool { get }

  /// True if messages left that the archive may not have yet: the anchor does not pass them.
  var hasMessagesUnderway: Bool { get }

  /// Decides about a message of the archive.
  func decide(_ copy: ForwardedMessage, archiveID: String) -> IncomingMessage

  /// The archive has a message that is here.
  ///
  /// - Parameter version: the version of OMEMO that the archive has it in; nil: none.
  func shows(_ known: KnownMessage, in version: MessageSeal.Version?)

  /// The archive was read to its end while `isResolving`.
  func resolvingEnded()

  /// There is nothing more to fetch for now.
  func rested()

  /// The archive is given up for now.
  func failed()
}

/// Fetches from an archive (XEP-0313), page by page: forwards from the anchor, the last message fetched, or backwards.
final class ArchiveSync {
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
    /// When the last result of its answer came.
    var answeredAt: Instant?
    /// Its answer was late, and the link was probed behind it.
    var hasProbed = false
  }

  weak var owner: (any ArchiveOwner)?
  /// Called with the content of a result that is no message for a conversation.
  var route: (IncomingMessage) -> Void = { _ in }
  let archive: Archive
  let stream: ReliableStream
  private let requests: Requests
  private let inbox: Inbox
  var question = Question()
  var anchor = ArchiveAnchor()
  /// When to try again.
  private(set) var deadline: Instant?

  init(_ archive: Archive, _ requests: Requests, _ inbox: Inbox, _ stream: ReliableStream) {
    (self.archive, self.requests, self.inbox, self.stream) = (archive, requests, inbox, stream)
  }

  var state: AccountState { stream.state }
  var effects: Effects { stream.effects }
  var storage: Storage { stream.storage }

  // MARK: - Streams

  func answersAreLost() {
    archive.reset()
    (question, anchor, deadline) = (Question(), ArchiveAnchor(), nil)
  }

  /// The stream is resumed: the server still owes the answer.
  func resume() { question.isFromBefore = archive.run != nil }

  // MARK: - What is asked

  /// True if fetching can begin, for the first time on this stream or after a failure.
  var mayBegin: Bool { archive.run == nil && (archive.phase == .unknown || archive.phase == .failed) }

  /// Fetches what came since, from the anchor by its id.
  func catchUp(_ known: ArchiveRecord) {
    guard let anchor = known.anchor else { return catchUpByTime(known) }
    start(ArchiveRun(behind: anchor), .catchingUp)
  }

  /// Fetches by time, from a little before the anchor. If the archive had nothing before, or nothing that was wanted,
  /// all wanted messages have come since, and on another stream no anchor can show that the archive is still the same.
  private func catchUpByTime(_ known: ArchiveRecord) {
    if known.anchor == nil, archive.phase != .complete { distrustEarlierIDs(isAnother: false) }
    let start =
      (known.anchor?.time).map {
        Timestamp(milliseconds: $0).advanced(by: .milliseconds(-OwnArchive.margin.milliseconds))
      } ?? known.horizon.map { Timestamp(milliseconds: $0) }
    self.start(ArchiveRun(.forward, from: .first, start: start), .catchingUp)
  }

  /// Continues the first fetching where it was cut off.
  func fillFurther(_ known: ArchiveRecord, _ floor: String) {
    let horizon = known.horizon.map { Timestamp(milliseconds: $0) }
    let limit = archive.room.flatMap { inbox.order.oldestArchived(in: $0.description) }
    start(ArchiveRun(before: floor, start: horizon, limit: limit), .filling)
  }

  func start(_ run: ArchiveRun, _ phase: Archive.Phase) {
    (archive.run, archive.phase, archive.reason) = (run, phase, nil)
    anchor.probed = nil
    deadline = nil
    // Texts that were left are behind the anchor, and come again.
    if run.course == .forward || run.course == .backward { archive.leftCount = 0 }
    ask()
  }

  /// Requests the next page, under a token that nobody has seen.
  func ask() {
    let token = effects.token(bytes: 12)
    archive.run?.token = token
    (question.hasProbed, question.answeredAt) = (false, nil)
    guard let query = archive.run?.query else { return }
    question.id = requests.send(.archive(token: token, of: archive.room)) { query.request(to: archive.address, id: $0) }
  }

  /// The archive does not answer. An answer that was owed when the link was lost may be lost with it: the page is
  /// requested once more.
  func timedOut() {
    guard question.isFromBefore else { return fail("the archive did not answer") }
    question.isFromBefore = false
    archive.run?.repeatPage()
    ask()
  }

  /// True if an overdue answer is still awaited: while messages wait for it and the link may bring it, until a later
  /// request is answered, or the link is given up.
  func awaitsFurther(_ purpose: PendingIQs.Purpose) -> Bool {
    guard case .archive = purpose else { return false }
    let isLinkOpen = !question.hasProbed || stream.ackRequests.isAwaited || requests.pending.isPingPending
    guard owner?.isResolving == true, !question.isFromBefore, isLinkOpen else { return false }
    requests.pending.putBack(purpose, as: question.id, at: effects.now.instant)
    question.answeredAt = nil
    if !question.hasProbed { stream.probe() }
    question.hasProbed = true
    return true
  }

  /// Does what is due; true if the owner is to begin again after a failure.
  func tick() -> Bool {
    guard let due = deadline, due <= effects.now.instant else { return false }
    deadline = nil
    guard archive.leftCount > 0, archive.isAnchored else { return true }
    fetchLeft()
    return false
  }

  /// Fetches from the anchor on, if there is room again.
  private func fetchLeft() {
    guard !storage.strangersFloor.isReached, let known = archive.record else { return waitForSpace() }
    catchUp(known)
  }

  /// If texts of strangers were left in the archive, room for them is awaited.
  func waitForSpace() {
    guard archive.leftCount > 0, archive.isAnchored, deadline == nil else { return }
    deadline = effects.now.instant.advanced(by: Self.spacePause)
  }

  // MARK: - What comes

  /// Takes a result of the archive if it answers the request that is out. A page of older messages is taken as a whole
  /// when its end has come: they are listed from the oldest on, and the first ones alone would leave a hole.
  func receive(_ result: ArchiveResult) {
    guard let course = archive.run?.course, result.token == archive.run?.token else { return ignoreUnrequested() }
    renewQuestion()
    guard course != .backward || archive.run?.hold(result) == false else { return }
    takeHeld()
    take(result, course)
  }

  /// The answer is still coming: once for all results that came at a time.
  private func renewQuestion() {
    let now = effects.now.instant
    guard question.answeredAt != now else { return }
    question.answeredAt = now
    requests.pending.renew(question.id, at: now)
  }

  /// Takes the results of the page that were held until its end.
  func takeHeld() {
    for result in archive.run?.takeHeld() ?? [] where archive.run != nil { take(result, .backward) }
  }

  private func take(_ result: ArchiveResult, _ course: ArchiveRun.Course) {
    guard archive.run?.results.note(result.id, stamp: result.copy?.time) == true else {
      return fail("the archive sent more than was requested")
    }
    guard let copy = result.copy, course != .check, let message = owner?.decide(copy, archiveID: result.id) else {
      return
    }
    if course == .probe {
      anchor.probed = inbox.time(of: message)
      inbox.encryption.leave()
    } else if let other = take(consume message) {
      route(other)
    }
    inbox.encryption.settle()
  }

  /// On a resumed stream the server sends again what was requested before.
  private func ignoreUnrequested() {
    if stream.isResumed {
      journal(.debug, .ignored, "ignored an archived message of an earlier query")
    } else {
      journal(.warning, .forged, "ignored an archived message that was not requested")
    }
  }

  private func take(_ message: consuming IncomingMessage) -> IncomingMessage? {
    switch consume message {
    case .keep(let message, _):
      take(message)
      return nil
    case .change(let change, let way):
      let (known, kept) = inbox.take(change, way)
      if let known { owner?.shows(known, in: nil) }
      if let kept { notePassed(kept) }
      return nil
    case .both(let signals, let beside): return take(beside).map { .both(signals, $0) } ?? .signals(signals)
    case .invitation(let invitation, let beside): return .invitation(invitation, with: beside.flatMap { take($0) })
    case .payload(let payload, let message):
      return inbox.forgotten.has(payload) ? nil : .payload(payload, of: message)
    case let other: return other
    }
  }

  /// Puts a message out of the archive where it belongs.
  private func take(_ message: consuming MessageRecord) {
    let version = message.details?.seal?.version
    let (known, kept) = inbox.take(archived: consume message)
    if let known {
      owner?.shows(known, in: version)
      archive.run?.passed(inbox.order.standing(known))
    }
    if let kept { notePassed(kept) }
  }

  private func notePassed(_ kept: MessageRecord) {
    archive.taken += 1
    archive.run?.passed(kept)
  }

  /// A message came or left otherwise; true if the anchor is to follow.
  func noteLive() -> Bool {
    guard archive.isAnchored, archive.leftCount == 0 else {
      waitForSpace()
      return false
    }
    return anchor.noteMessage(isFirst: archive.room != nil && archive.record?.anchor == nil)
  }

  // MARK: - The anchor

  /// Distrusts archive ids from before now: the archive does not know one of its own ids, so it may have been replaced
  /// and have the same messages under new ids.
  ///
  /// - Parameter isAnother: the archive is known to have been replaced: the former archive may have had messages that
  ///   this one lacks.
  func distrustEarlierIDs(isAnother: Bool) {
    guard var record = archive.record else { return }
    record.idsSince = storage.queue.last + 1
    if isAnother { record.provesSince = record.idsSince }
    write(record)
  }

  /// Fetches by time, because the archive does not know the anchor.
  func fetchByTime(_ known: ArchiveRecord) {
    journal(.notice, .archive, "the archive no longer has the last message fetched: fetching by time")
    distrustEarlierIDs(isAnother: true)
    catchUpByTime(archive.record ?? known)
  }

  /// Appends the position in the archive, behind the messages that it covers.
  func write(_ record: ArchiveRecord) {
    var record = record
    if archive.leftCount > 0 {
      guard let known = archive.record else { return }
      record.stay(at: known)
    }
    guard record != archive.record else { return }
    if record.anchor != archive.record?.anchor { anchor.isKnown = true }
    archive.write(record)
  }

  // MARK: - The end of a run

  func rest(_ phase: Archive.Phase) {
    archive.rest(phase)
    deadline = nil
    anchor.followed()
    waitForSpace()
    owner?.rested()
  }

  /// Gives up for now. Messages stay, and the anchor stays where it is.
  func fail(_ reason: String) {
    guard archive.run != nil else { return }
    (archive.run, archive.phase, archive.reason) = (nil, .failed, reason)
    deadline = effects.now.instant.advanced(by: Self.pause)
    journal(.warning, .archive, "\(reason); trying again in \(Self.pause)")
    owner?.failed()
  }

  private func journal(_ level: LogLevel, _ topic: JournalGate.Topic, _ line: String) {
    effects.journal(level, topic, of: state.record, line)
  }
}
