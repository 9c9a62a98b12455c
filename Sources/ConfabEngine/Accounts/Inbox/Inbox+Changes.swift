import Clocks
import Records
import State
import XML
import XMPPExtensions

// Messages that change other ones: corrections, retractions, reactions. A change is composed when it comes, and its record has
// all of the message as it stands from then on. What changes a message that is not here waits for it.
extension Inbox {
  /// Takes a change; returns the one that it is a copy of, or the message as it was kept, or neither.
  @discardableResult
  func take(_ change: IncomingChange, _ way: IncomingMessage.Way) -> (known: KnownMessage?, kept: MessageRecord?) {
    if let sent = sentFromHere(change) { return (sent, nil) }
    if let known = known(change, way) { return (known, nil) }
    let found = finder.named(change.request.target, in: change.message.jid)
    guard !found.isEmpty else { return wait(change, way) }
    guard let target = found.first(where: { $0.mayBeChanged(by: change.message, change.request) }) else {
      return keep(change.message, way)
    }
    if var record = target.changed(by: change.request, in: inOrder(change.message, way, of: target), own: own) {
      record.owesReceipt = change.message.owesReceipt && owesReceipt(change.message, way)
      append(change: record)
    }
    return keepRemainder(of: change, way)
  }

  /// A reaction of mine was refused: those before it hold again (XEP-0444, section 4), unless there is a later one.
  func takeBackReaction(_ refused: KnownMessage) {
    guard let change = refused.record.details?.change, change.kind == .reaction, let target = refused.record.target,
      let present = finder.present(target, refused.record),
      let mine = present.message.details?.change?.reactions.first(where: \.isMine), mine.time == change.time
    else { return }
    let before = records.changed(change.previous)?.details?.change?.reactions.first(where: \.isMine)?.emoji ?? []
    var message = refused.record
    (message.mine, message.stanzaID, message.time) = (true, nil, effects.now.wall.milliseconds)
    let request = ChangeRequest(.reactions(before), of: "")
    if let record = present.changed(by: request, in: message, own: own) { append(change: record) }
  }

  private var own: String { state.record.jid }

  /// A change with its time: the server sends changes in their order, whatever our clock says of the one before. Out of the
  /// archive that holds for what came before this stream, if the times are about the same.
  private func inOrder(
    _ message: MessageRecord, _ way: IncomingMessage.Way, of target: PresentMessage
  ) -> MessageRecord {
    let last = target.lastChange(isMine: message.mine)
    let isLive = way != .archive && !message.delayed
    guard isLive || mayFollow(message, target, last) else { return message }
    var message = message
    message.time = max(message.time, last)
    return message
  }

  private func mayFollow(_ message: MessageRecord, _ target: PresentMessage, _ last: Int64) -> Bool {
    isNews(.archive) && order.isOfEarlierStream(target.number) && last - message.time <= MessageOrder.delay.milliseconds
  }

  private func sentFromHere(_ change: IncomingChange) -> KnownMessage? {
    guard change.message.mine, let stanzaID = change.message.stanzaID else { return nil }
    return copies.sentChange(stanzaID, to: change.message.jid)
  }

  /// The change that this one is a copy of. A live one is if it says the same: a server sends a stanza again after a crash,
  /// and senders may choose an id again.
  private func known(_ change: IncomingChange, _ way: IncomingMessage.Way) -> KnownMessage? {
    guard let stanzaID = change.message.stanzaID,
      let known = finder.change(stanzaID, in: change.message.jid, isMine: change.message.mine)
    else { return nil }
    let isCopied = way != .live || change.message.delayed
    return isCopied || change.request.kind == .correction && known.record.text == change.message.text ? known : nil
  }

  /// The message that it changes is not here. A correction stands for itself until then.
  private func wait(_ change: IncomingChange, _ way: IncomingMessage.Way) -> (
    known: KnownMessage?, kept: MessageRecord?
  ) {
    if change.request.kind == .correction {
      var message = change.message
      if message.stanzaID != change.request.target {
        var details = message.details ?? MessageDetails()
        details.replaces = change.request.target
        message.details = details
      }
      return keep(message, way)
    }
    let hash = MessageIDHash.ofNamed(change.request.target, in: change.message.jid)
    if let payload = change.payload(waitingFor: hash), payload.archiveID == nil || !copies.has(payload) {
      keep(payload, of: change.element)
    }
    return keepRemainder(of: change, way)
  }

