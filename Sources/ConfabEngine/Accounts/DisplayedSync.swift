import Clocks
import Conversations
import Records
import Settings
import State
import XML
import XMPPCore
import XMPPExtensions

/// Synchronises read positions with our other devices (XEP-0490). A position that is to be published is durable until the
/// server has it. What other devices had displayed is requested with each new stream, and taken over as soon as the
/// message is here.
final class DisplayedSync: PersonalNodePart {
  /// Conversations whose displayed message is not here yet.
  private static let mostAwaited = 10_000
  /// Messages that are looked at for one publication, and those of them that are read.
  private static let mostRows = 1_000
  private static let mostRead = 50

  /// A message that another device has displayed.
  private struct Displayed {
    let stanzaID: String
    /// Whether it may have been displayed long ago.
    let isOld: Bool
  }

  private let own: JID
  private let state: AccountState
  private let storage: Storage
  private let records: RecordReader
  private let features: ServerFeatures
  private let nodes: PersonalNodes
  private let archive: ArchiveProgress
  private let effects: Effects
  /// Whether it is known what our other devices have displayed, as far as the server says so.
  private var isReady = false
  /// Positions to be taken over, by the conversation's bare JID, once this record is durable.
  private var displayed: [String: Displayed] = [:]
  private var takenOverBehind: UInt64 = 0
  /// Messages that the archive did not bring: looked for again behind the next run, which is not this one.
  private var missing: [String: Displayed] = [:]
  private var lastRun: UInt64?
  private var isPublishing = false
  /// The server takes no publications on this stream.
  private var isRefused = false
  /// The record of the last position that was published, or could not be: it is looked at again behind the next run.
  private var upTo: UInt64 = 0
  private var settled: Set<UInt64> = []
  /// Published, but not recorded yet.
  private var done: [UInt64] = []

  init(
    of own: JID, _ stream: ReliableStream, _ features: ServerFeatures, _ nodes: PersonalNodes,
    _ archive: ArchiveProgress, _ records: RecordReader
  ) {
    (self.own, self.features, self.nodes, self.archive, self.records) = (own, features, nodes, archive, records)
    (state, storage, effects) = (stream.state, stream.storage, stream.effects)
  }

  // MARK: - Streams

  /// All is requested anew.
  func answersAreLost() {
    (isReady, displayed, missing, takenOverBehind, lastRun) = (false, [:], [:], 0, nil)
    (isPublishing, isRefused, upTo, settled) = (false, false, 0, [])
  }

  func featuresAreKnown() {
    guard features.hasPublishOptions else { return begin() }
    nodes.requestItems(of: DisplayedSynchronization.node) { [weak self] in self?.receive($0) }
  }

  private func receive(_ answer: IQAnswer) {
    // Without an answer nothing is published on this stream: other devices may have displayed more.
    if case .missing = answer { return }
    if case .result(let iq) = answer { note(PubSub.items(in: iq, of: DisplayedSynchronization.node) ?? []) }
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
    note(event.items)
    advance()
  }

  /// Whether another device has displayed messages that are not here.
  var isMissingMessages: Bool { !missing.isEmpty }

  /// A message came: another device may have displayed it already.
  func received(in jid: String) {
    guard let entry = missing.removeValue(forKey: jid) else { return }
    displayed[jid] = entry
    takenOverBehind = storage.queue.last
  }

  private func note(_ items: [PubSub.Item]) {
    for item in items {
      guard displayed.count + missing.count < Self.mostAwaited,
        let (jid, id) = DisplayedSynchronization.displayed(in: item, of: own)
      else { continue }
      missing[jid.description] = nil
      displayed[jid.description] = Displayed(stanzaID: id, isOld: !isReady)
    }
    takenOverBehind = storage.queue.last
  }

  /// Takes over what was displayed elsewhere, if the messages are here. Those that are not may come out of the archive.
  private func takeOver() {
    guard let run = archive.fetchedUpTo, storage.queue.durable >= max(run, takenOverBehind) else { return }
    if run != lastRun {
      displayed.merge(missing) { newer, _ in newer }
      (lastRun, missing, upTo) = (run, [:], 0)
    }
    guard !displayed.isEmpty else { return }
    for (jid, entry) in displayed.sorted(by: { $0.key < $1.key }) where !takeOver(entry, in: jid) {
      missing[jid] = entry
    }
    displayed = [:]
  }

