import Clocks
import State
import Records
import SASL
import Settings
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// One account: its settings and status, and the parts that connect it (`Connector`), decide what is resumed
/// (`StreamResumption`) and handle what a stream brings (`StanzaRouter`). It passes events between them; the parts outlive
/// a link.
final class Account {
  /// How long the server may take to close its side.
  private static let closePatience = Interval.seconds(2)
  /// The same, if another login follows. ejabberd reads some thousand bytes a second: it can take seconds until it reads
  /// the end of the stream. Until then the earlier session gets the messages, and the archive has them only later, under
  /// earlier ids.
  private static let relayPatience = Interval.seconds(15)

  private(set) var settings: AccountSettings
  /// The bare JID.
  let jid: JID
  let state: AccountState
  private let effects: Effects
  let storage: Storage
  let reporter: StatusReporter
  let router: StanzaRouter
  let resumption: StreamResumption
  let connector: Connector
  private var flow = LinkFlow()
  private var gap: ReceptionGap
  /// The orderly end of the stream; nil while it is not ending.
  private var closing: Closing?
  /// Whether the first stanzas of a stream are sent, though its resource is not bound yet.
  private var hasGreeted = false
  /// When the present stream began, or was resumed.
  private var onlineSince: Instant
  /// As whom, for `status`, and what was added about the archive.
  private var signedIn = ""
  private var reportedArchive: String?
  /// Whether the server ended the present stream; false if the link was lost.
  private var isEndedByServer = false
  /// Whether the next try waits for the log.
  private var waitsForLog = false

  init(
    settings: AccountSettings, jid: JID, state: AccountState, resource: String, _ effects: Effects, _ storage: Storage,
    _ records: RecordReader
  ) {
    (self.settings, self.jid, self.state) = (settings, jid, state)
    (self.effects, self.storage) = (effects, storage)
    onlineSince = effects.now.instant
    reporter = StatusReporter(settings.name, jid, state.record.number, effects)
    router = StanzaRouter(of: jid, settings, state, effects, storage, records)
    resumption = StreamResumption(state, router.stream, reporter, effects)
    connector = Connector(settings, jid, resource: resource, state, resumption, reporter, effects)
    gap = ReceptionGap(state, storage)
    connector.delegate = self
  }

  // MARK: - What others ask

  var number: UInt32 { state.record.number }
  var name: String { settings.name }
  var status: AccountStatus { reporter.status }
  var link: LinkID? { connector.link }
  var outbox: OutboxSender { router.outbox }
  private var stream: ReliableStream { router.stream }
  var isPaused: Bool { flow.isPaused }
  var isOnline: Bool { connector.isOnline }

  /// The resources that the present stream has reported.
  var presences: PresenceBook { isOnline ? stream.presences : PresenceBook() }

  /// Not connected, and not to be until told so.
  var isIdle: Bool { if case .idle = connector.phase { true } else { false } }

  /// Nothing is open and nothing is owed.
  var isQuiet: Bool {
    switch connector.phase {
    case .idle, .waiting: true
    case .resolving, .connecting, .negotiating, .online, .closing: false
    }
  }

  /// The newest unread message up to a position whose sender asked for a marker (XEP-0333), and may get it; nil: there is
  /// none.
  func marker(upTo place: Conversation.Place, in conversation: Conversation) -> UInt64? {
    // Before the roster has come, which decides, a marker may be owed.
    let isRosterPending = isOnline ? router.roster.isPending : state.stream?.hasRoster == false
    guard settings.markers == .contacts,
      state.contacts[conversation.jid]?.seesPresence == true || isRosterPending
    else { return nil }
    return conversation.newestMarkable(upTo: place)
  }

  // MARK: - Events

  /// One event of the link.
  func handle(_ event: LinkEvent) {
    switch event {
    case .drained:
      if isOnline { router.drained() }
    case .received(let bytes):
      reporter.status.lastHeard = effects.now.wall
      flow.received(bytes.count)
      connector.stream?.takeInParts(answerTo: isOnline || hasGreeted ? router.requests.pending.rosterID : nil)
      connector.handle(event)
    case .resolved, .opened, .secured, .closed: connector.handle(event)
    }
  }

  /// The earliest time at which something is due.
  var deadline: Instant? {
    outbox.nextDeadline.orEarlier(isOnline ? onlineDeadline : connector.deadline)
  }

  private var onlineDeadline: Instant? {
    router.deadline.orEarlier(closing?.deadline).orEarlier(mayProbeIdleLink ? router.keepAlive.idleDue : nil)
  }

