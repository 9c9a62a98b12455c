import Clocks
import Records
import Settings
import XMPPCore
import XMPPExtensions

/// Whether the archive still has the message that it is asked to go on from. A server that was changed, or whose archive
/// was, does not: some say so, others answer that there is nothing behind it (decision 0044).
extension Session {
  /// An empty page answered the question for what stands behind the anchor: the quiet case, or an archive that does not
  /// know the anchor. Its newest message tells.
  func foundNothing(_ page: ArchiveRun, _ turn: Turn) {
    guard page.isChecked else {
      return start(ArchiveRun(.check, from: .last, began: page.began), archive.state, turn)
    }
    guard let known = archived else { return finishRun(turn) }
    goByTime(known, turn)
  }

  /// The newest message of the archive: the anchor, or one that stands before an anchor that is unknown, or one that came
  /// since the first question. So that is asked once more.
  func checked(_ page: ArchiveRun, _ turn: Turn) {
    guard let anchor = archived?.anchor, let newest = page.anchor(nil) else {
      // The archive lost what it had: its silence proves nothing.
      if archive.isSettling { distrustEarlierIDs(isAnother: true, turn) }
      return finishRun(turn)
    }
    guard newest.id != anchor.id else {
      archive.knowsAnchor = true
      return finishRun(turn)
    }
    archive.newest = newest
    start(.checked(behind: anchor, began: page.began), archive.state, turn)
  }

  /// The archive does not know the anchor: what came since is asked for by time.
  func goByTime(_ known: ArchiveRecord, _ turn: Turn) {
    journal(.notice, .archive, "the archive does not know any more how far we were: going by time", turn)
    distrustEarlierIDs(isAnother: true, turn)
    catchUpByTime(archived ?? known, turn)
  }

  /// The archive does not know the anchor, and has nothing that is as new: its own newest message is the anchor from now on.
  func goOnFromNewest(_ turn: Turn) {
    guard let newest = archive.newest.take(), var record = archived else { return }
    record.anchor = newest
    write(record, turn)
  }
}

extension StanzaError {
  /// The archive does not know the message that this page was to stand behind or before (XEP-0059, section 2.2). Some
  /// servers refuse an id of another form than theirs as a bad request.
  func doesNotKnow(_ page: ResultSet.Page) -> Bool {
    switch page {
    case .first, .last: condition == "item-not-found"
    case .after, .before: condition == "item-not-found" || condition == "bad-request"
    }
  }
}
