import Clocks
import XML
import XMPPCore

// What is said in a room, and to one of its occupants alone.
extension SimulatedRoom {
  func sayHistory(_ history: Element?, to session: ServerSession) {
    let most = min(habits.mostHistory, history?.attribute("maxstanzas").flatMap { Int($0) } ?? .max)
    let since = history?.attribute("since").flatMap { Timestamp(rfc3339: $0) }
    let past = lines.filter { line in
      line.change != .retraction && !isModerated(line) && since.map { $0 <= line.time } ?? true
    }
    for line in past.suffix(most) {
      let xml = line.past(to: recipient)
      session.send(world.bug == .unheardHistory ? Rewriter.replaced("body>", "nobody>", xml) : xml, line: line)
    }
  }

  // MARK: - The user

  /// The user's client says something.
  func take(_ message: Element, from session: ServerSession) {
    guard let id = message.attribute("id"), message.attribute("type") == "groupchat" else { return }
    guard isThere, let client, client.session === session else {
      return refuse(id, isThere ? "not-acceptable" : "item-not-found", from: jid, session)
    }
    guard let body = message.child("body", Namespace.client) else { return }
    witness.noteTransmission(id, in: self, session)
    if mood == .strict {
      witness.noteRefusal(id, session)
      if world.bug != .unheardRefusal { refuse(id, "forbidden", from: jid, session) }
      return
    }
    let losses = world.bug == .forgottenRepeat ? 900 : habits.losses
    guard mood == .willing || world.isCalm, !world.happens(losses) else { return witness.noteLoss(id) }
    let presence = clientPresence
    world.after(world.bug == .hastyFence ? habits.lag.times(8) : habits.lag) { [self] in
      guard isThere, let client = self.client, client.session === session, presence == clientPresence else { return }
      witness.noteArrival(id, body.text, in: self, session)
      add(.client, client.nick, presence, body.text, stanzaID: id)
    }
  }

  /// The user's client says something to one occupant.
  func take(private message: Element, to nick: String, from session: ServerSession) {
    guard let id = message.attribute("id"), let body = message.child("body", Namespace.client) else { return }
    guard isThere, let client, client.session === session else {
      return refuse(id, "not-acceptable", from: "\(jid)/\(nick)", session)
    }
    guard let other = others[nick] else { return refuse(id, "item-not-found", from: "\(jid)/\(nick)", session) }
    witness.noteWhisper(body.text, to: "\(jid)/\(nick)", other)
  }

  private func refuse(_ id: String, _ condition: String, from: String, _ session: ServerSession) {
    session.send(
      "<message type='error' from='\(from)' to='\(recipient)' id='\(id)'><error type='cancel'>"
        + "<\(condition) xmlns='\(Namespace.stanzaErrors)'/></error></message>")
  }

  // MARK: - Others

  /// Somebody else says something.
  func say(
    _ nick: String, _ text: String, stanzaID: String?, change: Parcel.Change? = nil, target: String = "",
    extra: String = ""
  ) {
    guard let other = others[nick] else { return }
    add(other.speaker, nick, other.presence, text, stanzaID: stanzaID, change: change, target: target, extra: extra)
  }

  /// Somebody else says something to the user alone.
  func whisper(_ nick: String, _ text: String, stanzaID: String) {
    guard let client, let other = others[nick] else { return }
    var line = line(other.speaker, nick, other.presence, text, stanzaID: stanzaID)
    line.isPrivate = true
    witness.note(line)
    client.session.send(line.privately(to: recipient), line: line)
  }

  private func line(
    _ speaker: RoomLine.Speaker, _ nick: String, _ presence: Int, _ text: String, stanzaID: String?
  ) -> RoomLine {
    RoomLine(
      room: jid, place: witness.nextPlace(in: jid), speaker: speaker, presence: presence, nick: nick,
      occupantID: occupantID(speaker), time: world.serverTime, stanzaID: stanzaID, text: text,
      shownID: world.bug == .lostOccupantIDs ? "" : shownID(speaker, nick), isVouchedFor: habits.hasOccupantIDs,
      clientNick: client?.nick)
  }

