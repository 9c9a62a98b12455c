import Clocks
import Records

/// What was said in rooms, and what the durable records have of it. The promises of rooms: docs/PROMISES.md and
/// decision 0162. Written from the documents alone.
final class RoomWitness {
  let world: World
  weak var log: LogWitness?
  /// What was said, by text: twins share one.
  private(set) var lines: [String: [RoomLine]] = [:]
  private var places: [String: Int] = [:]
  /// Messages of others, or of another device, by text.
  private(set) var stored: [String: [UInt64]] = [:]
  private(set) var records: [String: RoomRecord] = [:]
  /// Rooms in which the user wants to be, or may be still.
  private var wanted: Set<String> = []
  /// How often the daemon has started.
  var starts = 0
  /// When the user left each, and how often the daemon had started by then.
  private var left: [String: (time: Instant, starts: Int)] = [:]
  /// How long a join may be on its way.
  private static let longestWay = Interval.minutes(5)
  /// Rooms of which the user has left since one was joined first.
  private(set) var leftOnce: Set<String> = []
  /// Messages of the user's that a room took, by their stanza ids, and how often.
  private(set) var arrivals: [String: Int] = [:]
  private var sessions: [String: ServerSession] = [:]
  /// Messages of the user's that a room did not take, and how often.
  private(set) var losses: [String: Int] = [:]
  private var lastArrival: [String: UInt64] = [:]
  /// Rooms that were made anew.
  private(set) var made: Set<String> = []
  /// What the user's client acknowledged, by places.
  private(set) var acknowledged: [String: Set<Int>] = [:]

  /// Wishes to be in a room that are not answered yet.
  private var asked: Set<String> = []
  /// How often the user has wanted to be in each.
  private(set) var wishes: [String: Int] = [:]
  /// Rooms that the user's own join made anew: by its session, and the last record before.
  private var remade: [String: (session: ServerSession, durable: UInt64)] = [:]
  /// By the joins on which a message of the user's went to a room, and how often it did.
  private var transmissions: [String: (joins: Set<Int>, count: Int)] = [:]
  /// Messages of the user's that a room refused, by the session.
  private(set) var refusals: [String: ServerSession] = [:]
  /// The times since which occupants are ignored, by the server's clock: by room and the id of each.
  private var ignored: [String: [String: Timestamp]] = [:]
  /// The presence that the client knows under each address in a room.
  private var shown: [String: Int] = [:]
  /// With whom each private conversation was begun.
  private var confidants: [String: RoomLine.Speaker] = [:]

  /// Clocks may differ by two minutes, and servers stamp whole seconds.
  static let margin: Int64 = 121_000

  init(_ world: World) { self.world = world }

  // MARK: - What happens in rooms

  func nextPlace(in room: String) -> Int {
    places[room, default: 0] += 1
    return places[room] ?? 0
  }

  func note(_ line: RoomLine) {
    lines[line.text, default: []].append(line)
    if line.isChange, let id = line.stanzaID, mayChange(line) { log?.targets[id] = line.target }
  }

  func noteMade(_ room: String) {
    made.insert(room)
    remade[room] = nil
  }

  /// The user's client has made a room by entering it.
  func noteRemade(_ room: String, _ session: ServerSession) {
    guard let log, records[room]?.firstJoined != nil else { return }
    remade[room] = (session, log.durable)
  }

  /// The user's client has acknowledged that a room took it out for good: a person decides.
  ///
  /// - Parameter wish: the last wish to be in the room when it did so.
  func noteExpelled(_ room: String, after wish: Int) {
    if wish == wishes[room], !asked.contains(room) { wanted.remove(room) }
  }

  func check(password: String?, _ right: String?, _ room: String) {
    world.hold(password == right || !wanted.contains(room), "\(room) is joined with the password that was given")
  }

  /// A message of the user's comes to a room. It goes again once, and on each join.
  func noteTransmission(_ id: String, in room: SimulatedRoom, _ session: ServerSession) {
    transmissions[id, default: ([], 0)].joins.insert(room.joins)
    transmissions[id]?.count += 1
    let sent = transmissions[id] ?? ([], 0)
    world.hold(
      sent.count <= sent.joins.count + 1, "\(id) goes to \(room.jid) \(sent.count) times on \(sent.joins.count) joins")
    world.hold(refusals[id] !== session, "\(id) goes to \(room.jid) again, which has refused it")
  }

  func noteRefusal(_ id: String, _ session: ServerSession) { refusals[id] = session }

  func noteLoss(_ id: String) {
    losses[id, default: 0] += 1
    world.see(.roomLoss)
  }

