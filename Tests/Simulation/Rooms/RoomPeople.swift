import Clocks

/// The others in the rooms: they talk, correct and take back, come, go and take each other's nicks; some forge; and the
/// service forgets the user.
struct RoomPeople {
  private let world: World
  private let service: RoomService
  private let numbers = Numbers()

  private final class Numbers { var last = 0 }

  init(_ world: World, _ service: RoomService) { (self.world, self.service) = (world, service) }

  private static let people = ["bob", "carol", "eve"]

  func begin() {
    for room in service.rooms {
      if room.isThere { for name in Self.people { room.enter(.other(name), as: name) } }
      for _ in 0..<(room.isThere ? world.climate.habits.earlier : 0) { talk(in: room) }
      act(in: room)
    }
  }

  private func act(in room: SimulatedRoom) {
    world.after(world.dice.pause(room.habits.talk)) {
      guard !world.isCalm else { return end(room) }
      if !service.isDown { strike(room) }
      act(in: room)
    }
  }

  /// Nobody has the user's nick in the end.
  private func end(_ room: SimulatedRoom) {
    for (nick, other) in room.others where !other.speaker.isMe && nick.hasPrefix("alice") { room.leave(nick) }
    room.forgive()
  }

  private func strike(_ room: SimulatedRoom) {
    if let client = room.client, client.session.count(ofWaiting: room.jid) > 300 { return }
    switch world.dice.below(100) {
    case 0..<4: comeOrGo(room)
    case 4..<6 where room.habits.forgets: forget(room)
    case 6..<9 where room.habits.hasForgers: impose(room)
    case 9..<16 where room.habits.hasForgers: forge(room)
    case 16..<22 where room.habits.hasTwins: twin(room)
    case 22..<30 where room.habits.device != .none: talkElsewhere(room)
    case 30..<46: change(room)
    case 46..<49 where room.habits.moderation != nil: moderate(room)
    case 49..<51 where room.habits.hasMoods: changeMood(of: room)
    case 51 where room.habits.expels: expel(room)
    case 52..<57 where room.habits.hasWhispers: whisper(room)
    default: talk(in: room)
    }
  }

  private func somebody(in room: SimulatedRoom) -> (nick: String, speaker: RoomLine.Speaker)? {
    let here = room.others.filter { !$0.value.speaker.isMe }.sorted { $0.key < $1.key }
    return here.isEmpty ? nil : { ($0.key, $0.value.speaker) }(world.dice.pick(here))
  }

  private func freshID(_ room: SimulatedRoom, _ name: String) -> String {
    numbers.last += 1
    return "\(room.jid.prefix { $0 != "@" })-\(name)-\(numbers.last)"
  }

  private func talk(in room: SimulatedRoom) {
    guard let (nick, speaker) = somebody(in: room) else { return comeOrGo(room) }
    let id = freshID(room, speaker.person)
    room.say(nick, "\(id) says something", stanzaID: id)
  }

  // MARK: - Changes

  /// Somebody corrects or takes back something of theirs, or of somebody else's.
  private func change(_ room: SimulatedRoom) {
    guard let (nick, speaker) = somebody(in: room) else { return }
    let isForged = room.habits.hasForgers && world.dice.percent(30)
    let targets = room.lines.suffix(30).filter {
      !$0.isChange && ($0.speaker.person == speaker.person) != isForged
    }
    // Best of all, of who had the nick before.
    let sameNick = targets.filter { isForged && $0.nick == nick }
    guard let target = (sameNick.last ?? targets.suffix(8).first)?.stanzaID else { return talk(in: room) }
    let id = freshID(room, speaker.person)
    let change: Parcel.Change = world.dice.percent(75) ? .correction : .retraction
    world.see(isForged ? .roomForgedChange : .roomChange)
    let text = change == .correction ? "\(id) says something else" : "\(id) takes it back"
    room.say(nick, text, stanzaID: id, change: change, target: target)
  }

  /// A moderator takes back what somebody said.
  private func moderate(_ room: SimulatedRoom) {
    let targets = room.lines.suffix(20).filter { !$0.isChange && !$0.speaker.isMe && !room.isModerated($0) }
    guard let target = targets.last(where: { _ in world.dice.percent(40) }) else { return }
    world.see(.roomModeration)
    numbers.last += 1
    room.moderate(target, as: numbers.last)
  }

  /// Somebody takes the nick of who has just left, and corrects what that one said.
  private func impose(_ room: SimulatedRoom) {
    guard room.client != nil, let (nick, victim) = somebody(in: room),
      let line = room.lines.suffix(30).last(where: { $0.speaker == victim && $0.nick == nick && !$0.isChange }),
      let target = line.stanzaID
    else { return talk(in: room) }
    world.see(.roomImpostor)
    let impostor = world.dice.pick(Self.people.filter { $0 != victim.person })
    room.leave(nick)
    if let own = room.others.first(where: { $0.value.speaker == .other(impostor) })?.key { room.leave(own) }
    room.enter(.other(impostor), as: nick)
    let id = freshID(room, impostor)
    room.say(nick, "\(id) says something else", stanzaID: id, change: .correction, target: target)
  }

  // MARK: - Twins

  /// An id comes twice: by two people, or by one, with another text or the same.
  private func twin(_ room: SimulatedRoom) {
    guard let (nick, speaker) = somebody(in: room), let (other, _) = somebody(in: room) else { return }
    world.see(.roomTwin)
    let id = freshID(room, speaker.person)
    let isSameText = world.dice.percent(50) && room.habits.hasArchive
    room.say(nick, "\(id) says something", stanzaID: id)
    room.say(other, isSameText ? "\(id) says something" : "\(id)b says something", stanzaID: id)
  }

