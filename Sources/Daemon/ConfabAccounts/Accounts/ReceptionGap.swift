import Clocks
import State
import Records

/// A time in which nothing could be taken from the server, because the disk was full or failed. A resumed stream or the
/// archive brings what came meanwhile; without them it is unknown what the server has kept, and `status` names the
/// time.
struct ReceptionGap {
  private let state: AccountState
  private let storage: Storage
  /// Since when, if no record says so yet.
  private var unrecorded: Timestamp?

  init(_ state: AccountState, _ storage: Storage) { (self.state, self.storage) = (state, storage) }

  /// The link is about to be dropped: nothing has been taken since then.
  mutating func noteSince(_ time: Timestamp) {
    if state.server.gap?.until != nil || state.server.gap == nil { unrecorded = unrecorded ?? time }
  }

  /// Records what is known of it.
  ///
  /// - Parameter archive: that of an account that is online.
  mutating func record(_ archive: Archive?, isResumed: Bool, at now: Timestamp, warn: (String) -> Void) {
    guard unrecorded != nil || state.server.gap != nil, storage.mayAppend,
      !storage.pending.hasGap(of: state.number)
    else { return }
    if let since = unrecorded.take() {
      return append(GapRecord(account: state.number, since: since.milliseconds))
    }
    guard var gap = state.server.gap, gap.until == nil, let archive else { return }
    if isResumed && !gap.isStreamOver || archive.isAtRest && archive.phase == .complete {
      append(GapRecord(account: state.number))
    } else if archive.isAtRest {
      gap.until = now.milliseconds
      append(gap)
      warn("messages from the time when nothing could be stored may be missing: the server may not have kept them")
    } else if !gap.isStreamOver {
      gap.isStreamOver = true
      append(gap)
    }
  }

  private func append(_ gap: GapRecord) { storage.append(.gap(gap)) }
}