  /// A front end asks to be in a room, or not any more.
  func noteWish(_ room: String, isIn: Bool) {
    if isIn { wanted.insert(room) } else { leftOnce.insert(room) }
    guard isIn else { return }
    asked.insert(room)
    wishes[room, default: 0] += 1
  }

  /// The daemon has answered a wish.
  func noteAnswered(_ room: String) { asked.remove(room) }

  /// The daemon has stored that the user is in a room no more.
  func noteLeft(_ room: String) {
    wanted.remove(room)
    left[room] = (world.now.instant, starts)
  }

  /// The user's client enters a room. A process that began after the user had left it has no join on its way, unless a
  /// server reads on what one before it had written.
  func checkJoin(of room: String, by process: Int) {
    world.see(.roomJoin)
    let isOnItsWay =
      left[room].map {
        world.now.instant - $0.time < Self.longestWay && (process <= $0.starts || world.climate.readsOn)
      } ?? false
    world.hold(wanted.contains(room) || isOnItsWay, "\(room) is joined, and nobody asked for that")
  }

  /// A message of the user's is in the room now.
  func noteArrival(_ id: String, _ text: String, in room: SimulatedRoom, _ session: ServerSession) {
    guard let log, let sequence = log.sequence(ofMine: id), let message = log.messages[sequence] else {
      return world.hold(false, "the message \(id) (\(text)) arrived in \(room.jid) and is not in the log")
    }
    world.hold(message.jid == room.jid && message.text == text, "\(text) arrived in \(room.jid) as it was written")
    world.hold(log.state(of: sequence) != .cancelled, "\(text) arrives, and was taken back")
    if let remade = remade[room.jid], remade.session === session {
      world.hold(sequence > remade.durable, "\(text) waited for \(room.jid), and reaches one that was made anew")
    }
    if arrivals[id] != nil {
      world.see(.roomRepeat)
      world.hold(!room.hasArchived(id), "\(text) arrives in \(room.jid) again, which has it in its archive")
      world.hold(log.isInDoubt(sequence), "\(text) arrives in \(room.jid) again and is not marked as in doubt")
    } else if losses[id] == nil {
      let order = log.order(of: sequence)
      world.hold(
        order > lastArrival[room.jid] ?? 0,
        "\(text), number \(order), arrived behind number \(lastArrival[room.jid] ?? 0) in \(room.jid)")
      lastArrival[room.jid] = max(order, lastArrival[room.jid] ?? 0)
    }
    arrivals[id, default: 0] += 1
  }

  /// The user's client has said that it has a line, which must be stored for that.
  func noteAcknowledged(_ line: RoomLine) {
    guard !leftOnce.contains(line.room), wanted.contains(line.room) else { return }
    acknowledged[line.room, default: []].insert(line.place)
    world.hold(isHere(line), "\(line.text) of \(line.room) was acknowledged, and the log does not have it")
  }

  /// True if the log has what a line says.
  func isHere(_ line: RoomLine) -> Bool {
    guard let log else { return false }
    if line.speaker == .client {
      guard let sequence = line.stanzaID.flatMap(log.sequence(ofMine:)) else { return false }
      return ![.queued, .sent].contains(log.state(of: sequence))
    }
    if stored[line.text] != nil || line.isRefused { return true }
    guard line.isChange, let id = line.stanzaID else { return false }
    // What is taken back by somebody else, or by nobody knows whom, or is not here, stays.
    let isAimless = !line.isVouchedFor || !mayChange(line) || log.sequences(of: line.target).isEmpty
    return line.change == .retraction && isAimless || log.count(ofIncoming: id) > 0
  }

  // MARK: - Records

  func note(_ record: RoomRecord) {
    if let first = records[record.jid]?.firstJoined {
      world.hold(record.firstJoined == first, "the user came to \(record.jid) first at \(first)")
    }
    records[record.jid] = record
  }

  func note(_ record: IgnoreRecord) {
    guard let id = record.occupantID else { return }
    ignored[record.room, default: [:]][id] = record.isIgnored ? world.serverTime : nil
  }

  /// A message is here as often as it was said, as whose it is, and at no time before it was said.
  func note(_ message: MessageRecord, _ sequence: UInt64) {
    guard message.author != .thisDevice else { return }
    let said = (lines[message.text] ?? []).filter { $0.room == message.jid }
    guard !said.isEmpty else {
      return world.hold(false, "\(message.text) is in the log as \(sequence), and nobody said it in \(message.jid)")
    }
    let fitting = said.filter { isBy($0, message) }
    world.hold(
      !fitting.isEmpty,
      "\(message.text), said by \(said.map { "\($0.nick) (\($0.speaker.person))" }) in \(message.jid), is in the log as "
        + "\(message.author)")
    stored[message.text, default: []].append(sequence)
    let count = stored[message.text]?.count ?? 0
    world.hold(
      count <= said.count,
      "\(message.text) was said \(said.count) times in \(message.jid), and is in the log \(count) times")
    checkTime(message, fitting, sequence)
    for line in fitting.prefix(1) { checkIgnored(message, line) }
  }

