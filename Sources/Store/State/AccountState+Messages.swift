import Clocks
import Timelines
import Records

// Messages: they are sent, come, get further, and are changed. The record of a change has all of the message as it
// stands since, so applying it is to let the message's entry lead there
// (docs/decisions/0075-changed-messages-are-written-whole.md).
extension AccountState {
  func apply(_ message: MessageRecord, id: UInt64, location: UInt64) -> State.Change {
    if let step = message.step { secrets.apply(step, id: id, devices) }
    if message.isFromHere {
      queue(message, id: id, location: location)
      messageIDs.noteSending(message, id: id)
    }
    return apply(.of(any: message), id: id, location: location)
  }

  func apply(_ message: MessageSummary, id: UInt64, location: UInt64) -> State.Change {
    let conversation = conversations.conversation(with: message.jid)
    if message.isCounted { countOne() }
    if message.owesReceipt { pendingReceipts.append(.init(sequence: id, id: id, jid: message.jid)) }
    messageIDs.note(message, id: id)
    if let hash = message.waitsFor { waiting.insert(id, hash, in: message.jid) }
    forgotten.noteNewer(message.jid)
    var entry = Entry(
      time: message.time, id: id, location: location, archiveOrder: message.archiveOrder, flags: message.flags)
    if entry.flags.contains(.archived), !message.isNews, !isArchiveFilled(message.jid) { entry.flags.insert(.history) }
    if entry.flags.state == .sent, conversation.isDisplayed(upTo: entry.key) { entry.flags.state = .displayed }
    if message.flags.contains(.mine) { contacts.writtenTo.insert(message.jid) }
    return .message(conversation, conversations.change(conversation) { conversation.insert(entry) })
  }

  /// Puts a message in the outbox, or what changes one.
  private func queue(_ message: MessageRecord, changing target: UInt64? = nil, id: UInt64, location: UInt64) {
    let time = Timestamp(milliseconds: message.time)
    var entry = Outbox.Entry(
      id: id, location: location, jid: message.jid, time: time, transmitted: message.transmitted)
    (entry.target, entry.share) = (target, QueueShare(message))
    entry.expires = message.expires.map { Timestamp(milliseconds: $0) }
    if target == nil {
      entry.heldUntil = message.heldUntil.map { Timestamp(milliseconds: $0) }
      entry.fileCount = message.details?.attachments.count { $0.url.isEmpty } ?? 0
    }
    (entry.isOfRoom, entry.awaitsKeys) = (message.isOfRoom, message.details?.seal?.isWaiting == true)
    let isHeld =
      entry.heldUntil != nil || entry.fileCount > 0 || entry.awaitsKeys || entry.awaitsRoom && !message.transmitted
    outbox.insert(entry, at: isHeld ? .held : .order)
    if let place = message.place { self.place(id, at: place) }
  }

  func apply(_ transmission: TransmissionRecord) {
    var place = transmission.place
    for id in transmission.ids {
      outbox.update(id) { $0.transmitted = true }
      if let at = place { self.place(id, at: at) }
      place = place.map { $0 &+ 1 }
    }
  }

  func apply(_ delivery: DeliveryRecord) -> State.Change {
    guard let delivery = whole(delivery), let conversation = conversations[delivery.jid] else { return .other }
    var resection: Timeline.Resection?
    if delivery.target == nil {
      let place = Conversation.Place(time: Timestamp(milliseconds: delivery.time), id: delivery.id)
      let wasMadeUp = failures[delivery.id] == .madeUp
      let isNews = conversations.change(conversation) {
        conversation.advance(to: delivery.state, inDoubt: delivery.inDoubt, at: place, overFailure: wasMadeUp)
      }
      guard isNews || forgotten.hides(delivery.id, of: delivery.jid) else { return .other }
      if isNews, let time = delivery.standsAt.map({ Timestamp(milliseconds: $0) }) {
        resection = conversations.change(conversation) { conversation.stand(place, at: time) }
      }
    }
    applyToOutbox(delivery)
    return .delivery(conversation, delivery, resection)
  }

  /// Completes a delivery record by the outbox; nil if its message is missing there.
  private func whole(_ delivery: DeliveryRecord) -> DeliveryRecord? {
    guard delivery.jid.isEmpty else { return delivery }
    guard let entry = outbox.entry(delivery.id) else { return nil }
    var delivery = delivery
    (delivery.jid, delivery.time, delivery.target) = (entry.jid, entry.time.milliseconds, entry.target)
    return delivery
  }

  /// Takes out of the outbox what needs to wait no longer.
  private func applyToOutbox(_ delivery: DeliveryRecord) {
    failures[delivery.id] = delivery.failure
    if delivery.inDoubt { outbox.update(delivery.id) { $0.inDoubt = true } }
    if delivery.state == .queued {
      if delivery.isHeld { outbox.hold(delivery.id, awaitingKeys: delivery.awaitsKeys) }
    } else if delivery.state != .sent || outbox.acknowledge(delivery.id) {
      outbox.remove(delivery.id)
    }
  }

  /// A message that waited, or the record of a change, was encrypted and leaves as another record has it. It stands as that
  /// has it, if it was not changed while it waited.
  private func sealed(_ message: MessageRecord, location: UInt64, note: () -> Void) -> State.Change {
    guard let id = message.target else { return .other }
    let before = outbox.entry(id)?.location
    outbox.update(id) { ($0.location, $0.isRewritten, $0.transmitted) = (location, true, true) }
    if let place = message.place { self.place(id, at: place) }
    guard let conversation = conversations[message.jid] else { return .other }
    note()
    let place = Conversation.Place(time: Timestamp(milliseconds: message.time), id: id)
    let row = conversation.timeline.row(ofTime: place.time, id: id)
    if row.map({ conversation.timeline[$0].location }) == before {
      conversations.change(conversation) { _ = conversation.move(place, to: location, isRetracted: false) }
    }
    return .other
  }

  // MARK: - Changes

  /// - Parameter note: takes note of the record's place if there is such a conversation.
  func applyChange(_ message: MessageRecord, id: UInt64, location: UInt64, note: () -> Void) -> State.Change {
    if let step = message.step { secrets.apply(step, id: id, devices) }
    if message.isSealed { return sealed(message, location: location, note: note) }
    guard let target = message.target, let change = message.details?.change else { return .other }
    forgotten.noteNewer(message.jid)
    if change.isSent { queue(message, changing: target, id: id, location: location) }
    if message.owesReceipt { pendingReceipts.append(.init(sequence: id, id: id, jid: message.jid)) }
    messageIDs.noteChange(message, change, id: id)
    for record in change.absorbed { waiting.remove(record.record) }
    if change.kind == .files { outbox.uploaded(target, location: location, order: id) }
    let newTime = change.kind == .rescheduled ? message.heldUntil.map { Timestamp(milliseconds: $0) } : nil
    if let newTime, !outbox.reschedule(target, to: newTime, location: location) { return .other }
    guard let conversation = conversations[message.jid] else { return .other }
    note()
    let place = Conversation.Place(time: Timestamp(milliseconds: message.time), id: target)
    return conversations.change(conversation) {
      guard conversation.move(place, to: location, isRetracted: change.retraction != nil) else { return .other }
      // Messages of their own that turned out to replace another one go; one that stands behind them is told of.
      let resection = newTime.flatMap { conversation.stand(place, at: $0) }
      return .changed(conversation, change.absorbed.reduce(resection) { conversation.absorb($1) ?? $0 })
    }
  }
}
