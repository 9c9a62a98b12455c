import Clocks
import XML
import XMPPCore

/// A room as its service has it: who is in it, and what was said.
final class SimulatedRoom {
  let jid: String
  let habits: RoomHabits
  let world: World
  private let witness: RoomWitness
  /// The user's client, while it is in the room, and the nick that it has.
  private(set) var client: (session: ServerSession, nick: String)?
  /// Others who are there, the user's other device too, by their nicks.
  private(set) var others: [String: Other] = [:]
  /// Of the room that there is now.
  private(set) var lines: [RoomLine] = []
  private var archive: ServerArchive?
  private(set) var isThere: Bool
  /// How often it was made, and how many presences began.
  private(set) var generation = 1
  private var presences = 0
  private var clientPresence = 0

  struct Other {
    let speaker: RoomLine.Speaker
    let presence: Int
  }

  enum Answer {
    case result(String)
    case error(String)
  }

  init(_ jid: String, _ habits: RoomHabits, _ world: World, _ witness: RoomWitness) {
    (self.jid, self.habits, self.world, self.witness) = (jid, habits, world, witness)
    isThere = habits.isOld
    begin()
  }

  private func begin() {
    lines = []
    archive = habits.hasArchive ? ServerArchive(isCoarse: true, completesNothing: false, generation: generation) : nil
  }

  /// The id by which the room knows a person.
  func occupantID(_ speaker: RoomLine.Speaker) -> String { "o-\(generation)-\(speaker.person)" }

  // MARK: - Coming and going

  /// The user's client wants to be in it.
  func enter(_ session: ServerSession, as nick: String, _ history: Element?) {
    witness.checkJoin(of: jid)
    if let client, client.session === session, client.nick != nick { return rename(nick) }
    if let other = others[nick], !other.speaker.isMe { return refuse(nick, "conflict", session) }
    let isNew = !isThere
    if isNew { make() }
    if client?.session !== session { presences += 1 }
    (client, clientPresence) = ((session, nick), presences)
    for (name, other) in others.sorted(by: { $0.key < $1.key }) where name != nick { show(name, other.speaker) }
    show(nick, .client, isNew ? [110, 201] : [110])
    sayHistory(history, to: session)
    if world.bug == .unheardSubject { return }
    say("<message from='\(jid)' to='\(recipient)' type='groupchat'><subject/></message>")
  }

  /// It is made, by whoever comes first.
  private func make() {
    generation += 1
    begin()
    isThere = true
    witness.noteMade(jid)
    world.trace.line(world.now, "\(jid) is made anew")
  }

  private var recipient: String { "alice@example.org/here" }

  private func refuse(_ nick: String, _ condition: String, _ session: ServerSession) {
    session.send(
      "<presence type='error' from='\(jid)/\(nick)'><x xmlns='http://jabber.org/protocol/muc'/><error type='cancel'>"
        + "<\(condition) xmlns='\(Namespace.stanzaErrors)'/></error></presence>")
  }

  private func sayHistory(_ history: Element?, to session: ServerSession) {
    let most = min(habits.mostHistory, history?.attribute("maxstanzas").flatMap { Int($0) } ?? .max)
    let since = history?.attribute("since").flatMap { Timestamp(rfc3339: $0) }
    let past = lines.filter { line in line.change != .retraction && since.map { $0 <= line.time } ?? true }
    for line in past.suffix(most) { session.send(line.past(to: recipient), line: line) }
  }

  /// Somebody is there.
  private func show(_ nick: String, _ speaker: RoomLine.Speaker, _ codes: [Int] = []) {
    let id = habits.hasOccupantIDs ? "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\(occupantID(speaker))'/>" : ""
    say(
      "<presence from='\(jid)/\(nick)' to='\(recipient)'><x xmlns='\(Self.user)'>"
        + "<item affiliation='none' role='participant'/>\(Self.statuses(codes))</x>\(id)</presence>")
  }

  private static let emptyPage =
    "<fin xmlns='urn:xmpp:mam:2' complete='true'><set xmlns='http://jabber.org/protocol/rsm'/></fin>"

  private func hide(_ nick: String, _ codes: [Int] = []) {
    if world.bug == .unheardLeaving, !codes.contains(110) { return }
    say(
      "<presence type='unavailable' from='\(jid)/\(nick)' to='\(recipient)'><x xmlns='\(Self.user)'>"
        + "<item affiliation='none' role='none'/>\(Self.statuses(codes))</x></presence>")
  }

  private static let user = "http://jabber.org/protocol/muc#user"

  private static func statuses(_ codes: [Int]) -> String { codes.map { "<status code='\($0)'/>" }.joined() }

  private func say(_ xml: String) { client?.session.send(xml) }

  private func rename(_ nick: String) {
    guard let client else { return }
    if let other = others[nick], !other.speaker.isMe { return refuse(nick, "conflict", client.session) }
    say(
      "<presence type='unavailable' from='\(jid)/\(client.nick)' to='\(recipient)'><x xmlns='\(Self.user)'>"
        + "<item affiliation='none' role='participant' nick='\(nick)'/>\(Self.statuses([303, 110]))</x></presence>")
    self.client = (client.session, nick)
    show(nick, .client, [110])
  }

  /// A presence without a wish to enter.
  func update(_ session: ServerSession, _ nick: String) {
    guard let client, client.session === session else { return refuse(nick, "item-not-found", session) }
    if nick == client.nick { show(nick, .client, [110]) } else { rename(nick) }
  }

  func leave(_ session: ServerSession) {
    guard let client, client.session === session else { return }
    hide(client.nick, [110])
    self.client = nil
    endIfEmpty()
  }

