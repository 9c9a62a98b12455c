import Clocks
import State
import Records
import XML
import XMPPCore
import XMPPExtensions

/// The end of each page of the archive: how far it is now, and where to continue.
///
/// It includes whether the archive still has the anchor. A replaced server or archive does not have it: some answer
/// with an error, others with an empty page (decision 0044).
extension ArchiveSync {
  /// The archive has sent all of a page, or says why not.
  func receiveEnd(_ iq: Element, succeeded: Bool, token: String) {
    guard let asked = archive.run, asked.token == token else { return }
    question.isFromBefore = false
    guard succeeded else { return refused(StanzaError(parsing: iq), asked) }
    guard let end = ArchiveEnd(iq) else { return fail("the archive sent an invalid answer") }
    takeHeld()
    guard var run = archive.run else { return }
    let page = run
    if page.isAtAnchor, page.isEmpty(end), !anchor.isKnown { return receiveNothingAfterAnchor(page) }
    let outcome = run.end(end)
    archive.run = run
    switch run.course {
    case .forward: forwardPage(page, end, outcome)
    case .backward: backwardPage(page, end, outcome)
    case .probe: probed(page)
    case .check: receiveNewest(page)
    }
  }

  private func forwardPage(_ page: ArchiveRun, _ end: ArchiveEnd, _ outcome: ArchiveRun.PageOutcome) {
    // While only unacknowledged messages were asked about, the first fetching is yet to come.
    if archive.run?.isStable == true, page.results.count > 0, archive.record != nil || owner?.isResolving != true {
      var record = archive.record ?? archive.newRecord
      record.anchor = page.anchor(end.bounds?.last)
      write(record)
    }
    if outcome == .complete, page.page == .first, page.results.count == 0 { moveAnchorToNewest() }
    follow(outcome)
  }

  private func backwardPage(_ page: ArchiveRun, _ end: ArchiveEnd, _ outcome: ArchiveRun.PageOutcome) {
    if case .failed(let reason) = outcome { return fail(reason) }
    if page.page == .last, page.start != nil, page.results.count == 0 {
      // No message is as new as the wanted ones: the newest is asked for without that.
      return start(ArchiveRun(.probe, from: .last), .catchingUp)
    }
    var record = archive.record ?? archive.newRecord
    if page.page == .last {
      record.horizon = page.start?.milliseconds
      record.anchor = page.anchor(end.bounds?.last)
    }
    record.messages += UInt64(page.results.count)
    record.pages += 1
    record.floor = outcome == .complete || record.messages >= Self.mostFilled ? nil : end.bounds?.first ?? record.floor
    if archive.run?.isStable == true { write(record) }
    if owner?.fillsByItself == false { return rest(.complete) }
    follow(record.floor == nil ? .complete : outcome)
  }

  /// The newest message of the archive: if it is known, so are all before it, because carbons bring what my other
  /// devices do.
  private func probed(_ page: ArchiveRun) {
    archive.run = nil
    var newest = page.anchor(nil)
    newest?.place = anchor.probed?.milliseconds
    guard let known = archive.record else {
      var record = archive.newRecord
      record.anchor = newest
      write(record)
      return rest(.complete)
    }
    guard let newest else { return rest(.complete) }
    guard anchor.probed != nil else { return catchUp(known) }
    // Messages that left and may not have arrived yet have to be found behind the anchor, should this stream break.
    guard owner?.hasMessagesUnderway != true else {
      rest(.complete)
      return anchor.postpone()
    }
    var record = known
    record.anchor = newest
    write(record)
    rest(.complete)
  }

  private func follow(_ outcome: ArchiveRun.PageOutcome) {
    switch outcome {
    case .next: ask()
    case .failed(let reason): fail(reason)
    case .complete: finishRun()
    }
  }

  private func finishRun() {
    archive.run = nil
    if owner?.isResolving == true { owner?.resolvingEnded() } else { fetchOlder() }
  }

  private func fetchOlder() {
    if owner?.fillsByItself == true, archive.leftCount == 0, let known = archive.record, let floor = known.floor {
      fillFurther(known, floor)
    } else {
      rest(.complete)
    }
  }

  private func refused(_ error: StanzaError, _ run: ArchiveRun) {
    guard error.doesNotKnow(run.page) else { return fail(error.sentence) }
    if let again = run.begunAnew { return start(again, archive.phase) }
    guard let known = archive.record else { return fail(error.sentence) }
    switch (run.course, run.page) {
    case (.forward, .after) where run.start == nil: fetchByTime(known)
    case (.backward, .before):
      // Older messages are not kept any more.
      var record = known
      record.floor = nil
      write(record)
      finishRun()
    default: fail(error.sentence)
    }
  }

  // MARK: - The anchor

  /// Handles an empty answer to the request for messages after the anchor: either nothing is new, or the archive does
  /// not know the anchor. The archive's newest message decides.
  private func receiveNothingAfterAnchor(_ page: ArchiveRun) {
    guard page.isChecked else {
      return start(ArchiveRun(.check, from: .last), archive.phase)
    }
    guard let known = archive.record else { return finishRun() }
    fetchByTime(known)
  }

  /// Handles the archive's newest message: the anchor, or a message older than an unknown anchor, or one that arrived
  /// since the first request. In the last two cases the request is repeated.
  private func receiveNewest(_ page: ArchiveRun) {
    guard let known = archive.record?.anchor, let newest = page.anchor(nil) else {
      // The archive was emptied: a missing message proves nothing.
      if owner?.isResolving == true { distrustEarlierIDs(isAnother: true) }
      return finishRun()
    }
    guard newest.id != known.id else {
      anchor.isKnown = true
      return finishRun()
    }
    anchor.newest = newest
    start(ArchiveRun(behind: known, isChecked: true), archive.phase)
  }

  /// Makes the archive's newest message the anchor: the archive does not know the old anchor, and has nothing as new.
  private func moveAnchorToNewest() {
    guard let newest = anchor.newest.take(), var record = archive.record else { return }
    record.anchor = newest
    write(record)
  }
}

extension ArchiveRecord {
  /// Texts were left in the archive: nothing passes them.
  mutating func stay(at known: ArchiveRecord) {
    (anchor, floor, horizon) = (known.anchor, known.floor, known.horizon)
    (messages, pages) = (known.messages, known.pages)
  }
}

extension StanzaError {
  /// True if the error says that the archive does not know the id from which the page was requested (XEP-0059, section
  /// 2.2). Some servers answer `bad-request` to an id that is not in their own form.
  fileprivate func doesNotKnow(_ page: ResultSet.Page) -> Bool {
    switch page {
    case .first, .last: condition == "item-not-found"
    case .after, .before: condition == "item-not-found" || condition == "bad-request"
    }
  }
}
