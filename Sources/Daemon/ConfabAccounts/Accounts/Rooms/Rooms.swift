import Clocks
import Records
import State
import XML
package import XMPPCore
import XMPPExtensions
import XMPPStream

/// The rooms of an account (XEP-0045), each of which joins, stays and leaves by itself: which of them a stanza is for, in
/// which order they join, and when one of them has something to do.
package final class Rooms: StreamPart {
  /// Rooms that are joined at once.
  private static let mostUnderway = 20
  /// A room that has been quiet for so long is asked together with another one of its service.
  private static let quiet = Interval.minutes(5)
  /// If a room has forgotten me, others are asked that were not heard for so long.
  private static let doubtPause = Interval.seconds(10)
  /// Rooms that an account may have.
  package static let most = 10_000

  /// Called when all that was missed of a room is here.
  var isRead: (String) -> Void = { _ in }
  private let surroundings: RoomSurroundings
  private let bookmarks: RoomBookmarks
  private var byJID: [String: Room] = [:]
  private var deadlines = Deadlines<String>()
  /// Rooms that are joined when others have been.
  private var queue: ArraySlice<String> = []
  private var isLive = false
  private var underway: Set<String> = []
  private var isJoiningNext = false
  /// The ids of services' pages, by the last room of each.
  private var pageEnds: [JID: String] = [:]
  private static let mostPageEnds = 1_000
  /// Rooms with a request of the user whose record is not durable yet.
  private var wishing: Set<String> = []
  /// Rooms in which my read position moves.
  private var beingRead: Set<String> = []

  init(_ surroundings: RoomSurroundings, _ bookmarks: RoomBookmarks) {
    (self.surroundings, self.bookmarks) = (surroundings, bookmarks)
    bookmarks.room = { [unowned self] in room($0) }
    bookmarks.known = { [unowned self] in known($0) }
    bookmarks.all = { [unowned self] in all }
    // The rooms of the log: the next stream joins those that the user wants.
    for record in state.rooms.byJID.values { if let jid = try? JID(record.jid) { _ = room(jid) } }
  }

  var state: AccountState { surroundings.state }

  package subscript(jid: String) -> Room? { byJID[jid] }

  var isEmpty: Bool { byJID.isEmpty }

  /// The room at an address, if it is known.
  func known(_ jid: JID) -> Room? { byJID[jid.description] }

  package var all: [Room] { byJID.values.sorted { $0.address < $1.address } }

  /// True if an address is mine or a contact's: nobody can make it that of a room.
  package func isOfPerson(_ jid: JID) -> Bool {
    byJID[jid.description] == nil && (jid.description == state.record.jid || state.contacts[jid.description] != nil)
  }

  /// The room at an address, which may be new; nil if there are too many, or if it is the address of no room.
  package func room(_ jid: JID) -> Room? {
    if let known = byJID[jid.description] { return known }
    guard byJID.count < Self.most, jid.local != nil, jid.resource == nil, !isOfPerson(jid) else { return nil }
    let room = Room(jid, surroundings)
    room.changed = { [unowned self, unowned room] in changed(room) }
    room.doubted = { [unowned self, unowned room] in question(besides: room, ifQuietFor: Self.doubtPause) }
    room.caughtUp = { [unowned self] in
      isRead($0.address)
      // The room's ids of what it has shown are durable then.
      isBeingRead($0.address)
    }
    room.wishWaits = { [unowned self, unowned room] in wishing.insert(room.address) }
    room.wishChanged = { [unowned self, unowned room] in bookmarks.changed(room) }
    room.bookmarkChanged = { [unowned self, unowned room] in bookmarks.changed(room) }
    byJID[jid.description] = room
    if isLive { begin(room) }
    return room
  }

  private func changed(_ room: Room) {
    deadlines.set(room.address, at: room.deadline)
    if room.machine.isUnderway { underway.insert(room.address) } else { underway.remove(room.address) }
    joinNext()
  }

  // MARK: - Streams

  func streamBegins(_: NegotiatedStream) {
    isLive = true
    // Rooms where something was said last come first.
    let last = all.map { (room: $0, time: state.conversations[$0.address]?.newestTime?.milliseconds ?? 0) }
    let sorted = last.sorted { $0.time > $1.time }.map(\.room)
    queue = sorted.filter(\.isWanted).map(\.address)[...]
    for room in sorted where !room.isWanted { begin(room) }
    joinNext()
  }

  private func begin(_ room: Room) {
    if surroundings.stream.isResumed { room.streamResumed() } else { room.streamBegan() }
  }

  /// Joins further rooms as long as few are being joined. Each that begins comes back here.
  private func joinNext() {
    guard !isJoiningNext else { return }
    isJoiningNext = true
    defer { isJoiningNext = false }
    while underway.count < Self.mostUnderway, let next = queue.popFirst() { byJID[next].map(begin) }
  }

  /// Records were given up: only what is durable counts.
  func forgetUnstored() { for room in all { room.forgetUnstored() } }

  func linkLost() {
    (queue, isLive) = ([], false)
    for room in all { room.streamLost() }
  }

  /// The lost stream cannot be resumed any more.
  func streamIsOver() { for room in all { room.streamIsOver() } }

  var deadline: Instant? { deadlines.next }

  func tick() {
    while let due = deadlines.takeDue(at: surroundings.now), let room = byJID[due] {
      room.tick()
      // All quiet rooms of the service are asked at once, so that each need not wake the daemon by itself.
      if room.machine.isDoubted { question(besides: room, ifQuietFor: Self.quiet) }
    }
  }

  /// Asks other rooms of a service whether I am in them.
  private func question(besides room: Room, ifQuietFor quiet: Interval) {
    for other in byJID.values where other.jid.domain == room.jid.domain && other !== room && other.machine.isJoined {
      other.handle(.questioned(ifQuietFor: quiet))
    }
  }

  /// The read position of a room is about to move.
  func isBeingRead(_ jid: String) { if byJID[jid] != nil { beingRead.insert(jid) } }

  /// Acts on the requests whose records a sync has made durable.
  func followWishes() {
    for jid in wishing.sorted() where byJID[jid]?.followWishes() != false { wishing.remove(jid) }
  }

  func synced() {
    for jid in beingRead.sorted() where surroundings.storage.pending.read(of: state.number, jid) == nil {
      beingRead.remove(jid)
      byJID[jid]?.markRead()
    }
    guard !state.outbox.held.isEmpty || !state.outbox.unreflected.isEmpty else { return }
    for room in byJID.values where room.machine.isJoined { room.synced() }
  }

  // MARK: - Stanzas

  /// Takes a presence of a room; false: it is none of a room of mine.
  func receive(_ presence: Element) -> Bool {
    guard !byJID.isEmpty, let from = presence.attribute(.from), let room = byJID[Self.bare(from)] else { return false }
    if let presence = RoomPresence(presence) { room.receive(presence) }
    return true
  }

  /// Takes a message of a room, or what somebody says to all in it; false: it is none of a room of mine.
  ///
  /// - Parameter sender: of the message.
  func receive(_ message: Element, from sender: SenderCache.Sender) -> Bool {
    guard let room = byJID[sender.bare] else { return false }
    // Private messages of occupants are other conversations, and invitations are for somebody outside of the room.
    guard sender.jid.isBare || message.attribute(.type, equals: "groupchat") else { return false }
    if sender.jid.isBare, RoomInvitation(message, from: sender.jid) != nil { return false }
    return room.receive(message, from: sender)
  }

  /// Notes who says something to me alone, as the room shows it now.
  func identify(_ message: inout MessageRecord) {
    guard !message.isMine, let from = try? JID(message.peer), let nick = from.resource,
      let room = byJID[from.bare.description], let occupant = room.occupants[nick]
    else { return }
    (message.occupantID, message.occupantPresence) = (occupant.occupantID, occupant.presence)
    message.isIgnored = room.isIgnored(nick)
  }

  /// The conversation that a private chat state from or to an address is about; nil: none, as of a room itself, or of
  /// somebody in it who is ignored.
  func conversation(withPeer jid: JID) -> String? {
    guard let room = byJID[jid.bare.description] else { return jid.bare.description }
    guard let nick = jid.resource, !room.isIgnored(nick) else { return nil }
    return jid.description
  }

  /// True if a message of mine may leave, as far as it is for a room, or for an occupant of one.
  func isOpen(for message: MessageRecord) -> Bool {
    switch message.kind {
    case .person: true
    case .room: byJID[message.jid]?.outbox.isOpen == true
    case .occupant: byJID[Self.bare(message.jid)]?.privateOutbox.isOpen(for: message) == true
    }
  }

  /// True while the archive of one is read.
  var areCatchingUp: Bool { byJID.values.contains { $0.history.archive.run != nil } }

  /// True of a room for members only who are shown to each other, or that has not told yet what it is; nil: it is none.
  func isPrivate(_ jid: String) -> Bool? {
    byJID[jid].map { $0.record.info.map { $0.has(.membersOnly) && $0.has(.nonAnonymous) } ?? true }
  }

  /// Keeps back a private message that did not arrive, until the room has said who is there now; false: it is none.
  func keepBack(_ entry: Outbox.Entry) -> Bool {
    guard entry.isInPrivate else { return false }
    surroundings.outbox.deliveries.advance(DeliveryRecord(entry, of: state.number, .queued, isHeld: true))
    return true
  }

  // MARK: - Rooms that I am not in

  /// Asks a service for its rooms.
  ///
  /// - Parameter last: the room behind which the page begins; nil: the first page.
  package func list(at service: JID, behind last: JID?, limit: Int, for ticket: Ticket) {
    let page = last.map { ResultSet.Page.after(pageEnds[$0] ?? $0.local ?? $0.description) } ?? .first
    ask(service, for: ticket) {
      RoomListing.request(at: service, page, max: limit, id: $0)
    } reading: { [weak self] iq in
      guard var listing = RoomListing(iq) else { return .refused("the service lists no rooms") }
      guard listing.cut(behind: last, limit: limit) else { return .refused("the service does not list that room") }
      self?.note(listing)
      return .rooms(listing)
    }
  }

  /// Keeps the id by which the next page is asked for: the service chooses it (XEP-0059).
  private func note(_ listing: RoomListing) {
    guard let room = listing.rooms.last?.jid, let id = listing.bounds?.last else { return }
    if pageEnds.count >= Self.mostPageEnds { pageEnds = [:] }
    pageEnds[room] = id
  }

  /// Asks a room what it is.
  package func describe(_ room: JID, for ticket: Ticket) {
    let (number, now) = (state.number, surroundings.effects.now.wall.milliseconds)
    ask(room, for: ticket) {
      ServiceDiscovery.infoRequest(to: room, id: $0)
    } reading: { iq in
      guard let info = DiscoInfo(iq).flatMap(RoomInfo.init) else { return .refused("there is no room at this address") }
      var record = RoomRecord(account: number, jid: room.description)
      record.info = RoomRecord.Info(info, at: now)
      return .room(record)
    }
  }

  private func ask(
    _ jid: JID, for ticket: Ticket, _ stanza: (String) -> [UInt8], reading read: @escaping (Element) -> TicketOutcome
  ) {
    surroundings.requests.ask(jid, isOfClient: true, stanza) { [effects = surroundings.effects] in
      effects.answer(ticket, $0.outcome(read))
    }
  }

  private static func bare(_ jid: String) -> String { String(jid.prefix { $0 != "/" }) }
}
