import Clocks
import ConfabConfiguration
import Records
import State
import XMPPCore
import XMPPExtensions

/// The archive of the account: the first time it is fetched backwards from the newest message, later forwards from the
/// anchor. It also finds out whether unacknowledged messages of mine arrived.
final class OwnArchive: StreamPart {
  /// Messages before the anchor that are fetched again if the archive is asked by time: servers' clocks and ours
  /// differ.
  static let margin = Interval.minutes(2)

  let sync: ArchiveSync
  let requests: Requests
  let features: ServerFeatures
  let outbox: OutboxSender
  private let inbox: Inbox
  private let stream: ReliableStream
  private var settings: AccountSettings
  var evidence: ArchiveEvidence

  init(
    _ settings: AccountSettings, _ archive: Archive, _ requests: Requests, _ features: ServerFeatures, _ inbox: Inbox,
    _ outbox: OutboxSender, _ stream: ReliableStream
  ) {
    (self.settings, self.requests, self.features) = (settings, requests, features)
    (self.inbox, self.outbox, self.stream) = (inbox, outbox, stream)
    sync = ArchiveSync(archive, requests, inbox, stream)
    evidence = ArchiveEvidence(contacts: stream.state.unacknowledgedContacts)
    sync.owner = self
  }

  var archive: Archive { sync.archive }
  var state: AccountState { stream.state }
  var storage: Storage { stream.storage }

  // MARK: - Streams

  func configure(_ settings: AccountSettings) { self.settings = settings }

  func answersAreLost() {
    sync.answersAreLost()
    evidence = ArchiveEvidence(contacts: state.unacknowledgedContacts)
  }

  var deadline: Instant? { sync.deadline }

  /// Tries again after a failure.
  func tick() { if sync.tick() { begin() } }

  // MARK: - Beginning

  func featuresAreKnown() {
    if outbox.resolution == .open, !evidence.isAwaited { resolve() }
    begin()
  }

  func synced() { resolveWhenDurable() }

  /// It is known whether there is an archive, and carbons are requested already: nothing falls between.
  func begin() {
    guard sync.mayBegin, features.isKnown else { return }
    // Unacknowledged messages of the last stream are looked for first, as soon as that can be.
    if case .waiting = outbox.resolution, outbox.hasUnresolved { return }
    guard features.hasArchive else {
      sync.rest(.none)
      return outbox.pump()
    }
    if let known = archive.record { sync.catchUp(known) } else { fill() }
  }

  /// The first time: the newest page, then what is before it.
  private func fill() {
    switch settings.archiveFirstSync {
    case .none: sync.start(ArchiveRun(.probe, from: .last), .catchingUp)
    case .all: sync.start(ArchiveRun(.backward, from: .last), .filling)
    case .since(let span):
      let horizon = stream.effects.now.wall.advanced(by: .milliseconds(-span.milliseconds))
      sync.start(ArchiveRun(.backward, from: .last, start: horizon), .filling)
    }
  }

  /// A message came or left otherwise: after some, the anchor follows.
  func noteLive() {
    guard sync.noteLive(), let known = archive.record else { return }
    if features.hasCarbons, features.keepsArchiveIDs {
      sync.start(ArchiveRun(.probe, from: .last), .complete)
    } else {
      sync.catchUp(known)
    }
  }
}

extension OwnArchive: ArchiveOwner {
  var isResolving: Bool { evidence.isAwaited }

  var fillsByItself: Bool { true }

  var hasMessagesUnderway: Bool { outbox.unacknowledgedCount > 0 }

  func decide(_ copy: ForwardedMessage, archiveID: String) -> IncomingMessage {
    inbox.decider.decide(copy, archiveID: archiveID)
  }

  /// A message of mine in the archive has arrived. No page ever moves the anchor over it unseen.
  func shows(_ known: KnownMessage, in version: MessageSeal.Version?) {
    if known.record.isMine { evidence.show(known.record.jid) }
    guard let entry = state.outbox.entry(known.id), entry.transmitted || entry.inDoubt,
      version != .legacy || !outbox.isTwofold(entry),
      evidence.arrived.insert(known.id).inserted
    else { return }
    outbox.acknowledged([known.id])
  }

  func resolvingEnded() { judgeAbsent() }

  func rested() {}

  func failed() {
    guard evidence.isAwaited else { return outbox.pump() }
    evidence.isAwaited = false
    leaveInDoubt()
  }
}