  /// A message of somebody ignored is no news; one of somebody else is.
  private func checkIgnored(_ message: MessageRecord, _ line: RoomLine) {
    guard line.isVouchedFor, case .occupant(let occupant) = message.author, occupant.id != nil else { return }
    let since = ignored[line.room]?[line.occupantID]
    world.hold(!message.isIgnored || since != nil, "\(line.text) counts as ignored, and nobody ignores \(line.nick)")
    guard let since, since < line.time else { return }
    world.hold(message.isIgnored, "\(line.text) is ignored: \(line.occupantID) is since \(since)")
  }

  // MARK: - Private messages

  /// The room has shown the user's client who has a nick.
  func noteShown(_ address: String, _ presence: Int?) { shown[address] = presence }

  /// An occupant has said something to the user alone: once, in the conversation of the nick.
  func notePrivate(_ message: MessageRecord, _ sequence: UInt64) {
    guard message.author != .thisDevice else { return }
    let said = (lines[message.text] ?? []).filter { $0.isPrivate && "\($0.room)/\($0.nick)" == message.jid }
    guard let line = said.first else {
      return world.hold(false, "\(message.text) is in the log as \(sequence) of \(message.jid), who did not say it")
    }
    world.hold(
      !message.author.isMe && (message.occupantID ?? line.occupantID) == line.occupantID,
      "\(message.text) of \(line.nick) is in the log as \(message.author), by \(message.occupantID ?? "nobody")")
    stored[message.text, default: []].append(sequence)
    world.hold(stored[message.text]?.count ?? 0 <= said.count, "\(message.text) is in the log twice")
    confidants[message.jid] = confidants[message.jid] ?? line.speaker
  }

  /// Addresses of occupants with whom the user talks alone.
  var confidential: [String] { confidants.keys.sorted() }

  /// Words of the user's to one occupant arrive: if the user's client knew who has the nick now, with whom the
  /// conversation was begun.
  func noteWhisper(_ text: String, to address: String, _ other: SimulatedRoom.Other) {
    world.see(.roomAnswer)
    guard shown[address] == other.presence, let confidant = confidants[address] else { return }
    world.hold(other.speaker == confidant, "\(text) is for \(confidant.person), and reaches \(other.speaker.person)")
  }

  /// True if a message stands under the name of who said a line.
  private func isBy(_ line: RoomLine, _ message: MessageRecord) -> Bool {
    guard message.peer == "\(line.room)/\(line.nick)" else { return false }
    guard case .occupant(let occupant) = message.author else { return line.speaker.isMe }
    let isUnknown = !line.isVouchedFor || records[line.room]?.info == nil
    guard occupant.id.map({ $0 == line.occupantID }) ?? isUnknown else { return false }
    guard line.speaker.isMe else { return true }
    // Nothing tells whose another nick is; and the past of a nick is nobody's.
    let isPast = message.archived || message.delayed
    // An archive that is read before the room has told the user's id cannot tell what is the user's.
    if line.speaker == .device, message.archived, records[line.room]?.occupantID == nil { return true }
    return line.speaker == .device && isUnknown && (isPast || line.nick != line.clientNick)
  }

  private func checkTime(_ message: MessageRecord, _ said: [RoomLine], _ sequence: UInt64) {
    guard world.faults[.clockJump] == nil, let first = said.map(\.time.milliseconds).min() else { return }
    world.hold(
      message.time >= first - Self.margin,
      "\(message.text) was said at \(first) in \(message.jid), and is in the log at \(message.time)")
    guard let joined = records[message.jid]?.firstJoined, !message.author.isMe else { return }
    let isHistory = message.archived && !message.isNews && log?.isFilled(message) == false
    world.hold(
      !isHistory || first < joined + Self.margin,
      "\(message.text) was said in \(message.jid) after the user came, and counts as history")
  }

  // MARK: - Changes

  /// True if a change is by who said what it changes.
  func mayChange(_ change: RoomLine) -> Bool {
    lines.values.joined().contains {
      $0.room == change.room && $0.stanzaID == change.target && $0.speaker.person == change.speaker.person
    }
  }
}
