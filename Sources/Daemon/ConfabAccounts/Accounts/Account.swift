package import Bytes
package import Clocks
package import Timelines
package import Records
import SASL
package import ConfabConfiguration
package import State
import XML
package import XMPPCore
import XMPPExtensions
import XMPPStream

/// One account: its settings and status, and the parts that connect it (`Connector`), decide what is resumed
/// (`StreamResumption`), begin and lose streams (`StreamLifecycle`) and route what they bring (`StanzaRouter`). It
/// passes events between them; the parts outlive a link.
package final class Account {
  /// How long the server may take to close its side.
  private static let closePatience = Interval.seconds(2)
  /// The time the server may take to close its side if another login follows. ejabberd reads some thousand bytes a
  /// second: it can take seconds until it reads the end of the stream. Until then the earlier session gets the
  /// messages, and the archive has them only later, under earlier ids.
  private static let relayPatience = Interval.seconds(15)

  package private(set) var settings: AccountSettings
  /// The bare JID.
  package let jid: JID
  package let state: AccountState
  let effects: Effects
  let storage: Storage
  let reporter: StatusReporter
  package let parts: AccountParts
  let router: StanzaRouter
  package let lifecycle: StreamLifecycle
  let resumption: StreamResumption
  package let connector: Connector
  package var flow = LinkFlow()
  private var gap: ReceptionGap
  /// The orderly end of the stream; nil while it is not ending.
  var closing: Closing?
  /// The stream that is online, or was last.
  var online: OnlineStream

  package init(
    settings: AccountSettings, jid: JID, state: AccountState, resource: String, _ effects: Effects, _ storage: Storage,
    _ records: RecordReader
  ) {
    (self.settings, self.jid, self.state) = (settings, jid, state)
    (self.effects, self.storage) = (effects, storage)
    online = OnlineStream(since: effects.now.instant)
    reporter = StatusReporter(settings.name, jid, state.number, effects)
    parts = AccountParts(of: jid, settings, state, effects, storage, records)
    router = StanzaRouter(of: jid, parts)
    lifecycle = StreamLifecycle(parts, router)
    resumption = StreamResumption(state, parts.core.stream, reporter, effects)
    resumption.ended = { [rooms = parts.messaging.rooms] in rooms.streamIsOver() }
    connector = Connector(settings, jid, resource: resource, state, resumption, reporter, effects)
    gap = ReceptionGap(state, storage)
    connector.delegate = self
    parts.files.uploadSlots.server = { [unowned self] in reporter.status.server }
  }

  // MARK: - What others ask

  package var number: UInt32 { state.number }
  package var name: String { settings.name }
  package var status: AccountStatus { reporter.status }
  var link: LinkID? { connector.link }
  package var outbox: OutboxSender { parts.messaging.outbox }
  var stream: ReliableStream { parts.core.stream }
  package var settingsChanges: SettingsChanges { SettingsChanges(state: state, storage: storage, effects: effects) }
  package var isOnline: Bool { connector.isOnline }

  /// A room as it will be; nil: none is known at the address.
  package func room(_ jid: JID) -> RoomRecord? {
    parts.messaging.rooms[jid.description].flatMap { $0.record.isUnused ? nil : $0.record }
  }

  /// An occupant of a room that I am in, by the JID in the room.
  package func occupant(_ jid: JID) -> RoomOccupant? {
    jid.resource.flatMap { parts.messaging.rooms[jid.bare.description]?.occupants[$0] }
  }

  /// The resources that the present stream has reported.
  package var presences: PresenceBook { isOnline ? stream.presences : PresenceBook() }

  /// Not connected, and not to be until told so.
  package var isIdle: Bool { if case .idle = connector.phase { true } else { false } }

  /// Nothing is open and nothing is owed.
  package var isQuiet: Bool {
    switch connector.phase {
    case .idle, .waiting: true
    case .resolving, .connecting, .negotiating, .online, .closing: false
    }
  }

  /// The record that moves the read position to a message.
  package func readRecord(upTo message: Entry, in conversation: Conversation) -> ReadRecord {
    var record = ReadRecord(
      account: number, jid: conversation.jid, time: message.time.milliseconds, id: message.id,
      marker: marker(upTo: message.id, in: conversation))
    record.isToPublish = message.id > conversation.furthestRead
    parts.messaging.rooms.isBeingRead(conversation.jid)
    return record
  }

  /// The newest unread message up to a position whose sender asked for a marker (XEP-0333), and may get it; nil: there
  /// is none.
  private func marker(upTo position: UInt64, in conversation: Conversation) -> UInt64? {
    // Before the roster has come, which decides, a marker may be owed.
    let isRosterPending = isOnline ? parts.people.roster.isPending : state.stream?.hasRoster == false
    guard settings.markers == .contacts,
      state.contacts[conversation.jid]?.seesPresence == true || isRosterPending
    else { return nil }
    return conversation.newestMarkable(upTo: position)
  }

  // MARK: - Events

  /// One event of the link.
  package func handle(_ event: LinkEvent) {
    switch event {
    case .drained:
      if isOnline { lifecycle.drained() }
    case .received(let bytes):
      reporter.status.lastHeard = effects.now.wall
      if isOnline { parts.messaging.inbox.heard() }
      flow.received(bytes.count)
      connector.stream?.takeInParts(
        answersTo: isOnline || lifecycle.hasSentInitialStanzas ? parts.core.requests.pending.partedIDs : [])
      connector.handle(event)
    case .resolved, .opened, .secured, .closed: connector.handle(event)
    }
  }

  /// The earliest time at which something is due.
  package var deadline: Instant? {
    outbox.nextDeadline.orEarlier(isOnline ? onlineDeadline : connector.deadline).orEarlier(settingsChanges.deadline)
  }

  private var onlineDeadline: Instant? {
    lifecycle.deadline.orEarlier(closing?.deadline).orEarlier(mayProbeIdleLink ? parts.core.keepAlive.idleDue : nil)
  }

  /// True if an idle link may be probed: no answer can arrive while reading is paused, and a closing link needs none.
  private var mayProbeIdleLink: Bool { !flow.isPaused && closing == nil }

  /// Does what is due.
  package func tick() {
    outbox.expireAndRelease()
    settingsChanges.tick()
    guard isOnline else { return connector.tick() }
    guard let onlineDeadline, onlineDeadline <= effects.now.instant else { return }
    // Nothing can be heard while reading is paused.
    if flow.isPaused { parts.core.keepAlive.restartPatience() }
    guard let reason = lifecycle.tick() else { return }
    resumption.noteSilence()
    connector.tryNext(after: reason)
  }

  /// A sync came: what depended on it may go on.
  package func synced() {
    flow.synced()
    parts.messaging.rooms.followWishes()
    if isOnline { lifecycle.synced() } else { parts.files.uploads.advance() }
    continueClosing()
    if resumption.takeReadiness() { reconnectIfWaiting() }
  }

  /// An event was handled: writes what the stream has to say.
  package func flush() {
    let progress = isOnline ? parts.core.archive : nil
    gap.record(progress, isResumed: stream.isResumed, at: effects.now.wall) { reporter.journal(.warning, $0) }
    continueClosing()
    guard let link, isOnline else { return }
    if router.mustRenew, closing == nil { return close(.connecting, "starting a new connection", leaving: true) }
    reportArchive()
    if mayProbeIdleLink { parts.core.keepAlive.probeIfIdle() }
    let bytes = lifecycle.takeOutput()
    if !bytes.isEmpty { effects.act(.link(link, .write(bytes))) }
    let mustPause = storage.trouble != nil || closing?.isPausing == true
    guard flow.changes(backlog: storage.queue.backlog, unsent: stream.unsentBytes, mustPause: mustPause) else { return }
    effects.act(.link(link, flow.isPaused ? .pause : .resume))
  }

  /// Adds to the reason for being online what a longer fetching is at, as soon as that changes.
  private func reportArchive() {
    let sentence = parts.core.archive.sentence
    guard status.state == .online, let reason = online.takeReason(archive: sentence) else { return }
    reporter.report(.online, reason)
  }

  /// The network changed, or the machine woke. Online, the server is probed, instead of waiting for TCP to give up.
  package func networkChanged() {
    if isOnline { stream.probe() } else if storage.trouble == nil { connector.networkChanged() }
  }

  package func clockSet() {
    outbox.scheduleAll()
    connector.clockSet()
  }

  /// Records were given up: only what is durable counts.
  package func forgetUnstored() {
    resumption.forgetUnstored()
    parts.files.uploads.forgetUnstored()
    parts.messaging.encryption.forgetUnstored()
    parts.messaging.rooms.forgetUnstored()
  }

  /// Nothing can be stored: the link is dropped, and nothing has been taken since then.
  package func lose(_ reason: String, since time: Timestamp) {
    if isOnline { gap.noteSince(time) }
    connector.lose(reason)
  }

  // MARK: - Commands

  /// The user's wish was stored: connect, disconnect, or another presence.
  package func wishChanged(isCommand: Bool) {
    guard isCommand else {
      effects.publish(.connection(account: number))
      if isOnline, closing == nil { lifecycle.announce() }
      return
    }
    if state.wish.connected { start() } else { close(.stopped, "disconnected by command") }
  }

  /// Takes the last interaction of the user (XEP-0319); contacts learn it if the settings say so.
  package func note(_ interaction: Idleness.Interaction) {
    let said = settings.idleTime == .contacts || interaction == .unknown ? interaction : .recent
    if parts.people.presence.take(said), isOnline, closing == nil { lifecycle.announce() }
  }

  /// Connects now, whatever was before.
  package func start() {
    connector.backoff.reset()
    reporter.forgetTroubles()
    (connector.login.resource, connector.login.conflicts) = (connector.login.ownResource, .init())
    outbox.failPoisoned()
    outbox.scheduleAll()
    if closing != nil || isClosed { reporter.report(.connecting, "connecting again") }
    connector.connect()
  }

  private var isClosed: Bool { if case .closing = connector.phase { true } else { false } }

  /// Connects if the account waits for something that is over.
  package func reconnect() {
    outbox.scheduleAll()
    settingsChanges.tick()
    reconnectIfWaiting()
  }

  private func reconnectIfWaiting() { if case .waiting = connector.phase { connector.connect() } }

  /// The pinned login is forgotten: a try that was refused for it begins anew.
  package func unpinned() { if connector.unpinned() { start() } }

  /// Ends the stream and the transfers of an account that was removed from the configuration.
  package func retire() {
    for part in parts.listeners { part.retired() }
    close(.stopped, "no longer in the configuration")
  }

  /// Takes the account's changed settings. An unchanged login keeps its stream. A changed login begins after the
  /// server's ack, and resumes the stream if it asks for the same resource.
  ///
  /// - Parameter resource: the resource of this login in the new settings.
  package func reconfigure(_ new: AccountSettings, resource: String) {
    let isSameLogin = settings.hasSameLogin(as: new)
    settings = new
    reporter.name = new.name
    for part in parts.listeners { part.configure(new) }
    connector.settings = new
    if isSameLogin { return }
    connector.changeLogin(resource: resource)
    let bound = (state.stream?.beginning.jid).flatMap { try? JID($0) }
    close(
      .connecting, "the configuration of the account has changed", leaving: bound.map(connector.isWanted) ?? false,
      isAckAwaited: true)
  }

  // MARK: - The orderly end

  /// Ends the stream in order: syncs and acknowledges the stanzas received, waits a limited time for the server's ack
  /// of the stanzas sent, then closes the stream.
  ///
  /// - Parameters:
  ///   - leaving: keeps the stream resumable, if the server allows that.
  ///   - isAckAwaited: waits for the server's ack even if the stream stays resumable, because it may not be resumed.
  package func close(
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
    lifecycle.recordProgress()
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
      lifecycle.recordProgress()
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
    effects.act(.link(link, .write(lifecycle.takeOutput())))
    linkLost()
    if !isLeaving { resumption.end(isOnline: true) }
    let isStopped = status.state == .stopped
    if isLeaving, !isStopped { return connector.forgetLink() }
    connector.awaitClose(isStopped ? Self.closePatience : Self.relayPatience, leaving: isLeaving)
  }
}