  /// Whether an idle link may be probed: no answer can arrive while reading is paused, and a closing link needs none.
  private var mayProbeIdleLink: Bool { !flow.isPaused && closing == nil }

  /// Does what is due.
  func tick() {
    outbox.tick()
    guard isOnline else { return connector.tick() }
    guard let onlineDeadline, onlineDeadline <= effects.now.instant else { return }
    // Nothing can be heard while reading is paused.
    if flow.isPaused { router.keepAlive.restartPatience() }
    guard let reason = router.tick() else { return }
    resumption.noteSilence()
    connector.tryNext(after: reason)
  }

  /// A sync came: what depended on it may go on.
  func synced() {
    flow.synced()
    if isOnline { router.synced() }
    continueClosing()
    guard waitsForLog, resumption.isDurable else { return }
    waitsForLog = false
    reconnectIfWaiting()
  }

  /// An event was handled: writes what the stream has to say.
  func flush() {
    gap.record(isOnline ? router : nil, at: effects.now.wall) { reporter.journal(.warning, $0) }
    continueClosing()
    guard let link, isOnline else { return }
    if router.mustRenew, closing == nil { return close(.connecting, "starting a new connection", leaving: true) }
    reportArchive()
    if mayProbeIdleLink { router.keepAlive.probeIfIdle() }
    let bytes = router.takeOutput()
    if !bytes.isEmpty { effects.act(.link(link, .write(bytes))) }
    let mustPause = storage.trouble != nil || closing?.isPausing == true
    guard flow.changes(backlog: storage.queue.backlog, unsent: stream.unsentBytes, mustPause: mustPause) else { return }
    effects.act(.link(link, flow.isPaused ? .pause : .resume))
  }

  /// Adds to the reason for being online what a longer fetching is at, as soon as that changes.
  private func reportArchive() {
    let sentence = router.archive.progress.sentence
    guard status.state == .online, sentence != reportedArchive else { return }
    reportedArchive = sentence
    reporter.report(.online, signedIn + (sentence.map { "; \($0)" } ?? ""))
  }

  /// The network changed, or the machine woke. Online, the server is probed, instead of waiting for TCP to give up.
  func networkChanged() {
    if isOnline { stream.probe() } else if storage.trouble == nil { connector.networkChanged() }
  }

  func clockSet() {
    outbox.scheduleAll()
    connector.clockSet()
  }

  /// Records were given up: only what is durable counts.
  func forgetUnstored() { resumption.forgetUnstored() }

  /// Nothing can be stored: the link is dropped, and nothing has been taken since then.
  func lose(_ reason: String, since time: Timestamp) {
    if isOnline { gap.noteSince(time) }
    connector.lose(reason)
  }

  // MARK: - Commands

  /// The user's wish was stored: connect, disconnect, or another presence.
  func wishChanged(isCommand: Bool) {
    guard isCommand else {
      if isOnline, closing == nil { router.announce() }
      return
    }
    if state.wish.connected { start() } else { close(.stopped, "disconnected by command") }
  }

  /// Connects now, whatever was before.
  func start() {
    connector.backoff.reset()
    reporter.forgetTroubles()
    (connector.login.resource, connector.login.conflicts) = (connector.login.ownResource, 0)
    outbox.failPoisoned()
    outbox.scheduleAll()
    if closing != nil || isClosed { reporter.report(.connecting, "connecting again") }
    connector.connect()
  }

  private var isClosed: Bool { if case .closing = connector.phase { true } else { false } }

  /// Connects if the account waits for something that is over.
  func reconnect() {
    outbox.scheduleAll()
    reconnectIfWaiting()
  }

  private func reconnectIfWaiting() { if case .waiting = connector.phase { connector.connect() } }

  /// The pinned login is forgotten: a try that was refused for it begins anew.
  func unpinned() { if connector.unpinned() { start() } }

  /// Ends the stream of an account that was removed from the configuration.
  func retire() { close(.stopped, "no longer in the configuration") }

  /// Takes the account's changed settings. An unchanged login keeps its stream. A changed login begins after the
  /// server's ack, and resumes the stream if it asks for the same resource.
  ///
  /// - Parameter resource: the resource of this login in the new settings.
  func reconfigure(_ new: AccountSettings, resource: String) {
    let isSameLogin = settings.hasSameLogin(as: new)
    settings = new
    router.configure(new)
    connector.settings = new
    if isSameLogin { return }
    connector.changeLogin(resource: resource)
    let bound = (state.stream?.beginning.jid).flatMap { try? JID($0) }
    close(
      .connecting, "the configuration of the account has changed", leaving: bound.map(connector.isWanted) ?? false,
      isAckAwaited: true)
  }

