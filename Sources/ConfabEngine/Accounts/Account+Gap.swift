import Clocks
import Facts
import Records
import Settings

/// A time in which nothing could be taken from the server, because the disk was full or failed. The stream that goes on
/// then, or the archive, brings what came meanwhile. Where there is neither, nobody can tell what the server has kept:
/// `status` names the time.
extension Account {
  /// The link is about to be dropped: nothing has been taken since then.
  func notesGap(since time: Timestamp) {
    if session != nil, facts.gap?.until != nil || facts.gap == nil { unnotedGap = unnotedGap ?? time }
  }

  /// The end of the turn: what is known of it goes into the log.
  func settleGap() {
    guard storage.mayAppend, gapNoted <= storage.queue.durable else { return }
    if let since = unnotedGap {
      unnotedGap = nil
      return note(GapRecord(account: number, since: since.milliseconds))
    }
    guard var gap = facts.gap, gap.until == nil, let session else { return }
    if session.isResumed, !gap.isStreamOver {
      note(GapRecord(account: number))
    } else if session.archive.isAtRest {
      if session.archive.state == .complete { return note(GapRecord(account: number)) }
      gap.until = effects.now.wall.milliseconds
      note(gap)
      journal(.warning, "it is not known whether the server has kept all that came while nothing could be stored")
    } else if !gap.isStreamOver {
      gap.isStreamOver = true
      note(gap)
    }
  }

  private func note(_ gap: GapRecord) { gapNoted = storage.append(.gap(gap)) }
}
