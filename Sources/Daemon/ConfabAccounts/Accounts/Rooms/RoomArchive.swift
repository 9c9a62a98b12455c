import Records
import State
import XML
import XMPPCore
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

  /// True if what was said before the join is here, as far as the room keeps it and gives it.
  package var isRead: Bool { [.complete, .none, .failed].contains(archive.phase) }

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

  /// The room has no archive, or it is not known yet whether it has one.
  func rest(isKnown: Bool) {
    sync.answersAreLost()
    archive.ids = isKnown ? .ignored : .claimed
    sync.rest(.none)
  }

  func tick() { if sync.tick() { fetch() } }

  /// A message came live: after some, the anchor follows.
  func noteLive() { if sync.noteLive(), let known = archive.record { sync.catchUp(known) } }

  // MARK: - ArchiveOwner

  var isResolving: Bool { false }
  var fillsByItself: Bool { false }
  var hasMessagesUnderway: Bool { false }

  /// A room's archive has messages of that room alone.
  func decide(_ copy: ForwardedMessage, archiveID: String) -> IncomingMessage {
    guard let from = copy.message.attribute(.from).flatMap({ try? JID($0) }), from.bare == archive.address else {
      return .forged("\(archive.address) has a message of another room in its archive")
    }
    return inbox.decider.decide(copy, archiveID: archiveID)
  }

  func shows(_ known: KnownMessage) { if known.record.author.isMe { inbox.received.reflected(known) } }

  func resolvingEnded() {}

  func rested() { caughtUp() }

  func failed() { caughtUp() }
}