  // MARK: - The orderly end

  /// Ends the stream in order: syncs and acknowledges the stanzas received, waits a limited time for the server's ack of
  /// the stanzas sent, then closes the stream.
  ///
  /// - Parameters:
  ///   - leaving: keeps the stream resumable, if the server allows that.
  ///   - isAckAwaited: waits for the server's ack even if the stream stays resumable, because it may not be resumed.
  func close(
    _ state: AccountStatus.State, _ reason: String, leaving: Bool = false, isAckAwaited: Bool = false
  ) {
    reporter.report(state, reason)
    guard isOnline else {
      if isClosed { return }
      if !leaving { resumption.end(isOnline: false) }
      return connector.abandon()
    }
    let isLeaving = leaving && stream.record.isResumable
    outbox.stop()
    router.recordProgress()
    closing = Closing(
      storingUpTo: stream.isComplete && !stream.hasQueuedMessages ? 0 : storage.queue.last, isLeaving: isLeaving,
      awaitsAck: isAckAwaited || !isLeaving)
    storage.queue.hurry()
    continueClosing()
  }

  /// Continues the close after a stanza, a sync or a deadline.
  private func continueClosing() {
    guard isOnline else { return }
    let step = closing?.step(
      isAwaiting: stream.isAwaitingAck, isComplete: stream.isComplete, durable: storage.queue.durable,
      at: effects.now.instant)
    switch step {
    case .wait, nil: break
    // Without stream management, a ping was sent after the messages.
    case .ask: if stream.mode == .on { stream.probe() }
    case .store:
      router.recordProgress()
      closing?.store(upTo: storage.queue.last)
      storage.queue.hurry()
    case .finish: finishClosing()
    }
  }

  /// Ends the stream after its last acks.
  private func finishClosing() {
    guard let link, let isLeaving = closing?.isLeaving else { return }
    if flow.isPaused { effects.act(.link(link, .resume)) }
    stream.close(leaving: isLeaving)
    effects.act(.link(link, .write(router.takeOutput())))
    linkLost()
    if !isLeaving { resumption.end(isOnline: true) }
    let isStopped = status.state == .stopped
    if isLeaving, !isStopped { return connector.forgetLink() }
    connector.awaitClose(isStopped ? Self.closePatience : Self.relayPatience, leaving: isLeaving)
  }
}

// MARK: - Events of the connector

extension Account: ConnectorDelegate {
  var isAhead: Bool { router.offers.isAhead }

  var streamAge: (age: Interval, isResumed: Bool)? {
    isOnline ? (effects.now.instant - onlineSince, stream.isResumed) : nil
  }

  func mayConnect() -> Bool {
    guard state.wish.connected, !storage.isStopping else {
      connector.stop(storage.isStopping ? "the daemon is stopping" : "disconnected by command")
      return false
    }
    guard storage.trouble == nil else {
      connector.wait("nothing can be stored now")
      return false
    }
    guard resumption.isDurable else {
      storage.queue.hurry()
      waitsForLog = true
      connector.waitForLog("storing the last received stanzas")
      return false
    }
    hasGreeted = false
    return true
  }

  func greet(streamManagement: Bool, rosterVersioning: Bool) {
    guard let link else { return }
    router.greet(streamManagement: streamManagement, rosterVersioning: rosterVersioning)
    router.offers.isAhead = true
    hasGreeted = true
    effects.act(.link(link, .write(router.takeOutput())))
  }

  func begin(_ stream: NegotiatedStream) {
    let setbacks = connector.takeSetbacks()
    if !hasGreeted {
      router.greet(
        streamManagement: stream.features.streamManagement, rosterVersioning: stream.features.rosterVersioning)
    }
    let unused = stream.login.leavesBindingUnused ? "; channel binding is not used: \(LoginMethod.unknownBinding)" : ""
    goOnline("logged in as \(stream.jid)\(unused)")
    router.begin(stream, isDirect: connector.isDirect, setbacks: setbacks, after: resumption.after)
  }

  private func goOnline(_ signedIn: String) {
    (hasGreeted, isEndedByServer, reportedArchive) = (false, false, nil)
    onlineSince = effects.now.instant
    self.signedIn = signedIn
    reporter.report(.online, signedIn)
  }

