import Clocks
import Timelines
import Records
import State
import XMPPCore
import XMPPExtensions

/// Does what a signal says of the message that it is about: receipts (XEP-0184), markers (XEP-0333) and errors of
/// others for messages of mine, from whichever device, and markers of my other devices for messages of others.
struct SignalsReceived {
  /// Messages that are looked at for one marker.
  private static let mostMarked = 1_000

  let finder: MessageFinder
  let deliveries: Deliveries
  let effects: Effects

  private var state: AccountState { finder.state }
  private var storage: Storage { finder.storage }

  /// - Parameter time: when a signal was sent, if that may be long ago; nil: just now.
  func apply(_ signal: MessageSignal, to referred: ReferredMessage, at time: Timestamp?) {
    let isMine = referred.author.isMe
    switch signal {
    case .delivered where isMine: advance(referred, .delivered)
    case .displayed where isMine:
      advance(referred, .displayed)
      if referred.isOfText { displayed(before: referred.present) }
    case .displayed where referred.isOfText: read(upTo: referred.present, at: time)
    case .failed(_, let error) where isMine: fail(referred.named, error)
    case .delivered, .displayed, .failed, .chatState: break
    }
  }

  /// Its room has shown a message of mine, or a change of one; false: it had before.
  ///
  /// - Parameter time: where it is to stand; nil: where it does.
  @discardableResult
  func reflected(_ known: KnownMessage, movingTo time: Timestamp? = nil) -> Bool {
    var delivery = DeliveryRecord(known, .delivered)
    delivery.standsAt = time?.milliseconds
    return deliveries.advance(delivery) != nil
  }

  /// An error came back for a message of mine, or a change of one: it failed, unless it was delivered. A later ack
  /// changes nothing.
  func fail(_ known: KnownMessage, _ error: StanzaError) {
    let failure = Failure(condition: error.condition, text: error.text)
    // First: once it is recorded as failed, the error says nothing new, should a power cut leave this record alone.
    RefusedChange(known.record)?.takeBack(finder, effects)
    deliveries.advance(DeliveryRecord(known, .failed, failure: failure))
  }

  /// A message of mine gets further, and a correction of it that was sent from here: recipients name either.
  private func advance(_ referred: ReferredMessage, _ state: DeliveryState) {
    if referred.isOfText { deliveries.advance(DeliveryRecord(referred.present, state)) }
    guard let change = change(of: referred), change.record.details?.change?.isSent == true else { return }
    deliveries.advance(DeliveryRecord(change, state))
  }

  /// The change that a signal for a message is about: the one that it names, or the last correction, if that has left.
  private func change(of referred: ReferredMessage) -> KnownMessage? {
    if referred.isOfChange { return referred.named }
    let present = referred.present
    guard present.message.details?.change?.kind == .edit, deliveries.hasLeft(present.number) else { return nil }
    return KnownMessage(id: present.number, record: present.message)
  }

  // MARK: - Markers

  /// All messages of mine before one that is displayed are. Markers only go forward: before an earlier such one, all
  /// are.
  private func displayed(before message: PresentMessage) {
    if message.id > storage.queue.durable { displayedPending(before: message) }
    guard let timeline = state.conversations[message.message.jid]?.timeline else { return }
    var row = timeline.row(before: message)
    let first = max(0, row - Self.mostMarked)
    while row > first {
      row -= 1
      let entry = timeline[row]
      guard entry.flags.contains(.mine) else { continue }
      if entry.flags.state == .displayed { return }
      deliveries.displayWithLater(
        DeliveryRecord(
          account: state.number, jid: message.message.jid, time: entry.time.milliseconds, id: entry.id,
          state: .displayed))
    }
  }

  /// Marks pending messages of mine before this one as displayed.
  private func displayedPending(before message: PresentMessage) {
    let jid = message.message.jid
    for (id, earlier) in storage.queue.pendingMessages(of: state.number, in: jid)
    where earlier.author == .otherDevice && earlier.key(id) < message.message.key(message.id) {
      deliveries.displayWithLater(DeliveryRecord(PresentMessage(id: id, number: id, message: earlier), .displayed))
    }
  }

  /// I have read a message of somebody's, and all before it, on another device.
  private func read(upTo message: PresentMessage, at time: Timestamp?) {
    ReadPositionMove(state: state, storage: storage)
      .move(
        message.message.jid, to: Entry.Place(time: Timestamp(milliseconds: message.message.time), id: message.id),
        at: time, isToPublish: true)
  }
}

extension MessageRecord {
  /// Its position in the conversation.
  fileprivate func key(_ id: UInt64) -> Entry.Key {
    Entry.Key(time: Timestamp(milliseconds: time), id: id, archiveOrder: archiveOrder)
  }
}

extension Timeline {
  /// The row of a message; of one that is not durable the row behind all of its time.
  fileprivate func row(before message: PresentMessage) -> Int {
    let time = Timestamp(milliseconds: message.message.time)
    return row(ofTime: time, id: message.id) ?? firstRow(notBefore: time.advanced(by: .milliseconds(1)))
  }
}