  private func takeOver(_ entry: Displayed, in jid: String) -> Bool {
    guard let conversation = state.conversations[jid], let place = place(of: entry.stanzaID, in: conversation) else {
      return false
    }
    ReadElsewhere(state: state, storage: storage)
      .move(conversation, to: place, at: entry.isOld ? place.time : nil, isToPublish: false)
    // Others know already of such positions that are to be published.
    for pending in state.unpublishedReads.entries where pending.jid == jid {
      if conversation.furthestRead.map({ !Conversation.precedes(place, $0) }) == true { settle(pending.sequence) }
    }
    return true
  }

  /// Where the message with an id in our archive stands. Of one that changes another: where the last one before it does.
  private func place(of id: String, in conversation: Conversation) -> Conversation.Place? {
    let timeline = conversation.timeline
    for number in state.messageIDs.ids(.archiveID, MessageIDHash.of(id)) where number >= archive.idsSince {
      guard let (found, message) = message(number, id), message.jid == conversation.jid else { continue }
      if let change = message.details?.change {
        let row = timeline.firstRow(notBefore: Timestamp(milliseconds: change.time + 1)) - 1
        return row < 0 ? nil : .init(timeline[row])
      }
      if let row = timeline.row(ofTime: Timestamp(milliseconds: message.time), id: found) {
        return .init(timeline[row])
      }
    }
    return nil
  }

  private func message(_ number: UInt64, _ archiveID: String) -> (UInt64, MessageRecord)? {
    switch records.record(number) {
    case .message(let message) where message.archiveID == archiveID: (number, message)
    case .change(let message) where message.details?.change?.archiveID == archiveID: (number, message)
    case .archiveID(let named) where named.archiveID == archiveID:
      records.message(named.message).map { (named.message, $0) }
    default: nil
    }
  }

  // MARK: - Publishing

  func synced() { advance() }

  /// Goes on when a sync came, or the archive got further.
  func advance() {
    takeOver()
    publish()
  }

  /// Publishes one position after the other, once all that other devices have displayed is known.
  private func publish() {
    guard isReady, !isPublishing, displayed.isEmpty, archive.fetchedUpTo != nil else { return }
    guard features.hasPublishOptions, !isRefused else { return settleAll() }
    for entry in state.unpublishedReads.entries(after: upTo) where !isPublishing {
      upTo = entry.sequence
      guard !settled.contains(entry.sequence),
        let conversation = state.conversations[entry.jid], let id = newestDisplayed(in: conversation)
      else { continue }
      publish(id, of: entry)
    }
  }

  private func publish(_ stanzaID: String, of entry: PendingReceipt) {
    isPublishing = true
    nodes.publish(entry.jid, on: DisplayedSynchronization.node, DisplayedSynchronization.options) { [own] in
      DisplayedSynchronization.write(stanzaID, of: own, into: &$0)
    } then: { [weak self] in
      self?.published(entry, $0)
    }
  }

  private func published(_ entry: PendingReceipt, _ answer: IQAnswer) {
    isPublishing = false
    switch answer {
    case .result: settle(entry.sequence)
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
  private func settleAll() {
    for entry in state.unpublishedReads.entries(after: upTo) {
      upTo = entry.sequence
      settle(entry.sequence)
    }
  }

  private func settle(_ sequence: UInt64) {
    if settled.insert(sequence).inserted { done.append(sequence) }
  }

  /// Records what was published, because a batch of the log is about to be written.
  func recordDone() {
    guard !done.isEmpty else { return }
    storage.append(.readPublished(ReadPublishedRecord(account: state.number, sequences: done)))
    done = []
  }

  /// The id in our archive of the newest message of others that was displayed.
  private func newestDisplayed(in conversation: Conversation) -> String? {
    let timeline = conversation.timeline
    guard let furthest = conversation.furthestRead, var row = timeline.row(ofTime: furthest.time, id: furthest.id)
    else { return nil }
    let last = max(0, row - Self.mostRows)
    var reads = 0
    while row >= last, reads < Self.mostRead {
      let entry = timeline[row]
      row -= 1
      guard !entry.flags.contains(.mine) else { continue }
      reads += 1
      if let id = archiveID(of: entry.id) { return id }
    }
    return nil
  }

  private func archiveID(of message: UInt64) -> String? {
    let hash = ArchiveIDRecord.hash(ofMessage: message)
    for number in state.messageIDs.ids(.archiveID, hash) where number >= archive.idsSince {
      if case .archiveID(let named)? = records.record(number), named.message == message { return named.archiveID }
    }
    return message >= archive.idsSince ? records.message(message)?.archiveID : nil
  }
}
