import Records
import State
import XMPPExtensions

/// Fetches the archive of a room: a page backwards at the first join, forwards from the anchor at each later one.
package final class RoomArchive: ArchiveOwner {
  let sync: ArchiveSync
  let inbox: Inbox
  /// Everything that was missed is here.
  var caughtUp: () -> Void = {}

  init(_ archive: Archive, _ requests: Requests, _ inbox: Inbox, _ stream: ReliableStream) {
    self.inbox = inbox
    sync = ArchiveSync(archive, requests, inbox, stream)
    sync.owner = self
  }

  /// True if what was said before the join is here, as far as the room keeps it.
  package var isRead: Bool { archive.phase == .complete || archive.phase == .none }

  /// True if the room has an archive.
  package var isKept: Bool { archive.phase != .none }

  var archive: Archive { sync.archive }

  /// The room is being joined: what it says from now on comes live.
  ///
  /// - Parameter isTrusted: the room drops forged ids.
  func begin(isTrusted: Bool) {
    sync.answersAreLost()
    archive.readIDsSince()
    archive.ids = isTrusted ? .trusted : .claimed
    fetch()
  }

  private func fetch() {
    if let known = archive.record {
      sync.catchUp(known)
    } else {
      sync.start(ArchiveRun(.backward, from: .last), .filling)
    }
  }

  /// The room has no archive.
  func rest() {
    sync.answersAreLost()
    archive.ids = .ignored
    sync.rest(.none)
  }

  func tick() { if sync.tick() { fetch() } }

  /// A message came live: after some, the anchor follows.
  func noteLive() { if sync.noteLive(), let known = archive.record { sync.catchUp(known) } }

  // MARK: - ArchiveOwner

  var isResolving: Bool { false }
  var fillsByItself: Bool { false }
  var hasMessagesUnderway: Bool { false }

  func decide(_ copy: ForwardedMessage, archiveID: String) -> IncomingMessage {
    inbox.decider.decide(copy, archiveID: archiveID)
  }

  func shows(_ known: KnownMessage) { if known.record.author.isMe { inbox.received.reflected(known) } }

  func resolvingEnded() {}

  func rested() { caughtUp() }

  func failed() {}
}
