import Clocks
import Facts
import Records
import Settings
import XML
import XMPPCore
import XMPPExtensions

/// The end of each page of the archive: how far it is now, and where it goes on.
extension Session {
  /// The archive has sent all of a page, or says why not.
  func receiveArchiveEnd(_ iq: Element, succeeded: Bool, token: String, _ turn: Turn) {
    guard var run = archive.run, run.token == token else { return }
    archive.isOwedFromBefore = false
    guard succeeded else { return refused(StanzaError(parsing: iq), run, turn) }
    guard let end = ArchiveEnd(iq) else { return fail(archive: "the archive gives no answer that is one", turn) }
    let page = run
    if page.isAtAnchor, page.isEmpty(end), !archive.knowsAnchor { return foundNothing(page, turn) }
    let step = run.end(end)
    archive.run = run
    switch run.course {
    case .forward: forwardPage(page, end, step, turn)
    case .backward: backwardPage(page, end, step, turn)
    case .probe: probed(page, turn)
    case .check: checked(page, turn)
    }
  }

  private func forwardPage(_ page: ArchiveRun, _ end: ArchiveEnd, _ step: ArchiveRun.Step, _ turn: Turn) {
    // Where doubts are all that was asked about, the first fetching is yet to come.
    if archive.run?.isStable == true, page.results > 0, archived != nil || !archive.isSettling {
      var record = archived ?? ArchiveRecord(account: account.record.number)
      record.anchor = page.anchor(end.bounds?.last)
      write(record, turn)
    }
    if step == .complete, page.page == .first, page.results == 0 { goOnFromNewest(turn) }
    follow(step, turn)
  }

  private func backwardPage(_ page: ArchiveRun, _ end: ArchiveEnd, _ step: ArchiveRun.Step, _ turn: Turn) {
    if case .astray(let reason) = step { return fail(archive: reason, turn) }
    if page.page == .last, page.start != nil, page.results == 0 {
      // Nothing is as new as what is wanted: where it stands is asked without that.
      return start(ArchiveRun(.probe, from: .last, began: turn.ledger.last), .catchingUp, turn)
    }
    var record = archived ?? ArchiveRecord(account: account.record.number)
    if page.page == .last {
      record.horizon = page.start?.milliseconds
      record.anchor = page.anchor(end.bounds?.last)
    }
    record.messages += UInt64(page.results)
    record.pages += 1
    record.floor = step == .complete || record.messages >= Self.mostFilled ? nil : end.bounds?.first ?? record.floor
    if archive.run?.isStable == true { write(record, turn) }
    follow(record.floor == nil ? .complete : step, turn)
  }

  /// The newest message of the archive: where it is known, so is all before it, for what other devices do comes as copies.
  private func probed(_ page: ArchiveRun, _ turn: Turn) {
    archive.run = nil
    var anchor = page.anchor(nil)
    anchor?.place = archive.probed?.milliseconds
    guard let known = archived else {
      var record = ArchiveRecord(account: account.record.number)
      record.anchor = anchor
      write(record, turn)
      return rest(.complete)
    }
    guard let anchor else { return rest(.complete) }
    guard archive.probed != nil else { return catchUp(known, turn) }
    // What left and may not have arrived yet has to be found behind the anchor, should this stream break.
    guard unacknowledgedMessages == 0 else {
      rest(.complete)
      return archive.sinceAnchor = Self.anchorEvery / 2
    }
    var record = known
    record.anchor = anchor
    write(record, turn)
    rest(.complete)
  }

  private func follow(_ step: ArchiveRun.Step, _ turn: Turn) {
    switch step {
    case .next: ask(turn)
    case .astray(let reason): fail(archive: reason, turn)
    case .complete: finishRun(turn)
    }
  }

  func finishRun(_ turn: Turn) {
    archive.run = nil
    if archive.isSettling { return judgeSilence(turn) }
    if let known = archived, let floor = known.floor { fillFurther(known, floor, turn) } else { rest(.complete) }
  }

  /// Ends the resolution of unacknowledged messages: it is known which ones arrived. The archive is queried once more,
  /// because only the archive has messages that my other devices sent before carbons were enabled.
  func finishSettling(_ turn: Turn) {
    archive.isSettling = false
    archive.state = .unknown
    leaveInDoubt(unless: isProvenLost, turn)
    if features.unknown.isEmpty { beginArchive(turn) }
  }

  /// Appends how far it is, behind the messages that it speaks of.
  func write(_ record: ArchiveRecord, _ turn: Turn) {
    guard record != archived else { return }
    if record.anchor != archived?.anchor { archive.knowsAnchor = true }
    archiveUnderWay = record
    turn.append(.archive(record))
  }

  /// Nothing is under way any more.
  func rest(_ state: ArchiveProgress.State) {
    archive.run = nil
    archive.sinceAnchor = 0
    archive.state = state
  }

  // MARK: - Where it does not go on

  private func refused(_ error: StanzaError, _ run: ArchiveRun, _ turn: Turn) {
    guard error.doesNotKnow(run.page) else { return fail(archive: error.sentence, turn) }
    if let again = run.begunAnew { return start(again, archive.state, turn) }
    guard let known = archived else { return fail(archive: error.sentence, turn) }
    switch (run.course, run.page) {
    case (.forward, .after) where run.start == nil:
      goByTime(known, turn)
    case (.backward, .before):
      // What was older than that is not kept any more.
      var record = known
      record.floor = nil
      write(record, turn)
      finishRun(turn)
    default: fail(archive: error.sentence, turn)
    }
  }

  /// It is given up for now. What is here stays, and the anchor where it is.
  func fail(archive reason: String, _ turn: Turn) {
    guard archive.run != nil else { return }
    archive.run = nil
    (archive.state, archive.reason) = (.failed, reason)
    archive.retryDue = turn.now.instant.advanced(by: Self.archivePause)
    journal(.warning, .archive, "\(reason); trying again in \(Self.archivePause)", turn)
    guard archive.isSettling else { return pumpOutbox(turn) }
    archive.isSettling = false
    leaveInDoubt(turn)
  }

  /// A message came or left otherwise: after some, the anchor follows.
  func noteLive(_ turn: Turn) {
    guard isAnchored else { return }
    archive.sinceAnchor += 1
    guard archive.sinceAnchor >= Self.anchorEvery, let known = archived else { return }
    if features.hasCarbons, features.keepsArchiveIDs {
      start(ArchiveRun(.probe, from: .last, began: turn.ledger.last), .complete, turn)
    } else {
      catchUp(known, turn)
    }
  }

}