  func resumed(_ stream: NegotiatedStream, h: UInt32) {
    guard state.stream != nil, let counters = resumption.knownCounters else { return refuseUnknownStream() }
    _ = connector.takeSetbacks()
    goOnline("resumed the stream of \(stream.jid)")
    let isRestored = resumption.counters == nil
    // A server that was asked before, and whose answer nobody read, may have gone on without us: ejabberd loses what it
    // had for the stream if it is asked twice at once. What it owed may never come, and the archive has the messages.
    let keepsAnswers = !isRestored && resumption.attempts <= 1
    resumption.succeeded()
    let end = router.resume(
      stream, counters, h: h, isDirect: connector.isDirect, isRestored: isRestored, keepsAnswers: keepsAnswers)
    if let end { ended(end) }
  }

  /// Refuses a resumed stream that the log does not know: the counts of stanzas on either side are unknown.
  private func refuseUnknownStream() {
    let reason = "the server resumed a stream that is not in the log"
    reporter.journal(.error, "\(reason); starting a new one")
    resumption.end(isOnline: false)
    connector.lose(reason)
  }

  /// The server does not resume the stream. If it says how many of our stanzas it had handled, those are settled.
  func notResumed(_ condition: String, h: UInt32?) {
    effects.journal(.info, "account \(name): the stream cannot be resumed (\(condition)); starting a new one")
    var counters = resumption.knownCounters
    let settled = h.flatMap { h in (try? counters?.resumed(h: h))?.acknowledged }
    outbox.acknowledged(settled ?? [])
    if settled != nil, let h {
      if resumption.counters == nil { router.receipts.restore(state.stream?.unconfirmedReceipts ?? []) }
      router.receipts.settle(h)
    }
    resumption.end(handled: settled == nil ? nil : h, isOnline: false)
    storage.queue.hurry()
  }

  func receive(_ item: consuming StreamItem) { if let end = router.receive(item) { ended(end) } }

  /// The stream is over.
  private func ended(_ end: StanzaRouter.End) {
    isEndedByServer = true
    switch end {
    case .closed: connector.tryNext(after: "the server closed the stream")
    case .failed(let failure):
      if case .stream(let error) = failure { suspect(error) }
      answer(failure)
      connector.fail(failure)
    }
  }

  /// Notes the first unacknowledged message when a stream error may be its fault. If the server has acknowledged nothing
  /// since the stream was resumed, that may be what is wrong: then no message is to blame, and the next stream is new.
  private func suspect(_ error: StreamError) {
    guard isOnline, StreamErrorMeaning.of(error.condition).blamesStanza else { return }
    guard stream.isHeard else { return resumption.end(isOnline: true) }
    guard let first = outbox.firstUnacknowledged else { return }
    storage.append(.suspicion(SuspicionRecord(account: number, id: first.id)))
  }

  /// Tells the server why we close, if the mistake is its own (RFC 6120, section 4.9).
  private func answer(_ failure: StreamFailure) {
    guard let link, isOnline, let bytes = failure.answer else { return }
    stream.output += bytes
    resumption.end(isOnline: true)
    effects.act(.link(link, .write(router.takeOutput())))
  }

  func linkLost() {
    let isLeaving = closing?.isLeaving == true
    closing = nil
    guard isOnline else { return }
    flow.linkLost()
    let lasted = effects.now.instant - onlineSince
    connector.backoff.lasted(lasted)
    if lasted >= Backoff.stable { reporter.forgetTroubles() }
    router.linkLost()
    let isResumable = resumption.suspend(router, leaving: isLeaving)
    // A link that comes and goes says nothing about the server, which has kept what there was.
    if isResumable, !isEndedByServer { connector.linkWasCut() }
  }

  func closed() { if status.state != .stopped { connector.connect() } }
}

extension StreamFailure {
  /// The stream error that tells the server its own mistake; nil if it made none.
  fileprivate var answer: [UInt8]? {
    switch self {
    case .xml(let failure): StreamError.closing(failure.streamErrorCondition)
    case .protocolViolation: StreamError.closing("undefined-condition")
    case .impossibleAcknowledgement(let it):
      StreamError.closing(
        "undefined-condition", detail: StreamManagementWriter.tooHigh(h: it.h, sent: it.sent))
    default: nil
    }
  }
}

extension LoginMethod {
  /// Why a login leaves the channel binding unused that the server offers.
  static let unknownBinding = "the server offers no type that this connection supports"
}
