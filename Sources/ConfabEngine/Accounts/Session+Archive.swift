import Clocks
import Facts
import Records
import Settings
import XML
import XMPPCore
import XMPPExtensions

/// What is asked of the account's archive, and what is done with the messages that come out of it.
extension Session {
  /// What is asked for again where the archive has no id to go on from: servers' clocks and ours are not one.
  static let archiveMargin = Interval.minutes(2)
  /// How long to wait after the archive failed.
  static let archivePause = Interval.minutes(5)
  /// So many messages that came otherwise move the anchor, so that nobody has to fetch them again.
  static let anchorEvery = 250
  /// Messages that the first fetching takes at most.
  static let mostFilled: UInt64 = 1_000_000

  /// How far the archive is here, as the log will have it.
  var archived: ArchiveRecord? { archiveUnderWay ?? account.archive }

  /// It is known where the archive stood before anything of ours left: what is in doubt later is looked for behind that, by
  /// the archive's own time. By ours it could not be found where the clock was wrong.
  var isArchivePlaced: Bool {
    if archived != nil || archive.run?.isStable == false { return true }
    return archive.run == nil && [.none, .complete, .failed].contains(archive.state)
  }

  /// It is known whether there is an archive. The copies of what other devices do are asked for already: nothing falls
  /// between.
  func beginArchive() {
    guard archive.run == nil, archive.state == .unknown || archive.state == .failed else { return }
    // What left on the last stream is looked for first, as soon as that can be.
    if case .waiting = doubts, hasDoubts { return }
    guard features.hasArchive else {
      rest(.none)
      return pumpOutbox()
    }
    if let known = archived {
      catchUp(known)
    } else {
      fill()
    }
  }

  /// The first time: the newest page, then what is before it.
  private func fill() {
    let began = storage.queue.last
    switch settings.archiveFirstSync {
    case .none: start(ArchiveRun(.probe, from: .last, began: began), .catchingUp)
    case .all: start(ArchiveRun(.backward, from: .last, began: began), .filling)
    case .since(let span):
      let horizon = effects.now.wall.advanced(by: .milliseconds(-span.milliseconds))
      start(ArchiveRun(.backward, from: .last, start: horizon, began: began), .filling)
    }
  }

  /// Fetches what came since, going on from the anchor by its id.
  func catchUp(_ known: ArchiveRecord) {
    guard let anchor = known.anchor else { return catchUpByTime(known) }
    let run = ArchiveRun(.forward, from: .after(anchor.id), behind: anchor.place, began: storage.queue.last)
    start(run, .catchingUp)
  }

  /// Fetches by time, from a little before the anchor. If the archive had nothing before, or nothing that was wanted,
  /// all wanted messages have come since, and no anchor can show that the archive is still the same.
  func catchUpByTime(_ known: ArchiveRecord) {
    if known.anchor == nil { distrustEarlierIDs(isAnother: false) }
    let start =
      (known.anchor?.time).map {
        Timestamp(milliseconds: $0).advanced(by: .milliseconds(-Self.archiveMargin.milliseconds))
      } ?? known.horizon.map { Timestamp(milliseconds: $0) }
    self.start(ArchiveRun(.forward, from: .first, start: start, began: storage.queue.last), .catchingUp)
  }

  /// Goes on with the first fetching where it was cut off.
  func fillFurther(_ known: ArchiveRecord, _ floor: String) {
    let horizon = known.horizon.map { Timestamp(milliseconds: $0) }
    start(ArchiveRun(.backward, from: .before(floor), start: horizon, began: storage.queue.last), .filling)
  }

  func start(_ run: ArchiveRun, _ state: ArchiveProgress.State) {
    archive.run = run
    archive.probed = nil
    archive.retryDue = nil
    (archive.state, archive.reason) = (state, nil)
    ask()
  }

  /// Asks for the next page, under a token that nobody has seen.
  func ask() {
    let token = effects.token(bytes: 12)
    archive.run?.token = token
    archive.isLinkAsked = false
    guard let query = archive.run?.query else { return }
    archive.requestID = iqs.register(.archive(token: token), at: effects.now.instant)
    send(query.request(to: ownBare, id: archive.requestID))
  }

  /// It does not answer. An answer that was owed when the link was lost may be lost with it: it is asked for once more.
  func archiveIsSilent() {
    guard archive.isOwedFromBefore else { return fail(archive: "the archive does not answer") }
    archive.isOwedFromBefore = false
    archive.run?.repeatPage()
    ask()
  }

  // MARK: - What comes

  /// A message that says that it is out of our archive. It counts where it answers the question that is out.
  func receive(_ result: ArchiveResult) {
    guard let course = archive.run?.course, result.token == archive.run?.token else { return ignoreUnasked() }
    iqs.renew(archive.requestID, at: effects.now.instant)
    guard archive.run?.note(result.id, stamp: result.copy?.time) == true else {
      return fail(archive: "the archive sends more than it was asked for")
    }
    guard let copy = result.copy else { return }
    let message = IncomingMessage.decide(
      copy, archiveID: result.id, to: recipient, now: effects.now.wall, senders: &senders)
    if course == .check { return }
    if course == .probe { archive.probed = place(of: message) } else { take(archived: message) }
  }

  /// What was asked for before the stream was lost is said again where it goes on.
  private func ignoreUnasked() {
    if isResumed { return journal(.debug, .ignored, "ignored a message out of an archive, asked for earlier") }
    journal(.warning, .forged, "ignored a message out of an archive that was not asked for it")
  }

  /// When a message that is known stands here.
  private func place(of message: IncomingMessage) -> Timestamp? {
    guard case .keep(let message, let way) = message else { return nil }
    if let known = known(message, way) { return Timestamp(milliseconds: known.record.time) }
    return isForgotten(message, way) ? Timestamp(milliseconds: message.time) : nil
  }

  private func take(archived message: IncomingMessage) {
    switch message {
    case .keep(let message, let way):
      take(message, way)
    case .payload(let payload, _):
      if !isKnown(payload) { take(message) }
    default: take(message)
    }
  }

  /// Whether a stanza that was not understood, or a message, with the same id of our archive is here.
  private func isKnown(_ payload: PayloadRecord) -> Bool {
    account.tokens.ids(.archiveID, TokenHash.of(payload.archiveID ?? "")).contains { id in
      switch records.record(id) {
      case .payload(let known): known.archiveID == payload.archiveID
      case .message(let known): known.archiveID == payload.archiveID
      case .erased: true
      default: false
      }
    }
  }

  /// Puts a message out of the archive where it belongs.
  private func take(_ message: MessageRecord, _ way: IncomingMessage.Way) {
    if let known = known(message, way) {
      note(message, way, copyOf: known)
      noteArrival(of: known)
      archive.run?.passed(known.record)
      return
    }
    if isForgotten(message, way) { return }
    let message = placed(message)
    keep(message, way)
    archive.taken += 1
    archive.run?.passed(message)
  }

  /// What the archive has of mine has arrived. No page ever moves the anchor over it unseen.
  private func noteArrival(of known: KnownMessage) {
    if known.record.mine { testimony.show(known.record.jid) }
    guard let entry = account.outbox.entry(known.id), entry.transmitted || entry.inDoubt,
      arrived.insert(known.id).inserted
    else { return }
    acknowledged([known.id])
  }
}
