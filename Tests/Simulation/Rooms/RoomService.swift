import Clocks
import XML
import XMPPCore

/// The service of rooms beside the server.
final class RoomService {
  static let domain = "rooms.example.org"
  let rooms: [SimulatedRoom]
  /// Nobody answers.
  var isDown = false

  init(_ world: World, _ witness: LogWitness) {
    rooms = (world.rooms?.rooms ?? []).enumerated().map {
      SimulatedRoom("room\($0.offset + 1)@\(Self.domain)", $0.element, world, witness.rooms)
    }
  }

  /// True of an address of the service or of one of its rooms.
  func has(_ address: String?) -> Bool {
    !rooms.isEmpty && address.map { Self.bare($0).hasSuffix(Self.domain) } ?? false
  }

  private func room(_ address: String) -> SimulatedRoom? { rooms.first { $0.jid == Self.bare(address) } }

  static func bare(_ jid: String) -> String { String(jid.prefix { $0 != "/" }) }

  static func nick(_ jid: String) -> String? {
    let rest = jid.drop { $0 != "/" }.dropFirst()
    return rest.isEmpty ? nil : String(rest)
  }

  // MARK: - From the user's client

  func take(_ message: Element, _ session: ServerSession) {
    guard let to = message.attribute("to"), let room = room(to) else { return }
    if let nick = Self.nick(to) {
      room.take(private: message, to: nick, from: session)
    } else {
      room.take(message, from: session)
    }
  }

  func take(presence: Element, _ session: ServerSession) {
    guard let to = presence.attribute("to"), let room = room(to), let nick = Self.nick(to) else { return }
    if presence.attribute("type") == "unavailable" { return room.leave(session) }
    guard presence.attribute("type") == nil else { return }
    guard let join = presence.child("x", "http://jabber.org/protocol/muc") else { return room.update(session, nick) }
    room.enter(session, as: nick, join)
  }

  func take(iq: Element, _ id: String, _ session: ServerSession) {
    guard let to = iq.attribute("to") else { return }
    guard let room = room(to) else { return refuse(id, to, session, "item-not-found") }
    guard let outcome = room.answer(iq, to: to, session) else { return refuse(id, to, session, "service-unavailable") }
    switch outcome {
    case .result(let payload): session.send("<iq type='result' id='\(id)' from='\(to)'>\(payload)</iq>")
    case .error(let condition): refuse(id, to, session, condition)
    }
  }

  private func refuse(_ id: String, _ from: String, _ session: ServerSession, _ condition: String) {
    session.send(
      "<iq type='error' id='\(id)' from='\(from)'><error type='cancel'>"
        + "<\(condition) xmlns='\(Namespace.stanzaErrors)'/></error></iq>")
  }

  // MARK: - Life

  /// A session is over: whoever it was is in no room any more.
  func sessionEnded(_ session: ServerSession) { for room in rooms { room.forget(session) } }

  /// The service has gone with the server, and comes back.
  func restarted() { for room in rooms { room.restarted() } }
}