  /// The session is over, or the room has lost it: nobody hears a word of that.
  func forget(_ session: ServerSession) {
    guard client?.session === session else { return }
    client = nil
    endIfEmpty()
  }

  /// The service takes the user out, and says so.
  func removeClient() {
    guard let client else { return }
    hide(client.nick, [110, 333])
    self.client = nil
  }

  private func endIfEmpty() { if !habits.isPersistent, client == nil, others.isEmpty { isThere = false } }

  func restarted() {
    (client, others) = (nil, [:])
    if !habits.isPersistent { isThere = false }
  }

  /// Somebody else comes, if the nick is free.
  func enter(_ speaker: RoomLine.Speaker, as nick: String) {
    guard others[nick] == nil, client?.nick != nick || speaker.isMe else { return }
    if !isThere { make() }
    presences += 1
    others[nick] = Other(speaker: speaker, presence: presences)
    if client?.nick != nick { show(nick, speaker) }
  }

  func leave(_ nick: String) {
    guard others.removeValue(forKey: nick) != nil else { return }
    if client?.nick != nick { hide(nick) }
    endIfEmpty()
  }

  // MARK: - Saying something

  /// The user's client says something.
  func take(_ message: Element, from session: ServerSession) {
    guard let id = message.attribute("id"), message.attribute("type") == "groupchat" else { return }
    guard isThere, let client, client.session === session else {
      return session.send(
        "<message type='error' from='\(jid)' to='\(recipient)' id='\(id)'><error type='cancel'>"
          + "<\(isThere ? "not-acceptable" : "item-not-found") xmlns='\(Namespace.stanzaErrors)'/></error></message>")
    }
    guard let body = message.child("body", Namespace.client) else { return }
    guard !world.happens(habits.losses) else { return witness.noteLoss(id) }
    let presence = clientPresence
    world.after(habits.lag) { [self] in
      guard isThere, let client = self.client, client.session === session, presence == clientPresence else { return }
      witness.noteArrival(id, body.text, in: self, session)
      add(.client, client.nick, presence, body.text, stanzaID: id)
    }
  }

  /// Somebody else says something.
  func say(
    _ nick: String, _ text: String, stanzaID: String?, change: Parcel.Change? = nil, target: String = "",
    extra: String = ""
  ) {
    guard let other = others[nick] else { return }
    add(other.speaker, nick, other.presence, text, stanzaID: stanzaID, change: change, target: target, extra: extra)
  }

  private func add(
    _ speaker: RoomLine.Speaker, _ nick: String, _ presence: Int, _ text: String, stanzaID: String?,
    change: Parcel.Change? = nil, target: String = "", extra: String = ""
  ) {
    var line = RoomLine(
      room: jid, place: witness.nextPlace(in: jid), speaker: speaker, presence: presence, nick: nick,
      occupantID: occupantID(speaker), time: world.serverTime, stanzaID: stanzaID, text: text,
      isVouchedFor: habits.hasOccupantIDs, clientNick: client?.nick)
    (line.change, line.target, line.extra) = (change, target, extra)
    line.archiveID = archive?.add(line.xml(namespace: " xmlns='jabber:client'"), at: line.time)
    lines.append(line)
    witness.note(line)
    world.trace.line(world.now, "\(jid)/\(nick) says \(text)")
    let isLost = world.bug == .lostReflection && speaker == .client && line.place % 3 == 0
    client?.session.send(
      isLost
        ? Rewriter.replaced("id='\(line.stanzaID ?? "")'", "id='other'", line.live(to: recipient))
        : line.live(to: recipient),
      line: line)
  }

  /// Whether a message can be found in its archive.
  func hasArchived(_ id: String) -> Bool { archive != nil && lines.contains { $0.stanzaID == id } }

  // MARK: - Questions

  /// The answer to a question; nil: it is none that the room knows.
  func answer(_ iq: Element, to address: String, _ session: ServerSession) -> Answer? {
    if iq.child("ping", "urn:xmpp:ping") != nil { return pong(RoomService.nick(address), session) }
    guard isThere else { return .error("item-not-found") }
    if iq.child("query", Namespace.discoInfo) != nil { return .result(info) }
    if iq.child("query", "http://jabber.org/protocol/muc#owner") != nil { return .result("") }
    guard let query = iq.child("query", Namespace.archive) else { return nil }
    guard let archive else { return world.bug == .believedAbsence ? .result(Self.emptyPage) : nil }
    guard let page = archive.answer(query, from: jid, pageSize: habits.pageSize) else {
      return .error("item-not-found")
    }
    for (index, result) in page.results.enumerated() where world.bug != .lostRoomResult || index % 5 != 4 {
      session.send(result)
    }
    return .result(page.end)
  }

  private func pong(_ nick: String?, _ session: ServerSession) -> Answer {
    if world.bug == .believedPing { return .result("") }
    guard isThere else { return .error("item-not-found") }
    guard let client, client.session === session else { return .error("not-acceptable") }
    return client.nick == nick ? .result("") : .error("item-not-found")
  }

  private var info: String {
    let claims = world.bug == .believedRoomIDs || world.bug == .believedAbsence
    let features = [
      (true, "http://jabber.org/protocol/muc"), (habits.isPersistent, "muc_persistent"),
      (!habits.isPersistent, "muc_temporary"), (habits.hasArchive || claims, "urn:xmpp:mam:2"),
      (habits.hasArchive || claims, "urn:xmpp:sid:0"),
      (habits.hasOccupantIDs || world.bug == .believedOccupantIDs, "urn:xmpp:occupant-id:0"),
    ]
    return "<query xmlns='\(Namespace.discoInfo)'><identity category='conference' type='text'/>"
      + features.filter(\.0).map { "<feature var='\($0.1)'/>" }.joined() + "</query>"
  }
}
