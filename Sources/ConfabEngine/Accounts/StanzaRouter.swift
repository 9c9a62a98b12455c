import Clocks
import State
import Records
import Settings
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Routes what a logged-in stream receives to the parts of its account, and events of the stream (its start, a
/// resumption, a sync, a deadline, the loss of its link) to those that depend on them. It decides nothing itself.
final class StanzaRouter {
  /// Why a stream ends, decided by what was received.
  enum End {
    /// The server closed the stream in order.
    case closed
    /// It ended it with an error, or broke the rules.
    case failed(StreamFailure)
  }

  private let jid: JID
  private let state: AccountState
  private let effects: Effects
  private let storage: Storage
  let stream: ReliableStream
  let requests: Requests
  let features: ServerFeatures
  let offers: LoginOffers
  let roster: RosterSync
  let presence: PresenceSync
  let receipts: Receipts
  let outbox: OutboxSender
  let inbox: Inbox
  let archive: ArchiveSync
  let keepAlive: KeepAlive
  let chatStates: ChatStates
  let clientState: ClientState
  let blocking: Blocking
  let nodes: PersonalNodes
  let events: PersonalEvents
  let avatars: Avatars
  let avatarPublisher: AvatarPublisher
  let nicknames: Nicknames
  let displayed: DisplayedSync
  let profiles: Profiles
  let uploadDiscovery: UploadDiscovery
  let uploads: Uploads
  let fetches: Fetches
  private let iqs: IQRouter
  /// Whether the parser's budget of names is spent: the stream has to be renewed.
  private(set) var mustRenew = false

  init(
    of jid: JID, _ settings: AccountSettings, _ state: AccountState, _ effects: Effects, _ storage: Storage,
    _ records: RecordReader
  ) {
    (self.jid, self.state, self.effects, self.storage) = (jid, state, effects, storage)
    let progress = ArchiveProgress(state, storage)
    stream = ReliableStream(state, effects, storage)
    requests = Requests(stream, effects)
    features = ServerFeatures(of: jid, requests, stream)
    offers = LoginOffers(state, storage)
    roster = RosterSync(state, stream, requests, offers, effects, storage)
    presence = PresenceSync(stream, roster, effects)
    receipts = Receipts(state, settings, stream, roster, records, effects, storage)
    outbox = OutboxSender(state, settings, stream, receipts, progress, records, effects, storage)
    inbox = Inbox(of: jid, stream, roster, features, progress, receipts, records, effects)
    archive = ArchiveSync(of: jid, settings, progress, requests, features, inbox, outbox, stream, effects)
    keepAlive = KeepAlive(stream, requests, effects)
    chatStates = ChatStates(stream, roster, effects)
    clientState = ClientState(stream)
    blocking = Blocking(requests, features, effects)
    nodes = PersonalNodes(requests)
    events = PersonalEvents(of: jid, roster)
    avatars = Avatars(of: jid.bare, state, roster, requests, nodes, effects, storage)
    avatarPublisher = AvatarPublisher(requests, features, nodes, presence, avatars, effects)
    nicknames = Nicknames(of: jid, stream, features, nodes)
    displayed = DisplayedSync(of: jid, stream, features, nodes, progress, records)
    profiles = Profiles(of: jid, account: state.number, requests, nodes, effects)
    uploadDiscovery = UploadDiscovery(of: jid, requests)
    uploads = Uploads(state, settings, uploadDiscovery, requests, inbox.finder, effects)
    fetches = Fetches(state, uploads, inbox.finder, effects)
    iqs = IQRouter(requests, features, offers, roster, outbox, archive, stream)
    iqs.featuresAreKnown = [
      archive.featuresAreKnown, blocking.featuresAreKnown, avatarPublisher.featuresAreKnown,
      nicknames.featuresAreKnown, displayed.featuresAreKnown, uploads.advance,
    ]
    avatars.ownAvatarChanged = { [weak avatarPublisher] in avatarPublisher?.ownAvatarChanged($0) }
    events.handlers = [
      UserAvatar.metadataNode: avatars.receive(_:of:), Nickname.node: nicknames.receive(_:of:),
      DisplayedSynchronization.node: displayed.receive(_:of:),
    ]
  }

  /// The settings of the account changed.
  func configure(_ settings: AccountSettings) {
    (receipts.settings, outbox.settings, archive.settings) = (settings, settings, settings)
    uploads.settings = settings
  }

  // MARK: - The start of a stream

  /// Sends the first stanzas of a new stream: enables stream management, requests the roster and sends initial presence,
  /// all at once (RFC 6121, 2.2: the roster first). Presence precedes each archive query, even if unacknowledged
  /// messages wait for its answer: Prosody withholds offline messages from a session that has queried the archive
  /// (decision 0057).
  func greet(streamManagement: Bool, rosterVersioning: Bool) {
    stream.reset()
    forgetAnswers()
    receipts.reset()
    outbox.streamBegins()
    offers.reset()
    streamBegins()
    if streamManagement {
      stream.enable()
      stream.awaitAnswer()
    }
    roster.request(versioned: rosterVersioning)
    features.request()
    presence.announce()
  }

  /// Nothing that was requested is answered any more.
  private func forgetAnswers() {
    requests.reset()
    features.reset()
    archive.reset()
    displayed.reset()
    uploadDiscovery.reset()
    roster.trouble = nil
  }

  private func streamBegins() {
    mustRenew = false
    roster.streamBegins()
    archive.progress.streamBegins()
  }

  /// The resource is bound: what is durable may leave.
  ///
  /// - Parameters:
  ///   - setbacks: how many logins in a row were repeated because they were pipelined.
  ///   - sequence: the last record of the earlier stream.
  func begin(_ negotiated: NegotiatedStream, isDirect: Bool, setbacks: UInt8, after sequence: UInt64) {
    bound(negotiated, isDirect)
    inbox.copies.notePendingOfEarlierStream()
    offers.note(negotiated, setbacks: setbacks)
    if stream.mode == .off { stream.recordStart() }
    outbox.resolution = .waiting(after: sequence)
    archive.resolveWhenDurable()
  }

  private func bound(_ negotiated: NegotiatedStream, _ isDirect: Bool) {
    (stream.record.jid, stream.record.isDirect) = (negotiated.jid, isDirect)
    keepAlive.heard()
    inbox.streamBegins()
    uploads.streamBegins()
    clientState.streamBegins(isWanted: negotiated.features.clientState)
  }

  /// The server resumed the stream, and has handled this many of our stanzas. What it has not handled goes again, in
  /// order, under the same ids.
  ///
  /// - Parameters:
  ///   - counters: those of the stream.
  ///   - isRestored: they are from the log: of stanzas that are no messages only the places are known.
  ///   - keepsAnswers: what was requested on the stream is still answered.
  func resume(
    _ negotiated: NegotiatedStream, _ counters: StreamManagement, h: UInt32, isDirect: Bool, isRestored: Bool,
    keepsAnswers: Bool
  ) -> End? {
    guard let log = state.stream else {
      return .failed(.protocolViolation("it resumed an unknown stream"))
    }
    streamBegins()
    if keepsAnswers {
      requests.pending.renew(at: effects.now.instant)
      archive.resume()
    } else {
      forgetAnswers()
    }
    let done: [UInt64]
    let again: [StreamManagement.Stanza]
    do { (done, again) = try stream.resume(counters, h: h, from: log) } catch {
      return .failed(.impossibleAcknowledgement(error))
    }
    bound(negotiated, isDirect)
    if isRestored { receipts.restore(log.unconfirmedReceipts) }
    receipts.resume(h)
    features.resume(keepsArchiveIDs: log.keepsArchiveIDs)
    outbox.streamBegins(acknowledgedUpTo: done.last)
    outbox.acknowledged(done)
    stream.recordResumption()
    outbox.sendAgain(again)
    takeUp(log, h: h, isRestored: isRestored)
    offers.note(negotiated, setbacks: 0)
    offers.answered()
    stream.reportPresences()
    if keepsAnswers { if archive.progress.phase == .unknown { archive.begin() } } else { features.request() }
    return nil
  }

  /// Repeats what was requested and never came, or changed while it could not be sent.
  private func takeUp(_ log: StreamState, h: UInt32, isRestored: Bool) {
    let isLost = log.presencePlace.map { isRestored && $0.isBeyond(h) } ?? true
    // The next record says where our presence stands now. A stanza that takes its old place before that would be taken
    // for it.
    if isLost { stream.holdBack(until: storage.queue.last + 1) }
    if !log.hasRoster, !roster.isPending { roster.requestAgain() }
    if isLost { presence.announce() }
    stream.request()
    if archive.isResolving { return }
    // No message of mine has left on it: whether those of an earlier one arrived was still being asked.
    if outbox.transmittedUpTo == 0, outbox.hasUnresolved { return archive.resolve() }
    outbox.resolved()
  }

  /// Announces us anew, and makes sure that it arrives.
  func announce() {
    presence.announce()
    stream.probe()
  }

  /// The server ends the stream because of a stanza: it may be what a client asked for.
  func refuseRequestsOfClients(_ reason: String) {
    avatarPublisher.linkLost()
    for purpose in requests.pending.takeRequestsOfClients() { iqs.fail(purpose, .refused(reason)) }
  }

  /// The link is lost: no client gets an answer of the server any more.
  func linkLost() {
    outbox.stop()
    // Before what is under way fails.
    avatarPublisher.linkLost()
    for purpose in requests.pending.takeRequestsOfClients() { iqs.fail(purpose, .disconnected) }
    blocking.linkLost()
    nicknames.linkLost()
    uploads.linkLost()
    stream.reportPresences()
    chatStates.reset()
    clientState.linkLost()
  }

  // MARK: - What comes

  /// Handles one item of the stream; returns the reason if it is the last.
  func receive(_ item: consuming StreamItem) -> End? {
    keepAlive.heard()
    switch consume item {
    case .stanza(let element): return receive(element)
    case .answerBegins(let element): roster.begin(element, own: own)
    case .answerPart(let element): roster.receiveItem(element)
    case .answerEnds:
      roster.end()
      stream.handled()
    case .refused(let refused):
      inbox.note(refused)
      if refused.id == requests.pending.rosterID { roster.skipped(refused.reason) }
      iqs.skipped(refused)
      if refused.isStanza { stream.handled() }
    case .namesExhausted: mustRenew = true
    case .end: return .closed
    case .failed(let failure): return .failed(.xml(failure))
    case .header: return .failed(.protocolViolation("a second stream header"))
    }
    return nil
  }

  /// The bound JID.
  private var own: JID { stream.record.jid ?? jid }

  private func receive(_ element: Element) -> End? {
    if let kind = StanzaHeader.kind(of: element) {
      switch kind {
      case .message: route(inbox.decide(element))
      case .presence:
        if let asker = presence.receive(element, own: own) { nicknames.receive(request: element, from: asker) }
        avatars.receive(presence: element, bound: own)
        chatStates.receive(presence: element)
      case .iq:
        iqs.receive(element, own: own)
        displayed.advance()
      }
      stream.handled()
      return nil
    }
    if let management = StreamManagementElement(element) { return receive(management) }
    if StreamError.isStreamError(element) { return .failed(StreamFailure(streamError: element)) }
    return .failed(.protocolViolation("an element that is not a stanza: \(element.local)"))
  }

  private func receive(_ element: StreamManagementElement) -> End? {
    switch stream.receive(element, isAhead: offers.isAhead) {
    case .none: break
    case .started: outbox.pump()
    case .acknowledged(let ids):
      outbox.acknowledged(ids)
      receipts.acknowledged(stream.counters.acknowledgedCount)
    case .failed(let failure): return .failed(failure)
    }
    return nil
  }

  /// Hands a message to the part that it is for.
  private func route(_ message: consuming IncomingMessage) {
    switch consume message {
    case .keep(let message, let way):
      if way == .live { chatStates.received(message) }
      // Before `take`: reading anything of the message behind it would copy all of it.
      let jid = displayed.isMissingMessages ? message.jid : nil
      if inbox.take(message, way) {
        archive.noteLive()
        if let jid { displayed.received(in: jid) }
      } else {
        archive.waitForRoom()
      }
    case .change(let change, let way): take(change, way)
    case .signal(.delivered(let id), let from, let to, _): received.delivered(id, by: from, to: to)
    case .signal(.displayed(let id), let from, let to, let time):
      received.displayed(id, by: from, to: to, archivedAt: time)
    case .signal(.chatState(let state), let from, _, _): chatStates.receive(state, from: from)
    case .result(let result): if let message = archive.receive(result) { route(message) }
    case .failure(let stanzaID, let from, let error): inbox.fail(stanzaID, from: from, error)
    case .event(let event, let from): events.receive(event, from: from)
    case .payload(let payload, let message): inbox.keep(payload, of: message)
    case .ignore(let reason): journal(.debug, .ignored, "ignored a message: \(reason)")
    case .forged(let reason): journal(.warning, .forged, "ignored a forged message: \(reason)")
    }
  }

  private var received: ReceiptsReceived {
    ReceiptsReceived(state: state, storage: storage, records: inbox.records, deliveries: outbox.deliveries)
  }

  private func journal(_ level: LogLevel, _ topic: JournalGate.Topic, _ line: String) {
    effects.journal(level, topic, of: state.record, line)
  }

  // MARK: - Syncs, deadlines, output

  /// A sync came: what depends on it may leave.
  func synced() {
    stream.synced()
    archive.resolveWhenDurable()
    outbox.pump()
    displayed.advance()
    uploads.advance()
  }

  /// The link has handed all it had to the kernel.
  func drained() {
    stream.drained()
    outbox.pump()
  }

  /// The earliest time at which something is due.
  var deadline: Instant? {
    stream.ackReplies.due.orEarlier(stream.ackRequests.repeatDue).orEarlier(archive.retryDue).orEarlier(receipts.due)
      .orEarlier(keepAlive.deadline).orEarlier(chatStates.nextDeadline).orEarlier(uploads.deadline)
  }

  /// Does what is due; returns why the link is dead, if it is.
  func tick() -> String? {
    stream.tick()
    receipts.tick()
    archive.tick()
    chatStates.tick()
    uploads.tick()
    return keepAlive.tick { purpose in
      if archive.awaitsFurther(purpose) { return false }
      iqs.fail(purpose, .timedOut)
      return true
    }
  }

  /// Records what is new of the stream, because a batch of the log is about to be written.
  func recordProgress() {
    receipts.recordDone()
    displayed.recordDone()
    stream.recordProgress()
  }

  /// Takes the bytes to write, behind one `<r/>` or ping for all that was sent.
  func takeOutput() -> [UInt8] {
    if receipts.areMany, stream.mode == .on, stream.isRequestOverdue { stream.request() }
    if let order = stream.ackRequests.takePing() { requests.send(.ping(upTo: order)) { Ping.request(id: $0) } }
    return stream.takeOutput()
  }
}

extension RefusedStanza {
  /// Whether it counts for XEP-0198.
  fileprivate var isStanza: Bool {
    ["message", "presence", "iq"].contains(name) && namespace == Namespace.client.description
  }
}
