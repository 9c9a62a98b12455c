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
  func receiveArchiveEnd(_ iq: Element, succeeded: Bool, token: String) {
    guard var run = archive.run, run.token == token else { return }
    archive.isOwedFromBefore = false
    guard succeeded else { return refused(StanzaError(parsing: iq), run) }
    guard let end = ArchiveEnd(iq) else { return fail(archive: "the archive gives no answer that is one") }
    let page = run
    if page.isAtAnchor, page.isEmpty(end), !archive.knowsAnchor { return foundNothing(page) }
    let step = run.end(end)
    archive.run = run
    switch run.course {
    case .forward: forwardPage(page, end, step)
    case .backward: backwardPage(page, end, step)
    case .probe: probed(page)
    case .check: checked(page)
    }
  }

  private func forwardPage(_ page: ArchiveRun, _ end: ArchiveEnd, _ step: ArchiveRun.Step) {
    // Where doubts are all that was asked about, the first fetching is yet to come.
    if archive.run?.isStable == true, page.results > 0, archived != nil || !archive.isSettling {
      var record = archived ?? ArchiveRecord(account: account.record.number)
      record.anchor = page.anchor(end.bounds?.last)
      write(record)
    }
    if step == .complete, page.page == .first, page.results == 0 { goOnFromNewest() }
    follow(step)
  }

  private func backwardPage(_ page: ArchiveRun, _ end: ArchiveEnd, _ step: ArchiveRun.Step) {
    if case .astray(let reason) = step { return fail(archive: reason) }
    if page.page == .last, page.start != nil, page.results == 0 {
      // Nothing is as new as what is wanted: where it stands is asked without that.
      return start(ArchiveRun(.probe, from: .last, began: storage.queue.last), .catchingUp)
    }
    var record = archived ?? ArchiveRecord(account: account.record.number)
    if page.page == .last {
      record.horizon = page.start?.milliseconds
      record.anchor = page.anchor(end.bounds?.last)
    }
    record.messages += UInt64(page.results)
    record.pages += 1
    record.floor = step == .complete || record.messages >= Self.mostFilled ? nil : end.bounds?.first ?? record.floor
    if archive.run?.isStable == true { write(record) }
    follow(record.floor == nil ? .complete : step)
  }

  /// The newest message of the archive: where it is known, so is all before it, for what other devices do comes as copies.
  private func probed(_ page: ArchiveRun) {
    archive.run = nil
    var anchor = page.anchor(nil)
    anchor?.place = archive.probed?.milliseconds
    guard let known = archived else {
      var record = ArchiveRecord(account: account.record.number)
      record.anchor = anchor
      write(record)
      return rest(.complete)
    }
    guard let anchor else { return rest(.complete) }
    guard archive.probed != nil else { return catchUp(known) }
    // What left and may not have arrived yet has to be found behind the anchor, should this stream break.
    guard unacknowledgedMessages == 0 else {
      rest(.complete)
      return archive.sinceAnchor = Self.anchorEvery / 2
    }
    var record = known
    record.anchor = anchor
    write(record)
    rest(.complete)
  }

  private func follow(_ step: ArchiveRun.Step) {
    switch step {
    case .next: ask()
    case .astray(let reason): fail(archive: reason)
    case .complete: finishRun()
    }
  }

  func finishRun() {
    archive.run = nil
    if archive.isSettling { return judgeSilence() }
    if let known = archived, let floor = known.floor { fillFurther(known, floor) } else { rest(.complete) }
  }

  /// Ends the resolution of unacknowledged messages: it is known which ones arrived. The archive is queried once more,
  /// because only the archive has messages that my other devices sent before carbons were enabled.
  func finishSettling() {
    archive.isSettling = false
    archive.state = .unknown
    leaveInDoubt(unless: isProvenLost)
    if features.unknown.isEmpty { beginArchive() }
  }

  /// Appends how far it is, behind the messages that it speaks of.
  func write(_ record: ArchiveRecord) {
    guard record != archived else { return }
    if record.anchor != archived?.anchor { archive.knowsAnchor = true }
    archiveUnderWay = record
    storage.append(.archive(record))
  }

  /// Nothing is under way any more.
  func rest(_ state: ArchiveProgress.State) {
    archive.run = nil
    archive.sinceAnchor = 0
    archive.state = state
  }

  // MARK: - Where it does not go on

  private func refused(_ error: StanzaError, _ run: ArchiveRun) {
    guard error.doesNotKnow(run.page) else { return fail(archive: error.sentence) }
    if let again = run.begunAnew { return start(again, archive.state) }
    guard let known = archived else { return fail(archive: error.sentence) }
    switch (run.course, run.page) {
    case (.forward, .after) where run.start == nil:
      goByTime(known)
    case (.backward, .before):
      // What was older than that is not kept any more.
      var record = known
      record.floor = nil
      write(record)
      finishRun()
    default: fail(archive: error.sentence)
    }
  }

  /// It is given up for now. What is here stays, and the anchor where it is.
  func fail(archive reason: String) {
    guard archive.run != nil else { return }
    archive.run = nil
    (archive.state, archive.reason) = (.failed, reason)
    archive.retryDue = effects.now.instant.advanced(by: Self.archivePause)
    journal(.warning, .archive, "\(reason); trying again in \(Self.archivePause)")
    guard archive.isSettling else { return pumpOutbox() }
    archive.isSettling = false
    leaveInDoubt()
  }

  /// A message came or left otherwise: after some, the anchor follows.
  func noteLive() {
    guard isAnchored else { return }
    archive.sinceAnchor += 1
    guard archive.sinceAnchor >= Self.anchorEvery, let known = archived else { return }
    if features.hasCarbons, features.keepsArchiveIDs {
      start(ArchiveRun(.probe, from: .last, began: storage.queue.last), .complete)
    } else {
      catchUp(known)
    }
  }

}
