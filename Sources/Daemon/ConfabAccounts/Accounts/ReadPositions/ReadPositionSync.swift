import Timelines
import Records
import ConfabConfiguration
import State
import XMPPCore
import XMPPExtensions

/// Synchronises read positions with our other devices (XEP-0490). A position to be published is durable until the
/// server has it. Positions of other devices are requested with each new stream, and taken over as soon as their
/// messages are stored.
final class ReadPositionSync: PersonalNodePart {
  private let own: JID
  private let state: AccountState
  private let storage: Storage
  private let features: ServerFeatures
  private let nodes: PersonalNodes
  private let messages: ArchivedMessages
  let elsewhere: ReadPositionMarks
  private let effects: Effects
  /// True if our other devices' positions are known, as far as the server has them.
  private var isReady = false
  private var isPublishing = false
  /// The server takes no publications on this stream.
  private var isRefused = false
  /// The record of the last position that was published, or could not be: it is looked at again behind the next run.
  private var upTo: UInt64 = 0
  private var finished: Set<UInt64> = []
  /// Published, but not recorded yet.
  private var done: [UInt64] = []

  init(
    of own: JID, _ stream: ReliableStream, _ features: ServerFeatures, _ nodes: PersonalNodes,
    _ archive: Archive, _ records: RecordReader
  ) {
    (self.own, self.features, self.nodes) = (own, features, nodes)
    (state, storage, effects) = (stream.state, stream.storage, stream.effects)
    messages = ArchivedMessages(state: state, records: records, archive: archive)
    elsewhere = ReadPositionMarks(of: own, messages, storage)
  }

  // MARK: - Streams

  /// All is requested anew.
  func answersAreLost() {
    elsewhere.reset()
    (isReady, isPublishing, isRefused, upTo, finished) = (false, false, false, 0, [])
  }

  func featuresAreKnown() {
    guard features.hasPublishOptions else { return begin() }
    nodes.requestItems(of: DisplayedSynchronization.node) { [weak self] in self?.receive($0) }
  }

  private func receive(_ answer: IQAnswer) {
    // Without an answer nothing is published on this stream: other devices may have displayed more.
    if case .missing = answer { return }
    if case .result(let iq) = answer {
      elsewhere.note(PubSub.items(in: iq, of: DisplayedSynchronization.node) ?? [], areOld: !isReady)
    }
    begin()
  }

  private func begin() {
    isReady = true
    advance()
  }

  // MARK: - What other devices have displayed

  var node: String { DisplayedSynchronization.node }

  /// Takes an event of the node; that of our own account counts.
  func receive(_ event: PersonalEvent, of owner: JID) {
    guard owner == own else { return }
    elsewhere.note(event.items, areOld: !isReady)
    advance()
  }

  // MARK: - Publishing

  func synced() { advance() }

  /// Goes on when a sync came, or the archive got further.
  func advance() {
    if elsewhere.takeOver(finish) { upTo = 0 }
    publish()
  }

  /// Publishes one position after the other, once all that other devices have displayed is known.
  private func publish() {
    guard isReady, !isPublishing, elsewhere.isTakenOver, messages.archive.fetchedUpTo != nil else { return }
    guard features.hasPublishOptions, !isRefused else { return giveUpAll() }
    for entry in state.unpublishedReads.entries(after: upTo) where !isPublishing {
      upTo = entry.sequence
      guard !finished.contains(entry.sequence),
        let conversation = state.conversations[entry.jid], let id = messages.newestDisplayed(in: conversation)
      else { continue }
      publish(id, of: entry)
    }
  }

  private func publish(_ stanzaID: String, of entry: PendingReceipt) {
    isPublishing = true
    let room = state.rooms[entry.jid] == nil ? nil : try? JID(entry.jid)
    nodes.publish(entry.jid, on: DisplayedSynchronization.node, DisplayedSynchronization.options) { [own] in
      DisplayedSynchronization.write(stanzaID, by: room ?? own, into: &$0)
    } then: { [weak self] in
      self?.published(entry, $0)
    }
  }

  private func published(_ entry: PendingReceipt, _ answer: IQAnswer) {
    isPublishing = false
    switch answer {
    case .result: finish(entry.sequence)
    case .error(let iq):
      let error = StanzaError(parsing: iq)
      // The next stream tries again.
      if error.type == .wait { return }
      (isRefused, upTo) = (true, 0)
      effects.journal(
        .notice, "account \(state.record.name): read positions are not published for other devices: \(error.sentence)")
    case .missing: return
    }
    publish()
  }

  /// Gives all of them up: the server takes none.
  private func giveUpAll() {
    for entry in state.unpublishedReads.entries(after: upTo) {
      upTo = entry.sequence
      finish(entry.sequence)
    }
  }

  private func finish(_ sequence: UInt64) {
    if finished.insert(sequence).inserted { done.append(sequence) }
  }

  /// Records what was published, because a batch of the log is about to be written.
  func recordDone() {
    guard !done.isEmpty else { return }
    storage.append(.readPublished(ReadPublishedRecord(account: state.number, sequences: done)))
    done = []
  }
}
