import Records
import State
import XML
import XMPPCore
import XMPPExtensions

/// Fetches the archive of a room: a page backwards at the first join, forwards from the anchor at each later one, and
/// further back as far as somebody reads.
package final class RoomArchive: ArchiveOwner {
  let sync: ArchiveSync
  let inbox: Inbox
  /// Everything that was missed is here.
  var caughtUp: () -> Void = {}
  private var readers = HistoryReaders()
  /// The run that is under way goes back for them.
  private var isReadingOn = false

  init(_ archive: Archive, _ requests: Requests, _ inbox: Inbox, _ stream: ReliableStream) {
    self.inbox = inbox
    sync = ArchiveSync(archive, requests, inbox, stream)
    sync.owner = self
  }

  /// True if what was said before the join is here, as far as the room keeps it and gives it.
  package var isRead: Bool { [.complete, .none, .failed].contains(archive.phase) }

  /// True if the archive is yet to be asked on this stream.
  var isUnasked: Bool { archive.phase == .unknown }

  /// True if the room has an archive.
  package var isKept: Bool { archive.phase != .none }

  /// Messages that went out by this record or a later one, and that the archive lacks, did not arrive; nil: its lack
  /// proves nothing.
  var provesSince: UInt64? { archive.phase == .complete ? archive.record?.provesSince ?? 0 : nil }

  var archive: Archive { sync.archive }

  /// The room is being joined: what it says from now on comes live.
  ///
  /// - Parameter isTrusted: the room drops forged ids.
  func begin(isTrusted: Bool) {
    forgetRun()
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
    forgetRun()
    archive.ids = isKnown ? .ignored : .claimed
    sync.rest(.none)
  }

  func tick() { if sync.tick() { fetch() } }

  // MARK: - Streams

  /// The stream goes on, perhaps in another process: what the room told of its ids holds before it tells that again.
  func resume(isTrusted: Bool) {
    if isTrusted { archive.ids = .trusted }
    sync.resume()
  }

  /// The server answers nothing that was asked before.
  func forgetRun() {
    isReadingOn = false
    sync.answersAreLost()
    readers.answer()
  }

  /// The link is lost: front ends do not wait for the next one.
  func linkLost() { readers.answer() }

  // MARK: - Reading backwards

  /// True if the archive may have messages from before the oldest one that is here.
  package var mayHaveOlder: Bool {
    archive.record.map { $0.floor != nil } ?? ![.unknown, .none, .complete].contains(archive.phase)
  }

  /// True if it can be asked for them now.
  var canGoBack: Bool { archive.run != nil || archive.phase == .complete && archive.record?.floor != nil }

  /// Fetches messages from before the oldest one that is here.
  ///
  /// - Parameters:
  ///   - count: how many are wanted.
  ///   - ticket: answered when they are appended, or cannot be had.
  package func fetchOlder(_ count: Int, for ticket: Ticket) {
    // One more tells whether there are older ones still.
    readers.append(count + 1) { [unowned self] in
      sync.effects.answer(ticket, .olderFetched(after: sync.storage.queue.last))
    }
    if archive.run == nil { readOn() }
  }

  /// Fetches the next page back if somebody waits for it.
  private func readOn() {
    guard let known = archive.record, let floor = known.floor, archive.phase == .complete,
      readers.wantMore(behind: archive.taken)
    else { return readers.answer() }
    isReadingOn = true
    sync.fillFurther(known, floor)
  }

  /// A message came live: after some, the anchor follows.
  func noteLive() { if sync.noteLive(), let known = archive.record { sync.catchUp(known) } }

  // MARK: - ArchiveOwner

  var isResolving: Bool { false }
  var fillsByItself: Bool { false }
  var hasMessagesUnderway: Bool { false }

  /// A room's archive has messages of that room alone.
  func decide(_ copy: ForwardedMessage, archiveID: String) -> IncomingMessage {
    guard copy.message.attributeBytes(.from) != nil, let sender = inbox.decider.sender(of: copy.message),
      sender.jid.hasSameBare(as: archive.address)
    else {
      return .forged("\(archive.address) has a message of another room in its archive")
    }
    // The rest of a message that is not here says nothing.
    if Moderation.tombstone(in: copy.message) != nil,
      !inbox.finder.hasArchived(archiveID, in: archive.address.description)
    {
      return .ignore("a message that a moderator took back before it came here")
    }
    return inbox.decider.decide(copy, archiveID: archiveID)
  }

  func shows(_ known: KnownMessage, in _: MessageSeal.Version?) {
    if known.record.isMine { inbox.reflected(known, movingTo: inbox.order.newTime(ofArchived: known)) }
  }

  func resolvingEnded() {}

  func rested() {
    isReadingOn = false
    caughtUp()
    if !readers.isEmpty { readOn() }
  }

  func failed() {
    readers.answer()
    // Nothing that is new was missed.
    if isReadingOn { sync.rest(.complete) } else { caughtUp() }
  }
}
