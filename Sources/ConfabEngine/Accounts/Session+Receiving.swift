import Clocks
import Conversations
import Facts
import Records
import Settings
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// What a logged-in stream receives.
extension Session {
  /// How long the server's `<r/>` may wait for a sync.
  static let answerPatience = Interval.seconds(5)

  /// Why a session ends, decided by what was received.
  enum End {
    /// The server closed the stream in order.
    case closed
    /// It ended it with an error, or broke the rules.
    case failed(StreamFailure)
  }

  /// Handles one item of the stream; returns the reason where it is the last.
  func receive(_ item: consuming StreamItem) -> End? {
    lastHeard = effects.now.instant
    switch consume item {
    case .stanza(let element): return receive(element)
    case .answerBegins(let element): beginRoster(element)
    case .answerPart(let element): receiveRosterItem(element)
    case .answerEnds:
      endRoster()
      handled()
    case .refused(let refused):
      note(refused)
      if refused.id == iqs.rosterID { rosterRefused(refused.reason) }
      if refused.isStanza { handled() }
    case .namesExhausted: mustRenew = true
    case .end: return .closed
    case .failed(let failure): return .failed(.xml(failure))
    case .header: return .failed(.protocolViolation("a second stream header"))
    }
    return nil
  }

  private func receive(_ element: Element) -> End? {
    if let kind = StanzaHeader.kind(of: element) {
      switch kind {
      case .message: receiveMessage(element)
      case .presence: receivePresence(element)
      case .iq: receiveIQ(element)
      }
      handled()
      return nil
    }
    if let management = StreamManagementElement(element) { return receive(management) }
    if StreamError.isStreamError(element) { return .failed(StreamFailure(streamError: element)) }
    return .failed(.protocolViolation("an element that is no stanza: \(element.local)"))
  }

  /// A stanza was not taken: that it came is kept, and counted.
  private func note(_ refused: RefusedStanza) {
    storage.append(
      .refused(
        RefusedRecord(
          account: account.record.number, from: refused.from, stanzaID: refused.id, size: UInt64(refused.bytes),
          reason: refused.reason)))
    journal(
      .warning, .skipped, "skipped a stanza of \(refused.bytes) bytes: \(refused.reason)", jid: refused.from,
      stanzaID: refused.id)
  }

  // MARK: - Stream management (XEP-0198)

  private func receive(_ element: StreamManagementElement) -> End? {
    switch element {
    case .enabled(let id, let maximum, let location) where managementState == .asked:
      found(
        StreamRecord.Beginning(jid: own, id: id, maximumSeconds: maximum, location: location, isDirect: isDirect))
      begin(.on)
    case .failed where managementState == .asked && isAhead:
      return .failed(.notAsExpected("it refuses stream management before the resource is bound"))
    case .failed where managementState == .asked:
      management = StreamManagement()
      found(StreamRecord.Beginning(jid: own.description))
      begin(.off)
    case .request where managementState == .on: answerRequest()
    case .answer(let h) where managementState == .on: return acknowledge(h)
    default: return .failed(.protocolViolation("what it says of stream management makes no sense"))
    }
    return nil
  }

  /// The server said whether it acknowledges: messages may leave now.
  private func begin(_ state: ManagementState) {
    managementState = state
    _ = answered()
    pumpOutbox()
  }

  private func acknowledge(_ h: UInt32) -> End? {
    let last = management.acknowledgedCount
    do {
      acknowledged(try management.acknowledged(h: h))
      noteTold()
    } catch {
      return .failed(.impossibleAcknowledgement(error))
    }
    if h != last || h == management.sentCount { isHeardNow() }
    if answered() { return nil }
    guard management.isAwaited else { return nil }
    // Messages that went out behind the last `<r/>` are asked about at once. A server that is merely not as far as it was
    // asked about has time: no `<r/>` for each of its `<a/>`.
    let isBehind = management.sentCount == asking.askedUpTo
    if isBehind { asking.wantAgain(at: effects.now.instant.advanced(by: Self.requestPause)) } else { request() }
    return nil
  }

