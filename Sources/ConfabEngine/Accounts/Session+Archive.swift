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
  func beginArchive(_ turn: Turn) {
    guard archive.run == nil, archive.state == .unknown || archive.state == .failed else { return }
    // What left on the last stream is looked for first, as soon as that can be.
    if case .waiting = doubts, hasDoubts { return }
    guard features.hasArchive else {
      rest(.none)
      return pumpOutbox(turn)
    }
    if let known = archived {
      catchUp(known, turn)
    } else {
      fill(turn)
    }
  }

  /// The first time: the newest page, then what is before it.
  private func fill(_ turn: Turn) {
    let began = turn.ledger.last
    switch settings.archiveFirstSync {
    case .none: start(ArchiveRun(.probe, from: .last, began: began), .catchingUp, turn)
    case .all: start(ArchiveRun(.backward, from: .last, began: began), .filling, turn)
    case .since(let span):
      let horizon = turn.now.wall.advanced(by: .milliseconds(-span.milliseconds))
      start(ArchiveRun(.backward, from: .last, start: horizon, began: began), .filling, turn)
    }
  }

  /// Fetches what came since, going on from the anchor by its id.
  func catchUp(_ known: ArchiveRecord, _ turn: Turn) {
    guard let anchor = known.anchor else { return catchUpByTime(known, turn) }
    let run = ArchiveRun(.forward, from: .after(anchor.id), behind: anchor.place, began: turn.ledger.last)
    start(run, .catchingUp, turn)
  }

  /// Fetches by time, from a little before the anchor. If the archive had nothing before, or nothing that was wanted,
  /// all wanted messages have come since, and no anchor can show that the archive is still the same.
  func catchUpByTime(_ known: ArchiveRecord, _ turn: Turn) {
    if known.anchor == nil { distrustEarlierIDs(isAnother: false, turn) }
    let start =
      (known.anchor?.time).map {
        Timestamp(milliseconds: $0).advanced(by: .milliseconds(-Self.archiveMargin.milliseconds))
      } ?? known.horizon.map { Timestamp(milliseconds: $0) }
    self.start(ArchiveRun(.forward, from: .first, start: start, began: turn.ledger.last), .catchingUp, turn)
  }

  /// Goes on with the first fetching where it was cut off.
  func fillFurther(_ known: ArchiveRecord, _ floor: String, _ turn: Turn) {
    let horizon = known.horizon.map { Timestamp(milliseconds: $0) }
    start(ArchiveRun(.backward, from: .before(floor), start: horizon, began: turn.ledger.last), .filling, turn)
  }

  func start(_ run: ArchiveRun, _ state: ArchiveProgress.State, _ turn: Turn) {
    archive.run = run
    archive.probed = nil
    archive.retryDue = nil
    (archive.state, archive.reason) = (state, nil)
    ask(turn)
  }

  /// Asks for the next page, under a token that nobody has seen.
  func ask(_ turn: Turn) {
    let token = turn.token(bytes: 12)
    archive.run?.token = token
    archive.isLinkAsked = false
    guard let query = archive.run?.query else { return }
    archive.requestID = iqs.register(.archive(token: token), at: turn.now.instant)
    send(query.request(to: ownBare, id: archive.requestID))
  }

  /// It does not answer. An answer that was owed when the link was lost may be lost with it: it is asked for once more.
  func archiveIsSilent(_ turn: Turn) {
    guard archive.isOwedFromBefore else { return fail(archive: "the archive does not answer", turn) }
    archive.isOwedFromBefore = false
    archive.run?.repeatPage()
    ask(turn)
  }

  // MARK: - What comes

  /// A message that says that it is out of our archive. It counts where it answers the question that is out.
  func receive(_ result: ArchiveResult, _ turn: Turn) {
    guard let course = archive.run?.course, result.token == archive.run?.token else { return ignoreUnasked(turn) }
    iqs.renew(archive.requestID, at: turn.now.instant)
    guard archive.run?.note(result.id, stamp: result.copy?.time) == true else {
      return fail(archive: "the archive sends more than it was asked for", turn)
    }
    guard let copy = result.copy else { return }
    let message = IncomingMessage.decide(
      copy, archiveID: result.id, to: recipient, now: turn.now.wall, senders: &senders)
    if course == .check { return }
    if course == .probe { archive.probed = place(of: message, turn) } else { take(archived: message, turn) }
  }

  /// What was asked for before the stream was lost is said again where it goes on.
  private func ignoreUnasked(_ turn: Turn) {
    if isResumed { return journal(.debug, .ignored, "ignored a message out of an archive, asked for earlier", turn) }
    journal(.warning, .forged, "ignored a message out of an archive that was not asked for it", turn)
  }

  /// When a message that is known stands here.
  private func place(of message: IncomingMessage, _ turn: Turn) -> Timestamp? {
    guard case .keep(let message, let way) = message else { return nil }
    if let known = known(message, way, turn) { return Timestamp(milliseconds: known.record.time) }
    return isForgotten(message, way, turn) ? Timestamp(milliseconds: message.time) : nil
  }

  private func take(archived message: IncomingMessage, _ turn: Turn) {
    switch message {
    case .keep(let message, let way):
      take(message, way, turn)
    case .payload(let payload, _):
      if !isKnown(payload, turn) { take(message, turn) }
    default: take(message, turn)
    }
  }

  /// Whether a stanza that was not understood, or a message, with the same id of our archive is here.
  private func isKnown(_ payload: PayloadRecord, _ turn: Turn) -> Bool {
    account.tokens.ids(.archiveID, TokenHash.of(payload.archiveID ?? "")).contains { id in
      switch turn.record(id) {
      case .payload(let known): known.archiveID == payload.archiveID
      case .message(let known): known.archiveID == payload.archiveID
      case .erased: true
      default: false
      }
    }
  }

  /// Puts a message out of the archive where it belongs.
  private func take(_ message: MessageRecord, _ way: IncomingMessage.Way, _ turn: Turn) {
    if let known = known(message, way, turn) {
      note(message, way, copyOf: known, turn)
      noteArrival(of: known, turn)
      archive.run?.passed(known.record)
      return
    }
    if isForgotten(message, way, turn) { return }
    let message = placed(message)
    keep(message, way, turn)
    archive.taken += 1
    archive.run?.passed(message)
  }

  /// What the archive has of mine has arrived. No page ever moves the anchor over it unseen.
  private func noteArrival(of known: KnownMessage, _ turn: Turn) {
    if known.record.mine { testimony.show(known.record.jid) }
    guard let entry = account.outbox.entry(known.id), entry.transmitted || entry.inDoubt,
      arrived.insert(known.id).inserted
    else { return }
    acknowledged([known.id], turn)
  }
}
