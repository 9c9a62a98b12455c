import Clocks
package import Records
import State
import XML
package import XMPPCore
import XMPPExtensions

/// One room of an account: carries out what `RoomMachine` decides, and gives it and its parts what the room sends.
package final class Room {
  /// How many other nicks are tried if mine is taken at a reconnect.
  private static let mostNicks = 3
  /// The age at which the answer to disco#info is stale.
  private static let freshness = Interval.hours(24)

  package let jid: JID
  let surroundings: RoomSurroundings
  package internal(set) var machine: RoomMachine
  package private(set) var occupants = Occupants()
  /// The messages from before the join, and how far they are here.
  package let history: RoomArchive
  package let requests: RoomClientRequests
  let outbox: RoomOutbox
  let privateOutbox: PrivateOutbox
  /// People for whom messages are encrypted, in the room or not.
  let affiliates: RoomAffiliates
  private let reception = RoomReception()
  private let senders = OccupantSenders()
  private let infoRequest: RoomInfoRequest
  var occupantNews = OccupantNews()
  var noiseFilter = NoiseFilter()
  /// The last marker of mine, which may not be durable yet.
  var lastMarker: RoomReaderRecord?
  /// The nick that I have, or ask for.
  package private(set) var nick = ""
  private var nicksTried = 0
  /// True until a room that I had not been in, or had left, is joined.
  var isAskedAnew = false
  /// False from a join on until the room has told again what it is.
  private(set) var isInfoFresh = true
  /// Nil once they may be others.
  var keptFacts: RoomFacts?
  /// My id by the word of a room that has not told whether it drops forged ones.
  private var claimedID: String?
  /// Called when the deadline or the state may have changed.
  var changed: () -> Void = {}
  /// Called when the room has forgotten me, or does not answer: others of its service may have, too.
  var doubted: () -> Void = {}
  /// Called when all that was missed is here, as far as it can be had.
  var caughtUp: (Room) -> Void = { _ in }
  /// Actions for requests of the user, each with the number of the request's record.
  var wishes: [(sequence: UInt64, act: (Room) -> Void)] = []
  /// Called when a request waits until its record is durable.
  var wishWaits: () -> Void = {}
  /// Called when the bookmark may have to be published.
  var wishChanged: () -> Void = {}
  /// Called when the user has changed what else the bookmark says.
  var bookmarkChanged: () -> Void = {}

  init(_ jid: JID, _ surroundings: RoomSurroundings) {
    (self.jid, self.surroundings) = (jid, surroundings)
    let (state, storage) = (surroundings.state, surroundings.storage)
    let archive = Archive(of: jid, key: jid.description, state, storage)
    machine = RoomMachine(state.rooms[jid.description] ?? RoomRecord(account: state.number, jid: jid.description))
    let inbox = surroundings.makeInbox(archive, senders)
    history = RoomArchive(archive, surroundings.requests, inbox, surroundings.stream)
    requests = RoomClientRequests(jid, surroundings)
    infoRequest = RoomInfoRequest(jid, surroundings.requests)
    outbox = RoomOutbox(jid.description, surroundings)
    privateOutbox = PrivateOutbox(surroundings)
    affiliates = RoomAffiliates(jid, surroundings.requests, surroundings.effects)
    (senders.room, privateOutbox.room) = (self, self)
    history.sync.route = { [unowned self] in reception.route($0, self) }
    nick = record.usedNick ?? wantedNick
    requests.mine = { [unowned self] in mine }
    affiliates.known = { surroundings.encryption.peopleMayBeKnown(in: jid.description) }
    history.caughtUp = { [unowned self] in
      openIfRead()
      caughtUp(self)
      changed()
    }
  }

  var address: String { jid.description }
  /// True if it is to be joined on the next stream.
  var isWanted: Bool { record.isWanted && record.refusal == nil }
  /// The time of the event that is being handled.
  var time: Timestamp { effects.now.wall }
  var effects: Effects { surroundings.effects }
  var storage: Storage { surroundings.storage }
  var now: Instant { surroundings.now }
  var state: AccountState { surroundings.state }

  // MARK: - What is durable

  /// The newest record of the room, durable or not.
  package var record: RoomRecord {
    storage.pending.room(address, of: state.number) ?? state.rooms[address]
      ?? RoomRecord(account: state.number, jid: address)
  }

  /// Appends the changed record of the room, with `isNews` also an unchanged one; returns the last record's number.
  @discardableResult
  func change(isNews: Bool = false, _ body: (inout RoomRecord) -> Void) -> UInt64 {
    var before = record
    before.asksForVoice = false
    var record = before
    body(&record)
    guard record != before || isNews else { return storage.queue.last }
    keptFacts = nil
    return storage.append(.room(record))
  }

  var wantedNick: String {
    record.nick ?? state.contacts.nicknames[state.record.jid] ?? String(state.record.jid.prefix { $0 != "@" })
  }

  private var info: RoomRecord.Info? { record.info }
  var mine: JID? { try? jid.with(resource: nick) }
  /// True also before its turn to be joined again on a resumed stream, on which the server has me in it.
  var saysHistory: Bool { machine.isUnderway || machine.isQueued && surroundings.stream.isResumed }

  // MARK: - The machine

  func handle(_ event: RoomMachine.Event) {
    keptFacts = nil
    history.inbox.decider.recipientChanged()
    machine.isDescribed = info.map { effects.now.wall - Timestamp(milliseconds: $0.time) < Self.freshness } ?? false
    machine.isTemporary = !isAskedAnew && record.firstJoined != nil && info.map { !$0.has(.persistent) } ?? false
    carryOut(machine.handle(event, at: now))
    changed()
  }

  /// A message or a presence of the room came.
  func heard() { if !machine.noteHeard(at: now) { handle(.heard) } }

  private func carryOut(_ orders: [RoomMachine.Order]) {
    for order in orders {
      switch order {
      case .ask: ask()
      case .join: join()
      case .leave: leave()
      case .ping: ping { [weak self] in self?.pinged($0) }
      case .open:
        surroundings.requests.ask(jid) { [jid] in
          RoomConfiguration.acceptDefaults(jid, id: $0)
        } then: { _ in
        }
      case .report: report()
      }
    }
  }

  private func report() {
    switch machine.state {
    case .refused(let refusal):
      exclude()
      change { $0.exclude(refusal, state: machine.word) }
      if refusal.condition == "gone" { failAll(refusal.text ?? refusal.condition) }
      settle(refusal)
    case .joined:
      isAskedAnew = false
      change(isNews: true) { ($0.refusal, $0.state) = (nil, machine.word) }
      settle(nil)
      forgetRequests()
      if !machine.isDescribed || !isInfoFresh && info?.has(.nonAnonymous) == true { ask() }
      if history.isUnasked { beginHistory() }
      openIfRead()
      privateOutbox.release()
    case .left:
      exclude()
      change { $0.exclude(nil, state: machine.word) }
      settle(RoomRecord.Refusal("left", text: "the room was left"))
    case .waiting(_, let reason):
      exclude()
      if reason != nil { change { $0.state = machine.word } }
    case .unheard:
      outbox.pause()
      change { $0.state = machine.word }
    case .entering: if history.isUnasked { beginHistory() }
    case .asking, .joining: break
    }
  }

  private func failAll(_ text: String) {
    outbox.failAll(text)
    privateOutbox.failAll(text)
  }

  /// The account is not in the room any more.
  private func exclude() {
    occupants.clear()
    affiliates.forget()
    outbox.close()
    forgetRequests()
    surroundings.chatStates.left(address)
  }

  /// Opens the outbox once the room is joined and its archive is fetched.
  private func openIfRead() {
    guard machine.state == .joined, history.isRead else { return }
    change { $0.firstJoined = $0.firstJoined ?? effects.now.wall.milliseconds }
    outbox.open(provingSince: history.provesSince)
    markRead()
  }

  // MARK: - Orders

  /// Asks the room what it is.
  func ask() { infoRequest.ask { [weak self] in self?.described($0) } }

  private func described(_ outcome: RoomInfoRequest.Outcome) {
    defer { surroundings.encryption.keysMayBeKnown() }
    isInfoFresh = true
    switch outcome {
    case .described(let info):
      take(RoomRecord.Info(info, at: time.milliseconds))
      handle(.found)
      if machine.isJoined, !history.isKept, self.info?.has(.archive) == true { beginHistory() }
    case .hidden: handle(.found)
    case .notThere(let refusal): handle(.notFound(refusal))
    case .failed(let refusal, let isPassing): handle(.rejected(refusal, isPassing: isPassing))
    }
  }

  /// The room may be gone: it is asked before it is joined, so that no join makes it. What it was before still counts,
  /// for a room that was temporary is made anew.
  func doubtInfo() { change { $0.info?.time = 0 } }

  /// Stores what is new of the room, or that it is still so after a day.
  private func take(_ info: RoomRecord.Info) {
    var known = self.info
    known?.time = info.time
    if known != info || !machine.isDescribed { change { $0.info = info } }
    let isVouchedFor = info.has(.occupantIDs)
    occupants.learn(areVouchedFor: isVouchedFor)
    if isVouchedFor, let claimedID { change { $0.occupantID = claimedID } }
    claimedID = nil
  }

  private func join() {
    // On a resumed stream I may be in it, under the nick that I had: with another one the join would be a change of it.
    if nicksTried == 0 { nick = (surroundings.stream.isResumed ? record.usedNick : nil) ?? wantedNick }
    guard let mine else {
      return handle(.rejected(RoomRecord.Refusal("jid-malformed", text: "a room takes no such nick"), isPassing: false))
    }
    occupants.joinBegins()
    isInfoFresh = false
    affiliates.doubt()
    outbox.close()
    let (password, wanted, id) = (record.password, wantedHistory, effects.token(bytes: 12))
    surroundings.stream.send(
      surroundings.presence.inRoom { show, status, payload in
        MultiUserChat.join(mine, password: password, history: wanted, show: show, status: status, id: id, payload)
      })
    beginHistory()
  }

  /// Begins to read what was said before; what the room says from now on comes live.
  private func beginHistory() {
    if info?.has(.archive) == true {
      history.begin(isTrusted: info?.has(.stanzaIDs) == true)
    } else {
      history.rest(isKnown: info != nil)
    }
  }

  private func leave() {
    guard let mine else { return }
    surroundings.stream.send(MultiUserChat.leave(mine, id: effects.token(bytes: 12)))
  }

  // MARK: - Streams

  func streamBegan() {
    machine.forgetStream()
    nicksTried = 0
    outbox.streamBegan()
    history.forgetRun()
    handle(.streamBegan)
  }

  func streamResumed() {
    affiliates.doubt()
    history.resume(isTrusted: info?.has(.stanzaIDs) == true)
    if !machine.isJoined { outbox.earlierProcessSent() }
    handle(.streamResumed)
  }

  /// The lost stream cannot be resumed any more: the server has me in no room.
  func streamIsOver() {
    guard !machine.hasStream else { return }
    machine.forgetStream()
    keptFacts = nil
  }

  func streamLost() {
    requests.linkLost()
    history.linkLost()
    handle(.streamLost)
  }

  /// A sync came: what waits may be released now.
  func synced() {
    outbox.release()
    privateOutbox.release()
  }

  /// A message left for the room.
  func sent(_ id: UInt64) {
    outbox.sent(id)
    changed()
  }

  // MARK: - Presences

  func receive(_ presence: RoomPresence) {
    switch presence.kind {
    case .error(let error, let moved): refused(presence, error, moved)
    case .available: available(presence)
    case .unavailable: unavailable(presence)
    }
  }

  private func refused(_ presence: RoomPresence, _ error: StanzaError, _ moved: JID?) {
    if requests.isRefused(presence.nick, error) { return }
    if error.condition == "conflict", record.firstJoined != nil, nicksTried < Self.mostNicks, machine.state == .joining
    {
      nicksTried += 1
      nick += "_"
      return join()
    }
    nicksTried = 0
    let isPassing = error.isPassing || error.condition == "conflict" && record.firstJoined != nil
    handle(.rejected(RoomRecord.Refusal(error, movedTo: moved), isPassing: isPassing))
  }

  private func available(_ presence: RoomPresence) {
    guard presence.isOccupant, let nick = presence.nick else { return }
    presence.items.forEach(affiliates.note)
    let change = occupants.take(presence, areVouchedFor: info?.has(.occupantIDs)) { [effects] in
      effects.random.number(below: 1 << 48) + 1
    }
    if presence.isOwn { shown(presence, as: nick) } else { heard() }
    if let change { tell(change) }
    // Another device of somebody has the same nick.
    if !presence.isOwn { occupants[nick]?.jid.map(surroundings.encryption.deviceMayBeNew) }
    forgetRequest(after: change)
  }

  /// The room shows me in it, under this nick.
  private func shown(_ presence: RoomPresence, as nick: String) {
    self.nick = nick
    let item = presence.items.first
    let sequence = change {
      $0.use(nick)
      ($0.affiliation, $0.role) = (item?.affiliation?.rawValue, item?.role?.rawValue)
      if $0.info?.has(.occupantIDs) == true { $0.occupantID = presence.occupantID ?? $0.occupantID }
      ($0.invitation, $0.mayBeMade) = (nil, false)
    }
    claimedID = info == nil ? presence.occupantID : nil
    if requests.isShown(nick, after: sequence) { keepNick() }
    if machine.state == .joining {
      for gone in occupants.allNamed() { tell(.left(gone)) }
      endIgnoringThoseGone()
    }
    let isNew = presence.statuses.contains(RoomStatus.created)
    if isNew, record.firstJoined != nil { failAll("the room was created again") }
    handle(.shown(isNew: isNew))
  }

  private func unavailable(_ presence: RoomPresence) {
    guard let nick = presence.nick, let departure = presence.departure else { return }
    if case .nickChange(let new) = departure {
      if let member = occupants.rename(nick, to: new) { tell(.changed(member, was: member), was: nick) }
      if nick == self.nick { self.nick = new }
      nickIsFree(nick, nowOf: new)
      surroundings.chatStates.left(address, nick)
      return forgetRequests()
    }
    presence.items.forEach(affiliates.note)
    let isMine = presence.isOwn || nick == self.nick && presence.destruction != nil
    let change = occupants.take(presence, areVouchedFor: false) { 0 }
    if isMine { return handle(.removed(RoomRecord.Refusal(departure), isPassing: !departure.isFinal)) }
    heard()
    forgetRequest(after: change)
    nickIsFree(nick)
    surroundings.chatStates.left(address, nick)
    if let change { tell(change, departure) }
  }

  /// Takes a message stanza of the room's, or of an occupant's to all; false: it is one for the account.
  func receive(_ message: Element, from sender: SenderCache.Sender) -> Bool {
    reception.receive(message, from: sender, self)
  }
}