  private func keepRemainder(
    of change: IncomingChange, _ way: IncomingMessage.Way
  ) -> (known: KnownMessage?, kept: MessageRecord?) {
    guard !change.remainder.isEmpty, case .reactions = change.request.kind else { return (nil, nil) }
    var message = change.message
    message.text = change.remainder
    return keep(message, way)
  }

  private func keep(
    _ message: MessageRecord, _ way: IncomingMessage.Way
  ) -> (known: KnownMessage?, kept: MessageRecord?) {
    guard !message.text.isEmpty else { return (nil, nil) }
    if way == .archive { return take(archived: message) }
    return (nil, take(message, way) ? message : nil)
  }

  // MARK: - What waited

  /// Whether anything waits for messages that are not here.
  var hasWaitingChanges: Bool {
    !state.waiting.isEmpty || storage.pending.hasWaitingChanges(of: state.number)
  }

  /// A message came: what waited for it changes it, in the order in which it was sent.
  func applyWaiting(to message: MessageRecord, _ id: UInt64) {
    let hashes = [message.stanzaID, message.originID].compactMap {
      $0.map { MessageIDHash.ofNamed($0, in: message.jid) }
    }
    let numbers = hashes.flatMap {
      state.waiting.records($0) + storage.pending.waitingChanges(of: state.number, $0)
    }
    apply(numbers, to: PresentMessage(id: id, number: id, message: message))
  }

  /// After a start: a message may have become durable, and what waited for it may not have changed it.
  func applyAllWaiting() {
    for hash in state.waiting.awaited {
      for id in state.messageIDs.ids(.copy, hash) {
        guard case .message(let message)? = records.record(id), let present = finder.present(id, message) else {
          continue
        }
        apply(state.waiting.records(hash), to: present)
        break
      }
    }
  }

  private func apply(_ numbers: [UInt64], to message: PresentMessage) {
    let waiting = Set(numbers).sorted().compactMap { waitingChange($0) }.filter {
      message.message.isNamed($0.request.target) && $0.message.jid == message.message.jid && $0.number != message.id
    }
    var present = message
    for change in waiting.sorted(by: { $0.order < $1.order })
    where present.mayBeChanged(by: change.message, change.request) {
      guard var record = present.changed(by: change.request, in: change.message, own: own) else { continue }
      record.details?.change?.absorbed = [.init(record: change.number, time: change.time)]
      record.details?.change?.texts += change.texts
      present = PresentMessage(id: present.id, number: append(change: record), message: record)
    }
  }

  /// A change that waits.
  private struct WaitingChange {
    let number: UInt64
    let request: ChangeRequest
    let message: MessageRecord
    /// Of one that stands for itself.
    let time: Int64?
    /// What stood in that before it was corrected itself.
    let texts: [MessageChange.EarlierText]

    /// By time. Retractions are last: corrections that stand for themselves leave the timeline first.
    var order: (Int, Int64, UInt64) {
      if case .retraction = request.kind { return (1, message.time, number) }
      return (0, message.time, number)
    }
  }

  /// Earlier texts of a correction that stood for itself that are kept.
  private static let mostTexts = 16

  private func waitingChange(_ number: UInt64) -> WaitingChange? {
    switch records.record(number) ?? storage.queue.pendingRecord(number) {
    case .message(let message):
      guard let target = message.details?.replaces else { return nil }
      // It may have been corrected itself.
      let present = finder.present(number, message)?.message ?? message
      return WaitingChange(
        number: number, request: ChangeRequest(.correction, of: target), message: present, time: message.time,
        texts: present.earlierTexts(atMost: Self.mostTexts) { records.changed($0) })
    case .payload(let payload):
      guard let element = UnknownPayloads.parse(payload.xml)?.first,
        case .change(let change, _) = decide(stored: element, at: Timestamp(milliseconds: payload.time))
      else { return nil }
      return WaitingChange(number: number, request: change.request, message: change.message, time: nil, texts: [])
    default: return nil
    }
  }

  @discardableResult
  fileprivate func append(change record: MessageRecord) -> UInt64 { storage.append(.change(record)) }
}

extension StanzaRouter {
  /// Takes a change that did not come out of the archive. A correction ends the typing, as a message does.
  func take(_ change: IncomingChange, _ way: IncomingMessage.Way) {
    if way == .live, change.request.kind == .correction { chatStates.received(change.message) }
    inbox.take(change, way)
    archive.noteLive()
  }
}