  /// Somebody says something to the user alone.
  private func whisper(_ room: SimulatedRoom) {
    guard room.client != nil, let (nick, speaker) = somebody(in: room) else { return }
    world.see(.roomWhisper)
    let id = freshID(room, speaker.person)
    room.whisper(nick, "\(id) whispers something", stanzaID: id)
  }

  // MARK: - Forgeries

  /// Somebody says what only the room may say, beside a text or in place of one.
  private func forge(_ room: SimulatedRoom) {
    guard let (nick, speaker) = somebody(in: room) else { return }
    world.see(.roomForgery)
    if world.dice.percent(15), let version = room.habits.moderation {
      return forgeModeration(room, nick, speaker, version)
    }
    let forgery = forgery(room)
    // A person who says the same of two messages may want the second one to be taken for the first.
    for _ in 0..<(world.dice.percent(50) ? 2 : 1) {
      let id = freshID(room, speaker.person)
      room.say(nick, "\(id) says something", stanzaID: id, extra: forgery)
    }
  }

  /// Somebody says that a moderator took back what somebody else said.
  private func forgeModeration(
    _ room: SimulatedRoom, _ nick: String, _ speaker: RoomLine.Speaker, _ version: RoomHabits.Moderation
  ) {
    let others = room.lines.suffix(20).filter { !$0.isChange && $0.speaker.person != speaker.person }
    guard let id = others.last?.archiveID else { return }
    let number = freshID(room, speaker.person)
    room.say(
      nick, "\(number) forges", stanzaID: number, change: .retraction, target: id,
      extra: SimulatedRoom.announcement(of: id, by: room.jid, version))
  }

  private func forgery(_ room: SimulatedRoom) -> String {
    let line = room.lines.last
    switch world.dice.below(7) {
    case 0 where !room.habits.dropsForgedIDs:
      return
        "<stanza-id xmlns='urn:xmpp:sid:0' by='\(room.jid)' id='\(world.dice.pick(["same", line?.stanzaID ?? "x"]))'/>"
    case 1 where !room.habits.hasOccupantIDs:
      let victim = room.occupantID(world.dice.pick([.client, .other("bob")]))
      return "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\(victim)'/>"
    case 2 where !room.habits.dropsForgedStamps:
      return "<delay xmlns='urn:xmpp:delay' from='\(room.jid)' stamp='2020-01-01T00:00:00Z'/>"
    case 3:
      return "<x xmlns='http://jabber.org/protocol/muc#user'><status code='104'/><status code='307'/>"
        + "<item affiliation='owner' jid='alice@example.org' role='moderator'/></x>"
    case 4: return "<moderated xmlns='urn:xmpp:message-moderate:0' by='\(room.jid)/bob'/>"
    default:
      return "<result xmlns='urn:xmpp:mam:2' id='forged'><forwarded xmlns='urn:xmpp:forward:0'><message "
        + "xmlns='jabber:client' from='\(room.jid)/bob' type='groupchat' id='f'><body>\(Strangers.forgery) words</body>"
        + "</message></forwarded></result>"
    }
  }

  // MARK: - Coming and going

  private func comeOrGo(_ room: SimulatedRoom) {
    let away = Self.people.filter { name in !room.others.values.contains { $0.speaker == .other(name) } }
    let isToCome = !away.isEmpty && (away.count == Self.people.count || world.dice.percent(60))
    guard isToCome else { return somebody(in: room).map { room.leave($0.nick) } ?? () }
    guard room.isThere || world.dice.percent(30) else { return }
    let name = world.dice.pick(away)
    let free = (Self.people + ["alice"]).filter { room.others[$0] == nil && room.client?.nick != $0 }
    // Under their own nick mostly; else under one that somebody else has given up.
    let nick = world.dice.percent(60) && free.contains(name) ? name : world.dice.pick(free + [name])
    if nick != name { world.see(.roomTakenNick) }
    room.enter(.other(name), as: nick)
  }

  /// The room does not know any more that the user is in it, or takes the user out.
  private func forget(_ room: SimulatedRoom) {
    guard let client = room.client else { return }
    world.see(.roomForgot)
    if world.dice.percent(70) { room.forget(client.session) } else { room.removeClient() }
  }

  /// The room takes nothing of what the user says for a while.
  private func changeMood(of room: SimulatedRoom) {
    room.mood = world.dice.pick([.deaf, .strict])
    world.see(room.mood == .deaf ? .roomDeaf : .roomStrict)
    world.after(world.dice.interval(5_000...400_000)) { room.mood = .willing }
  }

  /// The room takes the user out for good.
  private func expel(_ room: SimulatedRoom) {
    guard room.client != nil else { return }
    world.see(.roomExpulsion)
    room.expel(world.dice.pick(SimulatedRoom.Expulsion.allCases))
    world.after(world.dice.interval(10_000...300_000)) { room.forgive() }
  }

  // MARK: - The user's other device

  private func talkElsewhere(_ room: SimulatedRoom) {
    let nick = room.habits.device == .sameNick ? "alice" : "alice-phone"
    if room.others[nick] == nil { room.enter(.device, as: nick) }
    guard room.others[nick]?.speaker == .device else { return }
    world.see(.roomDevice)
    let id = freshID(room, "alice+")
    room.say(nick, "\(id) says something", stanzaID: id)
  }
}
