import Timelines
import Records
import State
import XMPPCore
import XMPPExtensions

/// Read positions of our other devices (XEP-0490), kept until their messages are here.
final class ReadPositionMarks {
  /// Conversations whose displayed message is not here yet, and marks of one.
  private static let mostAwaited = 10_000
  private static let mostOfOne = 4

  /// A message that another device has displayed.
  private struct Displayed {
    let stanzaID: String
    /// True if it may have been displayed long ago.
    let isOld: Bool
  }

  private let own: JID
  private let state: AccountState
  private let storage: Storage
  private let messages: ArchivedMessages
  /// Positions to be taken over, by the conversation's bare JID, the newest last, once this record is durable.
  private var displayed: [String: [Displayed]] = [:]
  private var takenOverBehind: UInt64 = 0
  /// Messages that the archive did not bring: looked for again behind the next run, which is not this one.
  private var missing: [String: [Displayed]] = [:]
  private var lastRun: UInt64?

  init(of own: JID, _ messages: ArchivedMessages, _ storage: Storage) {
    (self.own, self.messages, self.storage) = (own, messages, storage)
    state = messages.state
  }

  /// All is requested anew.
  func reset() { (displayed, missing, takenOverBehind, lastRun) = ([:], [:], 0, nil) }

  /// True if nothing waits to be taken over, except for messages that are not stored.
  var isTakenOver: Bool { displayed.isEmpty }

  /// True if another device has displayed messages that are not stored.
  var isMissingMessages: Bool { !missing.isEmpty }

  /// A message came: another device may have displayed it already.
  func received(in jid: String) {
    guard let marks = missing.removeValue(forKey: jid) else { return }
    displayed[jid] = marks + (displayed[jid] ?? [])
    takenOverBehind = storage.queue.last
  }

  /// Takes items of the node.
  ///
  /// - Parameter areOld: what they name may have been displayed long ago.
  func note(_ items: [PubSub.Item], areOld: Bool) {
    for item in items {
      guard displayed.count + missing.count < Self.mostAwaited,
        let (jid, id) = DisplayedSynchronization.displayed(
          in: item, of: own, isRoom: { state.rooms[$0.description] != nil })
      else { continue }
      let earlier = (missing.removeValue(forKey: jid.description) ?? []) + (displayed[jid.description] ?? [])
      displayed[jid.description] = earlier.suffix(Self.mostOfOne - 1) + [Displayed(stanzaID: id, isOld: areOld)]
    }
    takenOverBehind = storage.queue.last
  }

  /// Takes over positions of other devices, if their messages are stored. Missing ones may come out of the archive.
  ///
  /// - Parameter finish: is called with positions that are to be published, and that others know already.
  /// - Returns: true if the archive has ended another run: missing messages may be stored now.
  func takeOver(_ finish: (UInt64) -> Void) -> Bool {
    guard let run = messages.archive.fetchedUpTo, storage.queue.durable >= max(run, takenOverBehind) else {
      return false
    }
    let isNewRun = run != lastRun
    if isNewRun {
      displayed.merge(missing) { newer, older in older + newer }
      (lastRun, missing) = (run, [:])
    }
    guard !displayed.isEmpty else { return isNewRun }
    for (jid, marks) in displayed.sorted(by: { $0.key < $1.key }) {
      let left = takeOver(marks, in: jid, finish)
      if !left.isEmpty { missing[jid] = left }
    }
    displayed = [:]
    return isNewRun
  }

  /// Takes over the newest mark whose message is here; returns the marks behind it.
  private func takeOver(_ marks: [Displayed], in jid: String, _ finish: (UInt64) -> Void) -> [Displayed] {
    let last = marks.lastIndex { takeOver($0, in: jid, finish) }
    return Array(marks[(last.map { $0 + 1 } ?? 0)...])
  }

  private func takeOver(_ entry: Displayed, in jid: String, _ finish: (UInt64) -> Void) -> Bool {
    guard let conversation = state.conversations[jid],
      let message = messages.message(of: entry.stanzaID, in: conversation)
    else {
      return false
    }
    ReadPositionMove(state: state, storage: storage)
      .move(jid, to: message.place, at: entry.isOld ? message.time : nil, isToPublish: false)
    // Others know already of such positions that are to be published.
    for pending in state.unpublishedReads.entries where pending.jid == jid {
      if conversation.furthestRead <= message.id, conversation.furthestRead > 0 { finish(pending.sequence) }
    }
    return true
  }
}
