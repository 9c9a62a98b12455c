import Clocks
import Records
import Settings
import XMPPCore
import XMPPExtensions

/// Whether the archive still has the anchor, the message from which the next catch-up continues. A replaced server or
/// archive does not have it: some answer with an error, others with an empty page (decision 0044).
extension Session {
  /// Handles an empty answer to the request for messages after the anchor: either nothing is new, or the archive does
  /// not know the anchor. The archive's newest message decides.
  func foundNothing(_ page: ArchiveRun) {
    guard page.isChecked else {
      return start(ArchiveRun(.check, from: .last, began: page.began), archive.state)
    }
    guard let known = archived else { return finishRun() }
    goByTime(known)
  }

  /// Handles the archive's newest message: the anchor, or a message older than an unknown anchor, or one that arrived
  /// since the first request. In the last two cases the request is repeated.
  func checked(_ page: ArchiveRun) {
    guard let anchor = archived?.anchor, let newest = page.anchor(nil) else {
      // The archive was emptied: a missing message proves nothing.
      if archive.isSettling { distrustEarlierIDs(isAnother: true) }
      return finishRun()
    }
    guard newest.id != anchor.id else {
      archive.knowsAnchor = true
      return finishRun()
    }
    archive.newest = newest
    start(.checked(behind: anchor, began: page.began), archive.state)
  }

  /// Fetches by time, because the archive does not know the anchor.
  func goByTime(_ known: ArchiveRecord) {
    journal(.notice, .archive, "the archive no longer has the last message fetched: fetching by time")
    distrustEarlierIDs(isAnother: true)
    catchUpByTime(archived ?? known)
  }

  /// Makes the archive's newest message the anchor: the archive does not know the old anchor, and has nothing as new.
  func goOnFromNewest() {
    guard let newest = archive.newest.take(), var record = archived else { return }
    record.anchor = newest
    write(record)
  }
}

extension StanzaError {
  /// Whether the error says that the archive does not know the id from which the page was requested (XEP-0059, section
  /// 2.2). Some servers answer `bad-request` to an id that is not in their own form.
  func doesNotKnow(_ page: ResultSet.Page) -> Bool {
    switch page {
    case .first, .last: condition == "item-not-found"
    case .after, .before: condition == "item-not-found" || condition == "bad-request"
    }
  }
}
