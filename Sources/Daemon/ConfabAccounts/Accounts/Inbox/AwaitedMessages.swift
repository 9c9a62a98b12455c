import Clocks
import Records
import State
import XML
import XMPPCore
import XMPPExtensions

/// The messages that references wait for, because those came first: each is changed, delivered, displayed or failed
/// once it is here.
struct AwaitedMessages {
  private let finder: MessageFinder
  private let decider: MessageDecider
  private let received: SignalsReceived

  init(_ finder: MessageFinder, _ decider: MessageDecider, _ received: SignalsReceived) {
    (self.finder, self.decider, self.received) = (finder, decider, received)
  }

  private var state: AccountState { finder.state }
  private var storage: Storage { finder.storage }

  /// True if anything waits for messages that are not stored.
  var isAny: Bool {
    !state.waiting.isEmpty || storage.pending.hasWaitingReferences(of: state.number)
  }

  /// A message came: what waited for it changes it, in the order in which it was sent.
  func arrived(_ message: MessageRecord, _ id: UInt64) {
    var waiting = waiting(for: message.stanzaID, in: message.jid) + waiting(for: message.originID, in: message.jid)
    // In a room reactions and the like name the id that the room gave the message.
    if message.isOfRoom { waiting += self.waiting(for: message.archiveID, in: message.jid) }
    let isCorrection = message.details?.replaces != nil
    guard !waiting.isEmpty || isCorrection else { return }
    let present = apply(waiting, to: PresentMessage(id: id, number: id, message: message))
    if let target = message.details?.replaces {
      apply(self.waiting(for: target, in: message.jid), toStandIn: present, for: target)
    }
    applySignals(waiting)
  }

  /// A correction of a message that is here came: signals may name the message by its id.
  func corrected(by stanzaID: String?, in jid: String) { applySignals(waiting(for: stanzaID, in: jid)) }

  /// The records that wait for the message with an id.
  func waiting(for id: String?, in jid: String) -> [UInt64] {
    guard let id else { return [] }
    let hash = MessageIDHash.ofNamed(id, in: jid)
    return state.waiting.records(hash) + storage.pending.waitingReferences(of: state.number, hash)
  }

  /// After a start: a message may have become durable, and what waited for it may not have changed it.
  ///
  /// - Parameter ofRoom: what is awaited in a room, by its JID, which alone can tell who says something there.
  func applyAll(ofRoom: (String) -> AwaitedMessages?) {
    for hash in state.waiting.awaited {
      let numbers = state.waiting.records(hash)
      let room = state.rooms.byJID.isEmpty ? nil : conversation(of: numbers).flatMap(ofRoom)
      (room ?? self).apply(numbers, awaiting: hash)
    }
  }

  private func conversation(of numbers: [UInt64]) -> String? {
    switch numbers.first.flatMap(finder.records.record) {
    case .payload(let payload): payload.conversation
    case .message(let message): message.jid
    default: nil
    }
  }

  private func apply(_ numbers: [UInt64], awaiting hash: UInt64) {
    // A stand-in that waits alone has nothing to be changed by.
    if numbers.count > 1 {
      for (standIn, target) in standIns(numbers) { apply(numbers, toStandIn: standIn, for: target) }
    }
    if let message = present(hash) ?? presentInRoom(numbers) { apply(numbers, to: message) }
    if !state.messageIDs.ids(.copy, hash).isEmpty { applySignals(numbers) }
  }

  /// The message of a room that a waiting change names by the id that the room gave it, if it is here.
  private func presentInRoom(_ numbers: [UInt64]) -> PresentMessage? {
    guard let change = numbers.first.flatMap({ waitingChange($0) }), change.message.isOfRoom else { return nil }
    let reference = Reference(change.request, in: change.message)
    return finder.targets(of: change.request, in: change.message.jid).first { reference.mayBe($0.message) }
  }

  /// Does what waiting signals say of messages that are here now. They wait no more once that is durable, too.
  private func applySignals(_ numbers: [UInt64]) {
    let found = Set(numbers).sorted().filter { applySignals($0) }
    if !found.isEmpty { storage.append(.referencesFound(ReferencesFoundRecord(account: state.number, records: found))) }
  }

  /// False if it waits for another message, or is no signal.
  private func applySignals(_ number: UInt64) -> Bool {
    guard case .payload(let payload)? = finder.records.recordOrPending(number),
      let element = UnknownPayloads.parse(payload.xml)?.first,
      case .signals(let signals) = decider.decide(stored: element, at: Timestamp(milliseconds: payload.time)),
      let signal = signals.all.first,
      let reference = Reference(
        signal, from: signals.from, to: signals.to, own: decider.own.description, isRoom: { state.rooms[$0] != nil }),
      let referred = finder.message(of: reference)
    else { return false }
    received.apply(signal, to: referred, at: Timestamp(milliseconds: payload.time))
    return true
  }

  /// The message that is awaited by a hash, if it is here.
  private func present(_ hash: UInt64) -> PresentMessage? {
    state.messageIDs.ids(.copy, hash).lazy.compactMap { id in
      guard case .message(let message)? = finder.records.record(id) else { return nil }
      return finder.present(id, message)
    }.first
  }

