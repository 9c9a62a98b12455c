import Clocks
import Conversations
import Facts
import Records

/// How far the messages of mine are, with what is on its way to the disk about them: no record says again what an earlier
/// one says, or takes it back. Of one account, whatever becomes of its sessions. Confined to the engine's thread.
final class Deliveries {
  let account: AccountFacts
  private let storage: Storage
  /// Messages whose transmission is on its way to the disk, and the record that says so.
  private var leaving: [UInt64: UInt64] = [:]
  private var underWay: [UInt64: (state: DeliveryState, sequence: UInt64)] = [:]

  init(_ account: AccountFacts, _ storage: Storage) { (self.account, self.storage) = (account, storage) }

  /// A message of mine gets further, or fails: the number of the record that says so; nil where it is as far already, or
  /// will be.
  ///
  /// - Parameter urgently: a front end waits for it.
  @discardableResult
  func advance(_ delivery: DeliveryRecord, urgently: Bool = false) -> UInt64? {
    guard let state = state(of: delivery.id, delivery.jid, delivery.time), state != delivery.state || delivery.inDoubt,
      state.canBecome(delivery.state)
    else { return nil }
    let sequence = urgently ? storage.appendUrgently(.delivery(delivery)) : storage.append(.delivery(delivery))
    underWay[delivery.id] = (delivery.state, sequence)
    return sequence
  }

  /// What is on its way about a message, and the record that says so.
  func underWay(_ id: UInt64) -> (state: DeliveryState, sequence: UInt64)? { underWay[id] }

  /// It is not about to fail or to be taken back.
  func mayLeave(_ id: UInt64) -> Bool { underWay[id].map { $0.state == .queued } ?? true }

  func isLeaving(_ id: UInt64) -> Bool { leaving[id] != nil }

  /// Messages leave when a record is durable.
  func leave(_ ids: [UInt64], with sequence: UInt64) { for id in ids { leaving[id] = sequence } }

  /// A message has not been sent in time, and is not sent any more.
  func expire(_ entry: Outbox.Entry) {
    let doubt = entry.inDoubt || entry.transmitted ? "; an earlier try may have arrived" : ""
    let failure = Failure(condition: "expired", text: "it was not sent in time" + doubt)
    advance(DeliveryRecord(entry, of: account.record.number, .failed, failure: failure))
  }

  /// A sync came.
  func durable(_ sequence: UInt64) {
    if !underWay.isEmpty { underWay = underWay.filter { $0.value.sequence > sequence } }
    if !leaving.isEmpty { leaving = leaving.filter { $0.value > sequence } }
  }

  /// What was on its way was given up.
  func forget() { (underWay, leaving) = ([:], [:]) }

  /// How far a message is, or will be; nil where there is none.
  private func state(of id: UInt64, _ jid: String, _ time: Int64) -> DeliveryState? {
    if let state = underWay[id]?.state { return state }
    // What is in the outbox need not be looked for.
    if account.outbox.entry(id) != nil { return .queued }
    guard let timeline = account.conversations[jid]?.timeline,
      let row = timeline.row(ofTime: Timestamp(milliseconds: time), id: id)
    else { return nil }
    return timeline[row].flags.contains(.mine) ? timeline[row].flags.state : nil
  }
}

extension DeliveryRecord {
  /// About a message of mine.
  init(_ known: KnownMessage, _ state: DeliveryState, failure: Failure? = nil) {
    self.init(
      account: known.record.account, jid: known.record.jid, time: known.record.time, id: known.id, state: state,
      failure: failure)
  }

  /// About a message in the outbox.
  init(
    _ entry: Outbox.Entry, of account: UInt32, _ state: DeliveryState, failure: Failure? = nil, inDoubt: Bool = false,
    isHeld: Bool = false
  ) {
    self.init(
      account: account, jid: entry.jid, time: entry.time.milliseconds, id: entry.id, state: state, failure: failure,
      inDoubt: inDoubt, isHeld: isHeld)
    // The one that nearly every message of mine gets.
    isOfOutbox = state == .sent
  }
}
