import Clocks
import Timelines
package import State
package import Records

/// Advances the delivery states of an account's messages of mine, durable or pending: no record repeats or takes back
/// what an earlier one says.
package struct Deliveries {
  let account: AccountState
  private let storage: Storage

  init(_ account: AccountState, _ storage: Storage) { (self.account, self.storage) = (account, storage) }

  /// A message of mine gets further, or fails: the number of the record that says so; nil where it is as far already,
  /// or will be.
  ///
  /// - Parameter urgently: a front end waits for it.
  @discardableResult
  package func advance(_ delivery: DeliveryRecord, urgently: Bool = false) -> UInt64? {
    guard let state = state(of: delivery), state != delivery.state || delivery.inDoubt,
      state.canBecome(delivery.state)
    else { return nil }
    return urgently ? storage.appendUrgently(.delivery(delivery)) : storage.append(.delivery(delivery))
  }

  /// A message before one that was displayed is displayed, too, unless it failed, or is about to.
  func displayWithLater(_ delivery: DeliveryRecord) {
    if let state = state(of: delivery), [.sent, .delivered].contains(state) { advance(delivery) }
  }

  /// It is not about to fail or to be taken back.
  package func mayLeave(_ id: UInt64) -> Bool { storage.pending.delivery(of: id).map { $0.state == .queued } ?? true }

  /// A message has not been sent in time, and is not sent any more.
  func expire(_ entry: Outbox.Entry) {
    let doubt = entry.inDoubt || entry.transmitted ? "; an earlier attempt may have arrived" : ""
    let failure = Failure(condition: "expired", text: "the message could not be sent in time" + doubt)
    advance(DeliveryRecord(entry, of: account.number, .failed, failure: failure))
  }

  /// True if the server has the message of this record, as far as durable records tell.
  func hasLeft(_ id: UInt64) -> Bool {
    id <= storage.queue.durable && account.outbox.entry(id) == nil && account.failures[id] == nil
  }

  /// True if the message that a change changes was cancelled, or failed.
  func isGivenUp(_ target: UInt64, in change: Outbox.Entry) -> Bool {
    let delivery = DeliveryRecord(
      account: account.number, jid: change.jid, time: change.time.milliseconds, id: target, state: .sent)
    return [.failed, .cancelled].contains(state(of: delivery))
  }

  /// How far a message is, or will be; nil where there is none. One that is not durable was sent by another device.
  private func state(of delivery: DeliveryRecord) -> DeliveryState? {
    let (id, jid, time) = (delivery.id, delivery.jid, delivery.time)
    if let pending = storage.pending.delivery(of: id) { return pending.state }
    // A message in the outbox needs no look-up in the timeline.
    if let entry = account.outbox.entry(id) { return entry.isOfRoom ? roomState(of: entry) : .queued }
    if delivery.target != nil { return account.failures[id] == nil ? .sent : .failed }
    guard let timeline = account.conversations[jid]?.timeline,
      let row = timeline.row(ofTime: Timestamp(milliseconds: time), id: id)
    else { return id > storage.queue.durable ? .sent : nil }
    return timeline[row].flags.contains(.mine) ? timeline[row].flags.state : nil
  }
}

extension Deliveries {
  /// How far a message in the outbox is, or will be.
  func state(of entry: Outbox.Entry) -> DeliveryState? {
    state(of: DeliveryRecord(entry, of: account.number, .queued))
  }

  /// One to a room is in the outbox until the room has shown it.
  private func roomState(of entry: Outbox.Entry) -> DeliveryState {
    guard account.outbox.unreflected[entry.id] != nil, entry.target == nil,
      let timeline = account.conversations[entry.jid]?.timeline,
      let row = timeline.row(ofTime: entry.time, id: entry.id)
    else { return .queued }
    return timeline[row].flags.state
  }
}

extension DeliveryRecord {
  /// About a message of mine.
  init(_ known: KnownMessage, _ state: DeliveryState, failure: Failure? = nil) {
    self.init(
      account: known.record.account, jid: known.record.jid, time: known.record.time, id: known.id, state: state,
      failure: failure)
    target = known.record.target
  }

  /// About a message as it stands.
  init(_ present: PresentMessage, _ state: DeliveryState, failure: Failure? = nil) {
    let message = present.message
    self.init(
      account: message.account, jid: message.jid, time: message.time, id: present.id, state: state, failure: failure)
  }

  /// About a message in the outbox.
  package init(
    _ entry: Outbox.Entry, of account: UInt32, _ state: DeliveryState, failure: Failure? = nil, inDoubt: Bool = false,
    isHeld: Bool = false
  ) {
    self.init(
      account: account, jid: entry.jid, time: entry.time.milliseconds, id: entry.id, state: state, failure: failure,
      inDoubt: inDoubt, isHeld: isHeld)
    target = entry.target
    // The one that nearly every message of mine gets.
    isOfOutbox = state == .sent
  }
}
