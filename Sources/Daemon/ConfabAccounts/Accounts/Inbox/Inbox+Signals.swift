import Clocks
import Records
import State
import XMPPCore
import XMPPExtensions

// Receipts, markers and errors: each refers to a message, which gets further by it, or is waited for.
extension Inbox {
  /// References that wait for one message.
  private static let mostOfOne = 16

  /// Takes what a stanza says of other messages. Account, sender and id decide which ones, not the way in.
  func take(_ signals: IncomingSignals) {
    for signal in signals.all {
      if let author = signals.author {
        decider.room?.take(signal, by: author, in: signals)
      } else {
        take(signal, in: signals)
      }
    }
  }

  private func take(_ signal: MessageSignal, in signals: IncomingSignals) {
    if signal.isOfPart, let id = signal.referredID.flatMap(PartID.message), deduplicator.sent(id, to: nil) != nil {
      return
    }
    let reference = Reference(signal, from: signals.from, to: signals.to, own: decider.own.description) {
      state.rooms[$0] != nil
    }
    if let referred = reference.flatMap(finder.message) ?? spelledOtherwise(signal, by: signals.from) {
      return received.apply(signal, to: referred, at: signals.time)
    }
    if case .failed(let id, let error) = signal {
      if let known = refused(id, by: signals.from) { return received.fail(known, error) }
      // An error for this device is about something that it sent, and keeps nothing of, as a receipt.
      if signals.to == nil { return }
    }
    if let reference { wait(signal, for: reference, in: signals) }
  }

  /// A message of mine, sent from here, in a conversation that has the sender's address in another spelling than its
  /// server.
  private func spelledOtherwise(_ signal: MessageSignal, by from: JID) -> ReferredMessage? {
    guard let id = signal.referredID, let known = deduplicator.sent(id, to: nil),
      known.record.kind == .person, (try? JID(known.record.jid))?.isSpelling(of: from) == true
    else { return nil }
    return finder.message(of: Reference(known.record.jid, .thisDevice, id))
  }

  /// A message of mine, for whomever, that was sent from here, and which my own server or account says came back: its
  /// id is random and ours.
  private func refused(_ id: String, by from: JID) -> KnownMessage? {
    guard from == decider.own || from == decider.own.server else { return nil }
    return deduplicator.sent(id, to: nil) ?? PartID.message(of: id).flatMap { deduplicator.sent($0, to: nil) }
  }

  /// Keeps a signal until its message comes, unless that was forgotten, or too many wait for it.
  private func wait(_ signal: MessageSignal, for reference: Reference, in signals: IncomingSignals) {
    guard !finder.hasAny(reference),
      awaited.waiting(for: reference.id, in: reference.conversation).count < Self.mostOfOne
    else { return }
    var payload = PayloadRecord(
      account: state.number, time: (signals.time ?? effects.now.wall).milliseconds,
      xml: signal.stanza(from: signals.from, to: signals.to), archiveID: signals.archiveID)
    (payload.waitsFor, payload.conversation) = (reference.hash, reference.conversation)
    guard signals.time == nil || !forgotten.has(payload), !deduplicator.has(payload),
      limits.allow(payload.xml, of: signals.from.bare.description)
    else { return }
    storage.append(.payload(payload))
  }
}

extension MessageSignal {
  /// True if it says of a part of a message that it has arrived, which says nothing of the others: the last one does.
  fileprivate var isOfPart: Bool {
    switch self {
    case .delivered(let id), .displayed(let id): PartID.message(of: id) != nil
    case .failed, .chatState: false
    }
  }
}
