import Clocks
import XML
import XMPPCore

/// A room as its service has it: who is in it, and what was said.
final class SimulatedRoom {
  let jid: String
  let habits: RoomHabits
  let world: World
  let witness: RoomWitness
  /// The user's client, while it is in the room, and the nick that it has.
  var client: (session: ServerSession, nick: String)?
  /// Others who are there, the user's other device too, by their nicks.
  private(set) var others: [String: Other] = [:]
  /// Of the room that there is now.
  var lines: [RoomLine] = []
  var archive: ServerArchive?
  /// Messages that moderators took back, by their ids in the archive.
  var moderated: Set<String> = []
  private(set) var isThere: Bool
  /// How often it was made, and how many presences began.
  private(set) var generation = 1
  private var presences = 0
  private(set) var clientPresence = 0
  /// How often the user's client has entered it.
  private(set) var joins = 0
  var mood = Mood.willing
  /// The user may not enter.
  private var isBanned = false

  struct Other {
    let speaker: RoomLine.Speaker
    let presence: Int
  }

  /// How it takes what the user says.
  enum Mood {
    case willing
    /// It takes nothing, and does not say so.
    case deaf
    /// It refuses everything, for the user has no voice.
    case strict
  }

  /// How the user is taken out of it.
  enum Expulsion: CaseIterable { case kick, ban, destruction }

  init(_ jid: String, _ habits: RoomHabits, _ world: World, _ witness: RoomWitness) {
    (self.jid, self.habits, self.world, self.witness) = (jid, habits, world, witness)
    isThere = habits.isOld
    begin()
  }

  private func begin() {
    (lines, moderated) = ([], [])
    archive = habits.hasArchive ? ServerArchive(isCoarse: true, completesNothing: false, generation: generation) : nil
  }

  /// The id by which the room knows a person.
  func occupantID(_ speaker: RoomLine.Speaker) -> String { "o-\(generation)-\(speaker.person)" }

  var recipient: String { "alice@example.org/here" }

  // MARK: - Coming and going

  /// The user's client wants to be in it.
  func enter(_ session: ServerSession, as nick: String, _ join: Element) {
    witness.checkJoin(of: jid, by: session.process)
    if let client, client.session === session, client.nick != nick { return rename(nick) }
    if let refusal = refusal(of: join, as: nick) { return refuse(nick, refusal, session) }
    let isNew = !isThere
    if isNew {
      make()
      witness.noteRemade(jid, session)
    }
    if client?.session !== session { presences += 1 }
    joins += 1
    (client, clientPresence) = ((session, nick), presences)
    for (name, other) in others.sorted(by: { $0.key < $1.key }) where name != nick { show(name, other) }
    show(nick, nil, isNew && world.bug != .unheardMaking ? [110, 201] : [110])
    sayHistory(join.child("history", Self.muc), to: session)
    if world.bug == .unheardSubject { return }
    say("<message from='\(jid)' to='\(recipient)' type='groupchat'><subject/></message>")
  }

  /// The condition of the error to a join; nil: it is taken.
  private func refusal(of join: Element, as nick: String) -> String? {
    if let other = others[nick], !other.speaker.isMe { return "conflict" }
    guard isThere else { return nil }
    if isBanned { return "forbidden" }
    let password = join.child("password", Self.muc)?.text
    if habits.password != nil { witness.check(password: password, habits.password, jid) }
    return habits.password == nil || password == habits.password ? nil : "not-authorized"
  }

  /// It is made, by whoever comes first.
  private func make() {
    generation += 1
    begin()
    (isThere, isBanned) = (true, false)
    witness.noteMade(jid)
    world.trace.line(world.now, "\(jid) is made anew")
  }

  private func refuse(_ nick: String, _ condition: String, _ session: ServerSession) {
    session.send(
      "<presence type='error' from='\(jid)/\(nick)'><x xmlns='\(Self.muc)'/><error type='cancel'>"
        + "<\(condition) xmlns='\(Namespace.stanzaErrors)'/></error></presence>")
  }