  /// The corrections among these records, which stand for a message that is not here.
  private func standIns(_ numbers: [UInt64]) -> [(message: PresentMessage, target: String)] {
    numbers.compactMap { number in
      guard case .message(let message)? = finder.records.record(number), let target = message.details?.replaces else {
        return nil
      }
      return finder.present(number, message).map { ($0, target) }
    }
  }

  /// Applies waiting changes to their message, which is returned as it stands then.
  @discardableResult
  private func apply(_ numbers: [UInt64], to message: PresentMessage) -> PresentMessage {
    let waiting = Set(numbers).sorted().compactMap { waitingChange($0) }.filter {
      message.message.isMeant(by: $0.request) && $0.message.jid == message.message.jid && $0.number != message.id
    }
    var present = message
    for change in waiting.sorted(by: { $0.order < $1.order })
    where Reference(change.request, in: change.message).mayBe(present.message) {
      guard var record = present.changed(by: change.request, in: change.message, own: state.record.jid) else {
        continue
      }
      record.details?.change?.absorbed = [.init(record: change.number, time: change.time)]
      record.details?.change?.texts += change.texts
      present = PresentMessage(id: present.id, number: storage.append(.change(record)), message: record)
      for reactions in change.reactions { present = take(reactions, in: change.message, of: present) }
    }
    return present
  }

  /// Applies waiting reactions and retractions to a stand-in; they still wait for the message.
  private func apply(_ numbers: [UInt64], toStandIn standIn: PresentMessage, for target: String) {
    let changes = Set(numbers).sorted().compactMap { waitingChange($0) }.filter {
      $0.time == nil && $0.request.target == target && $0.message.jid == standIn.message.jid
    }
    var present = standIn
    for change in changes.sorted(by: { $0.order < $1.order })
    where Reference(change.request, in: change.message).mayBe(present.message) {
      var message = change.message
      // It is known by the stanza.
      (message.stanzaID, message.archiveID) = (nil, nil)
      guard let record = present.changed(by: change.request, in: message, own: state.record.jid) else { continue }
      present = PresentMessage(id: present.id, number: storage.append(.change(record)), message: record)
    }
  }

  /// Reactions to what stood for a message are reactions to that.
  private func take(
    _ reactions: MessageChange.Reactions, in standIn: MessageRecord, of present: PresentMessage
  ) -> PresentMessage {
    var message = standIn
    (message.author, message.time, message.depth) = (reactions.author, reactions.time, reactions.depth)
    (message.stanzaID, message.archiveID) = (nil, nil)
    let request = ChangeRequest(.reactions(reactions.emoji), of: "")
    guard let record = present.changed(by: request, in: message, own: state.record.jid) else { return present }
    return PresentMessage(id: present.id, number: storage.append(.change(record)), message: record)
  }

  /// A change that waits.
  private struct WaitingChange {
    let number: UInt64
    let request: ChangeRequest
    let message: MessageRecord
    /// The time of a message that stands for itself.
    let time: Int64?
    /// Texts that stood in that before it was corrected itself.
    let texts: [MessageChange.EarlierText]
    /// Reactions to what stands for itself.
    var reactions: [MessageChange.Reactions] = []

    /// By place. Retractions are last: corrections that stand for themselves, retracted or not, leave the timeline
    /// first.
    var order: (Int, ChangePlace, UInt64) {
      switch request.kind {
      case .retraction, .moderation: return (time == nil ? 2 : 1, message.changePlace, number)
      case .correction, .reactions: return (0, message.changePlace, number)
      }
    }
  }

  /// Earlier texts of a correction that stood for itself that are kept.
  private static let mostTexts = 16

  private func waitingChange(_ number: UInt64) -> WaitingChange? {
    switch finder.records.recordOrPending(number) {
    case .message(let message):
      guard let target = message.details?.replaces else { return nil }
      // It may have been corrected or retracted itself.
      let present = finder.present(number, message)?.message ?? message
      let retraction = present.details?.change?.retraction
      let kind = retraction.map { ChangeRequest.Kind.retraction(reason: $0.reason) } ?? .correction
      return WaitingChange(
        number: number, request: ChangeRequest(kind, of: target), message: present, time: message.time,
        texts: present.earlierTexts(atMost: Self.mostTexts) { finder.written($0) },
        reactions: present.details?.change?.reactions ?? [])
    case .payload(let payload):
      guard let element = UnknownPayloads.parse(payload.xml)?.first,
        case .change(var change, _) = decider.decide(stored: element, at: Timestamp(milliseconds: payload.time))
      else { return nil }
      change.message.depth = payload.depth
      return WaitingChange(number: number, request: change.request, message: change.message, time: nil, texts: [])
    default: return nil
    }
  }
}

extension MessageRecord {
  /// True if a change may be about it, by its id: its own or, in a room, the room's. A moderator names that alone.
  fileprivate func isMeant(by request: ChangeRequest) -> Bool {
    if isOfRoom, archiveID == request.target { return true }
    if case .moderation = request.kind { return false }
    return isNamed(request.target)
  }
}