  /// What waited for that may leave.
  private func isHeardNow() {
    isHeard = true
    guard silences > 0 else { return }
    silences = 0
    depart()
  }

  // MARK: - Messages and presence

  private func receiveMessage(_ element: Element) {
    take(.decide(element, to: recipient, now: effects.now.wall, senders: &senders))
  }

  /// Whom messages come to.
  var recipient: IncomingMessage.Recipient {
    if let knownRecipient { return knownRecipient }
    let recipient = IncomingMessage.Recipient(
      account: account.record.number, own: own, bare: ownBare, archiveIDs: features.archiveIDs,
      isCounted: managementState == .on)
    knownRecipient = recipient
    return recipient
  }

  /// Does what was decided about a message.
  func take(_ message: consuming IncomingMessage) {
    switch consume message {
    case .keep(let message, let way):
      guard !takeEcho(message, way) else { break }
      let mayHaveWaited = mayHaveWaited(message, way)
      if let known = known(message, way) { return note(message, way, copyOf: known) }
      if isForgotten(message, way) { return }
      keep(placed(mayHaveWaited ? message : message.withoutStamp(effects.now.wall)), way)
    case .confirmation(let confirmation): take(confirmation)
    case .result(let result): receive(result)
    case .failure(let stanzaID, let from, let error): fail(stanzaID, from: from, error)
    case .payload(let payload, let message): keep(payload, of: message)
    case .ignore(let reason): journal(.debug, .ignored, "ignored a message: \(reason)")
    case .forged(let reason): journal(.warning, .forged, "ignored a forged message: \(reason)")
    }
  }

  /// A message that is not known becomes a record.
  func keep(_ message: consuming MessageRecord, _ way: IncomingMessage.Way) {
    if message.owesReceipt, !owesReceipt(message, way) { message.owesReceipt = false }
    if !message.payloads.isEmpty, !message.mine, !isKept(payload: message.payloads, of: message.jid) {
      message.payloads = []
    }
    let id = append(message)
    // A note to self comes as a carbon and as itself, one right after the other, even without an archive.
    if bringsCopies || message.mine && message.isNoteToSelf { underWay.note(KnownMessage(id: id, record: message)) }
    noteLive()
  }

  /// Whether a payload is kept. Of people who are not on the roster only a limited amount is kept, with or without a
  /// text, because no client shows payloads yet and a flood would go unnoticed.
  private func isKept(payload: [UInt8], of jid: String) -> Bool {
    isKnown(jid) || strangers.payloads.take(payload.count, at: effects.now.instant)
  }

  /// Whether a JID is a contact, or our own account.
  private func isKnown(_ jid: String) -> Bool {
    jid == ownBare.description || contact(jid)?.subscription != nil
  }

  private func keep(_ payload: PayloadRecord, of message: Element) {
    let sender = senders.sender(.from, of: message, or: ownBare)
    guard !isKept(payload: payload.xml, of: sender?.bare ?? "") else {
      storage.append(.payload(payload))
      return
    }
    let id = message.attribute(.id)
    note(
      RefusedStanza(
        name: message.local, from: sender?.jid.description, id: id.flatMap { $0.utf8.count > 1_023 ? nil : $0 },
        bytes: message.byteCount, reason: "more payloads of people who are not in the roster than are kept"))
  }

  /// An error came back for a message of mine: it failed, unless it was delivered. Its acknowledgement changes nothing
  /// any more.
  private func fail(_ stanzaID: String, from: JID, _ error: StanzaError) {
    guard let known = refused(stanzaID, by: from) else { return }
    let failure = Failure(condition: error.condition, text: error.text)
    deliveries.advance(DeliveryRecord(known, .failed, failure: failure))
  }

