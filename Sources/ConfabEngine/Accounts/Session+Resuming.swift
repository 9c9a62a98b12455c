import Clocks
import Facts
import Records
import Settings
import XMPPCore
import XMPPExtensions
import XMPPStream

/// What becomes of what left on a stream that was lost: it goes on, or it is over and there are doubts.
extension Session {
  // MARK: - The stream goes on (XEP-0198, section 5)

  /// The server has handled so many of our stanzas; what it has not had goes again, in order, under the same ids.
  ///
  /// - Parameter isRestored: what is known of our stanzas is what the log says: of those that are no messages nothing is
  ///   left but where they stood.
  func resume(_ stream: NegotiatedStream, h: UInt32, isRestored: Bool) -> End? {
    guard let facts = account.stream else {
      return .failed(.protocolViolation("it resumed a stream that is not known"))
    }
    lastHeard = effects.now.instant
    expectDelayed()
    isHeard = false
    let (done, again): ([UInt64], [StreamManagement.Stanza])
    do { (done, again) = try management.resumed(h: h) } catch { return .failed(.impossibleAcknowledgement(error)) }
    transmittedUpTo = done.last.map(account.outbox.order(of:)) ?? 0
    telling.resumed(h)
    goOn(facts)
    acknowledged(done)
    sayThatItGoesOn()
    sendAgain(again)
    takeUp(facts, h: h, isRestored: isRestored)
    understood(stream)
    for jid in presences.jids { effects.notices.append(.presence(account: account.record.number, jid: jid)) }
    return nil
  }

  /// Whoever left it in order has come back.
  private func sayThatItGoesOn() {
    var record = StreamRecord(account: account.record.number)
    record.ceiling = management.place &+ Self.reach
    storage.append(.stream(record))
  }

  /// All at once, which is no more than there was room for before: whatever had no new place now would keep its old one in
  /// the log, and that is another stanza's.
  private func sendAgain(_ stanzas: [StreamManagement.Stanza]) {
    var messages: [UInt64] = []
    for stanza in stanzas {
      switch stanza {
      case .message(let id, _): messages.append(id)
      case .other(let bytes):
        transmit(messages, upTo: .max)
        messages = []
        send(bytes)
      }
    }
    transmit(messages, upTo: .max)
  }

  /// What was asked for and never came, or changed while nobody could be told.
  private func takeUp(_ facts: StreamFacts, h: UInt32, isRestored: Bool) {
    let isLost = facts.presencePlace.map { isRestored && $0.isBeyond(h) } ?? true
    // The next record says where our presence stands now. What takes its old place before that would be taken for it.
    if isLost { vacatedAfter = storage.queue.last + 1 }
    if !facts.hasRoster, !iqs.isRosterPending { requestRoster() }
    if isLost { sendPresence() }
    request()
    if archive.isSettling { return }
    // Nothing of mine has left on it: whether what left before it arrived was still being asked.
    if transmittedUpTo == 0, hasDoubts { return settleDoubts() }
    doubts = .settled(after: storage.queue.last)
    storage.queue.hurry()
    pumpOutbox()
  }

  /// We leave it in order, to resume it.
  func leave() {
    var record = StreamRecord(account: account.record.number)
    record.leftAt = effects.now.wall.milliseconds
    record.told = Array(telling.sent)
    storage.append(.stream(record))
  }

  /// What goes on, should the link be lost now: what waits for a record that is on its way is on its way, too.
  func suspended() -> StreamManagement {
    for bytes in held.takeAll() { management.place(bytes) }
    return management
  }

  // MARK: - The stream is over

  /// Messages left on an earlier stream, and nobody has said whether they arrived. The archive, where there is one, may
  /// still tell of those that are marked as in doubt.
  var hasDoubts: Bool {
    account.outbox.entries.contains { $0.transmitted && (!$0.inDoubt || account.archive != nil || isDoubtHeld) }
  }

  /// What is in doubt does not go again by itself.
  private var isDoubtHeld: Bool { settings.inDoubt == .hold }

  /// Resolves unacknowledged messages, once the resource is bound and the last stream's end is durable. The archive is
  /// queried before the outbox continues; after its answer `doubtsAreSettled` is called, once. Messages that the
  /// archive has were sent; the others go again, or are in doubt if the archive keeps no messages to that recipient.
  func settleDoubts() {
    guard hasDoubts else { return leaveInDoubt() }
    if let known = archived {
      archive.isSettling = true
      return catchUp(known)
    }
    // It was never fetched so far: first it has to be known whether there is one.
    guard features.unknown.isEmpty else { return }
    guard features.hasArchive else { return leaveInDoubt() }
    archive.isSettling = true
    let first = account.outbox.entries.lazy.filter(\.transmitted).map(\.time).min()
    let start = first?.advanced(by: .milliseconds(-Self.archiveMargin.milliseconds))
    self.start(ArchiveRun(.forward, from: .first, start: start, began: storage.queue.last), .catchingUp)
  }

  /// Doubts wait for the server to say what it can do.
  var areDoubtsWaiting: Bool { doubts == .open && !archive.isSettling }

  /// Judges the messages that the archive lacks, after its last page: by the archive's preferences, unless the archive
  /// has already shown that it keeps such messages.
  func judgeSilence() {
    let isOpen = account.outbox.entries.contains { isUnresolved($0) && !isProvenLost($0) }
    guard isOpen, testimony.ask() else { return finishSettling() }
    let id = iqs.register(.archivePreferences, at: effects.now.instant)
    send(ArchivePreferences.request(to: ownBare, id: id))
  }

  /// Takes the archive's preferences; nil if they are unreadable or late.
  func receivePreferences(_ preferences: ArchivePreferences?) {
    testimony.receive(preferences)
    if archive.isSettling, archive.run == nil { finishSettling() }
  }

  /// Whether the message was sent and it is unknown whether it arrived.
  private func isUnresolved(_ entry: Outbox.Entry) -> Bool {
    entry.transmitted && (!entry.inDoubt || isDoubtHeld) && !arrived.contains(entry.id)
  }

  /// Whether the message is proven lost: the archive was read to its end, would have kept the message, and is the same
  /// archive as when the message was sent.
  func isProvenLost(_ entry: Outbox.Entry) -> Bool {
    entry.id >= archived?.provesSince ?? 0 && testimony.isProofBySilence(about: entry.jid)
  }

  /// Marks unresolved messages as in doubt, because nothing can tell what became of them. Each goes again under the
  /// same ids, or is kept back until the user decides.
  ///
  /// - Parameter isKnown: whether this message is known not to have reached the server.
  func leaveInDoubt(unless isKnown: (Outbox.Entry) -> Bool = { _ in false }) {
    for entry in account.outbox.entries where isUnresolved(entry) && !isKnown(entry) {
      deliveries.advance(
        DeliveryRecord(entry, of: account.record.number, .queued, inDoubt: true, isHeld: isDoubtHeld))
    }
    doubtsAreSettled()
  }

  /// Lets the outbox continue after everything found out is durable, including the last progress of the former stream.
  func doubtsAreSettled() {
    doubts = .settled(after: storage.queue.last)
    storage.queue.hurry()
    pumpOutbox()
  }

  /// The resource is bound: doubts can be settled as soon as the last stream's end is durable.
  func settleDoubtsInTime() {
    guard case .waiting(let after) = doubts, after <= storage.queue.durable else { return }
    doubts = .open
    settleDoubts()
    if features.unknown.isEmpty { beginArchive() }
  }
}