  private func add(
    _ speaker: RoomLine.Speaker, _ nick: String, _ presence: Int, _ text: String, stanzaID: String?,
    change: Parcel.Change? = nil, target: String = "", extra: String = ""
  ) {
    var line = line(speaker, nick, presence, text, stanzaID: stanzaID)
    (line.change, line.target, line.extra) = (change, target, extra)
    line.archiveID = archive?.add(line.xml(namespace: " xmlns='jabber:client'"), at: line.time)
    lines.append(line)
    witness.note(line)
    world.trace.line(world.now, "\(jid)/\(nick) says \(text)")
    client?.session.send(distorted(line), line: line)
  }

  /// A line as it reaches the client: a mistake takes it for something else.
  private func distorted(_ line: RoomLine) -> String {
    let xml = line.live(to: recipient)
    switch world.bug {
    case .lostReflection where line.speaker == .client && line.place % 3 == 0:
      return Rewriter.replaced("id='\(line.stanzaID ?? "")'", "id='other'", xml)
    case .forgedModeration where line.isForgedModeration:
      return Rewriter.replaced("from='\(jid)/\(line.nick)'", "from='\(jid)'", xml)
    default: return xml
    }
  }

  // MARK: - Moderators

  /// A moderator takes back what somebody said: the archive keeps no text of it, and all are told (XEP-0425).
  func moderate(_ line: RoomLine, as number: Int) {
    guard let id = line.archiveID, let version = habits.moderation else { return }
    moderated.insert(id)
    guard world.bug != .unheardModeration else { return }
    archive?.replace(id, by: tombstone(of: line, version))
    let xml =
      "from='\(jid)' type='groupchat' id='moderation-\(number)-\(jid)'>\(Self.announcement(of: id, by: jid, version))"
      + "</message>"
    let stanzaID = archive?.add("<message xmlns='jabber:client' " + xml, at: world.serverTime)
    say(
      "<message to='\(recipient)' " + xml.dropLast("</message>".count) + Self.stanzaID(stanzaID, by: jid) + "</message>"
    )
  }

  func isModerated(_ line: RoomLine) -> Bool { line.archiveID.map(moderated.contains) ?? false }

  private static func stanzaID(_ id: String?, by jid: String) -> String {
    id.map { "<stanza-id xmlns='urn:xmpp:sid:0' by='\(jid)' id='\($0)'/>" } ?? ""
  }

  /// The word of a room, or of who wants to be taken for it.
  static func announcement(of id: String, by jid: String, _ version: RoomHabits.Moderation) -> String {
    switch version {
    case .zero:
      "<apply-to xmlns='urn:xmpp:fasten:0' id='\(id)'><moderated xmlns='urn:xmpp:message-moderate:0' by='\(jid)/mod'>"
        + "<retract xmlns='urn:xmpp:message-retract:0'/></moderated></apply-to>"
    case .one:
      "<retract xmlns='urn:xmpp:message-retract:1' id='\(id)'>"
        + "<moderated xmlns='urn:xmpp:message-moderate:1' by='\(jid)/mod'/></retract>"
    }
  }

  private func tombstone(of line: RoomLine, _ version: RoomHabits.Moderation) -> String {
    let stamp = "stamp='\(world.serverTime.wholeSeconds)'"
    let content =
      switch version {
      case .zero:
        "<moderated xmlns='urn:xmpp:message-moderate:0' by='\(jid)/mod'>"
          + "<retracted xmlns='urn:xmpp:message-retract:0' \(stamp)/></moderated>"
      case .one:
        "<retracted xmlns='urn:xmpp:message-retract:1' \(stamp)>"
          + "<moderated xmlns='urn:xmpp:message-moderate:1' by='\(jid)/mod'/></retracted>"
      }
    let id = line.stanzaID.map { " id='\($0)'" } ?? ""
    return "<message xmlns='jabber:client' from='\(jid)/\(line.nick)' type='groupchat'\(id)>\(content)</message>"
  }
}