  /// The message of mine that an error refers to. The error comes from the recipient, or from my own server or account,
  /// for any recipient; the stanza id is random and ours.
  private func refused(_ stanzaID: String, by from: JID) -> KnownMessage? {
    if let known = sent(stanzaID, to: from.bare.description) { return known }
    guard from == ownBare || from == ownBare.server else { return nil }
    return account.tokens.ids(.stanzaID, TokenHash.of(stanzaID)).lazy
      .compactMap { [records] id in records.message(id).map { KnownMessage(id: id, record: $0) } }
      .first { $0.record.mine && !$0.record.elsewhere && $0.record.stanzaID == stanzaID }
  }

  private func receivePresence(_ element: Element) {
    guard let presence = Presence(element), let from = presence.from else { return }
    switch presence.kind {
    case .available, .unavailable: receive(presence, from: from)
    case .subscribe where !from.hasSameBare(as: own): noteRequest(from.bare)
    default: break
    }
  }

  /// Stores a presence. Presences could fill the disk, so strangers share one allowance and each contact has its own.
  /// Beyond the allowance a contact's presence is stored without its status; beyond that, as offline.
  private func receive(_ presence: Presence, from: JID) {
    guard var record = PresenceRecord(presence, from: from), isNews(record) else { return }
    guard isKnown(record.jid) else {
      if strangers.presences.take(record.cost, at: effects.now.instant) { note(record) }
      return
    }
    if !contactPresences.take(record.cost, of: record.jid, at: effects.now.instant) {
      record.status = ""
      if !contactPresences.take(record.cost, of: record.jid, at: effects.now.instant) { record.show = nil }
    }
    note(record)
  }

  private func receiveIQ(_ element: Element) {
    guard let header = StanzaHeader(element) else { return }
    if header.type == "result" || header.type == "error" {
      guard let purpose = iqs.take(header, own: own) else { return }
      receiveAnswer(to: purpose, element, succeeded: header.type == "result")
    } else if header.type == "set", let push = RosterPush(element, own: own) {
      receivePush(push, element)
    } else if let answer = Registry.answer(iq: element, context: context(for: header)) {
      send(answer)
    }
  }

  private func receiveAnswer(to purpose: PendingIQs.Purpose, _ element: Element, succeeded: Bool) {
    switch purpose {
    case .roster:
      wasUnderstood()
      if succeeded { receiveRoster(element) } else { rosterTrouble = StanzaError(parsing: element).sentence }
      recorded.owesRoster = true
    case .rosterChange(let ticket, let change):
      let outcome: TicketOutcome =
        succeeded ? .done(append(change)) : .refused(StanzaError(parsing: element).sentence)
      effects.outcomes.append((ticket, outcome))
    case .features(let subject): receiveFeatures(of: subject, succeeded ? DiscoInfo(element) : nil)
    case .carbons: if succeeded { features.hasCarbons = true }
    case .archive(let token): receiveArchiveEnd(element, succeeded: succeeded, token: token)
    case .archivePreferences: receivePreferences(succeeded ? ArchivePreferences(element) : nil)
    case .ping(let id):
      asking.pingAnswered()
      acknowledged(account.outbox.entries.filter { $0.order <= id && $0.transmitted }.map(\.id))
    }
  }

  /// Who asks, and what there is to tell (XEP-0030, 0092, 0202).
  private func context(for header: StanzaHeader) -> ExtensionContext {
    var context = capabilitiesContext
    context.now = effects.now.wall
    context.utcOffsetSeconds = effects.utcOffset(effects.now.wall)
    if header.hasBadFrom { return context }
    context.asker = ExtensionContext.Asker(sender: header.fromJID, own: own) { jid in
      account.contacts[jid.description]?.seesPresence == true
    }
    return context
  }

  /// What our capabilities are made of; it answers nobody.
  var capabilitiesContext: ExtensionContext {
    ExtensionContext(softwareVersion: ConfabVersion.text, now: since.wall, asker: .stranger)
  }
}

extension StanzaError {
  /// In words, for the person who asked.
  var sentence: String { "the server says \(condition)" + (text.map { ": \($0)" } ?? "") }
}

extension RefusedStanza {
  /// It counts for XEP-0198.
  fileprivate var isStanza: Bool {
    ["message", "presence", "iq"].contains(name) && namespace == Namespace.client.description
  }
}