  /// Somebody is there; nil: the user's client.
  private func show(_ nick: String, _ other: Other?, _ codes: [Int] = []) {
    let id = shownID(other?.speaker ?? .client, nick)
    let xml =
      "<presence from='\(jid)/\(nick)' to='\(recipient)'><x xmlns='\(Self.user)'>"
      + "<item affiliation='none' role='participant'/>\(Self.statuses(codes))</x>\(id)</presence>"
    client?.session.send(xml) { [self] in witness.noteShown("\(jid)/\(nick)", other?.presence) }
  }

  /// The element by which the room tells its occupants apart, as far as it does.
  func shownID(_ speaker: RoomLine.Speaker, _ nick: String) -> String {
    guard habits.hasOccupantIDs else { return "" }
    let id = world.bug == .believedNicks && !speaker.isMe ? "o-\(nick)" : occupantID(speaker)
    return "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\(id)'/>"
  }

  private func hide(_ nick: String, _ codes: [Int] = [], more: String = "", then heard: (() -> Void)? = nil) {
    if [.unheardLeaving, .believedNicks].contains(world.bug), !codes.contains(110) { return }
    client?.session.send(
      "<presence type='unavailable' from='\(jid)/\(nick)' to='\(recipient)'><x xmlns='\(Self.user)'>"
        + "<item affiliation='none' role='none'/>\(Self.statuses(codes))\(more)</x></presence>", then: heard)
  }

  static let user = "http://jabber.org/protocol/muc#user"
  private static let muc: StaticString = "http://jabber.org/protocol/muc"

  private static func statuses(_ codes: [Int]) -> String { codes.map { "<status code='\($0)'/>" }.joined() }

  func say(_ xml: String) { client?.session.send(xml) }

  private func rename(_ nick: String) {
    guard let client else { return }
    if let other = others[nick], !other.speaker.isMe { return refuse(nick, "conflict", client.session) }
    say(
      "<presence type='unavailable' from='\(jid)/\(client.nick)' to='\(recipient)'><x xmlns='\(Self.user)'>"
        + "<item affiliation='none' role='participant' nick='\(nick)'/>\(Self.statuses([303, 110]))</x></presence>")
    self.client = (client.session, nick)
    show(nick, nil, [110])
  }

  /// A presence without a wish to enter.
  func update(_ session: ServerSession, _ nick: String) {
    guard let client, client.session === session else { return refuse(nick, "item-not-found", session) }
    if nick == client.nick { show(nick, nil, [110]) } else { rename(nick) }
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

  /// The room takes the user out for good: a person has to decide.
  func expel(_ way: Expulsion) {
    guard let client else { return }
    let codes: [Int] =
      switch way {
      case .kick: [110, 307]
      case .ban: [110, 301]
      case .destruction: [110]
      }
    let (isHeard, wish) = (world.bug != .unheardExpulsion, witness.wishes[jid] ?? 0)
    hide(
      client.nick, isHeard ? codes : [110], more: isHeard && way == .destruction ? "<destroy/>" : ""
    ) { [self] in witness.noteExpelled(jid, after: wish) }
    self.client = nil
    if way == .ban { isBanned = true }
    if way == .destruction { (isThere, others) = (false, [:]) }
    world.trace.line(world.now, "\(jid): \(way) of the user")
  }

  /// It takes what the user says again, and lets the user in.
  func forgive() { (mood, isBanned) = (.willing, false) }

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
    let other = Other(speaker: speaker, presence: presences)
    others[nick] = other
    if client?.nick != nick { show(nick, other) }
  }

  func leave(_ nick: String) {
    guard others.removeValue(forKey: nick) != nil else { return }
    if client?.nick != nick { hide(nick) }
    endIfEmpty()
  }
}
