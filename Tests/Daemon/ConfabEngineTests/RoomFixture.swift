import Clocks
import JSON
import Testing

@testable import ConfabAccounts

/// A daemon with alice in a scripted room, and a front end that asks it.
struct RoomFixture {
  static let jid = "team@rooms.example.org"

  let harness: Harness
  let client = ClientID(90)

  /// - Parameter isJoined: false: the room is not asked for.
  init(_ room: ScriptedRoom = ScriptedRoom(), isJoined: Bool = true, resumes: Bool = true) throws {
    var server = ScriptedStream()
    server.room = room
    server.acknowledges = true
    if resumes { server.resumption = "max='600'" }
    self.init(try Harness(server: server))
    if isJoined { #expect(ask("join wait=joined \(Self.jid)").last?["ok"]?.bool == true) }
  }

  /// What comes after a crash, or after another process on the same log.
  private init(_ harness: Harness) {
    self.harness = harness
    _ = harness.connect(client.number)
  }

  /// The daemon is killed, and started again an hour later, or at once.
  func killed(after pause: Interval = .zero) throws -> RoomFixture {
    let now = Moment(instant: harness.now.instant.advanced(by: pause), wall: harness.now.wall.advanced(by: pause))
    let next = RoomFixture(try Harness(on: harness.storage, server: harness.server, now: now, seed: 2))
    next.harness.pass(.seconds(1))
    return next
  }

  var room: ScriptedRoom {
    get { harness.server.room ?? ScriptedRoom() }
    nonmutating set { harness.server.room = newValue }
  }

  func ask(_ line: String) -> [JSONValue] { harness.ask(client, line) }

  /// The server sends stanzas.
  func say(_ stanzas: String...) {
    for stanza in stanzas { harness.say(stanza) }
    harness.pass(.seconds(1))
  }

  /// Somebody says something in the room.
  func hear(_ text: String, id: String, by nick: String = "bob", more: String = "") {
    var room = room
    let stanza = room.says(text, id: id, by: nick, more: more)
    self.room = room
    say(stanza)
  }

  var messages: [JSONValue] { ask("history limit=1000 \(Self.jid)").compactMap { $0["message"] } }

  /// Author and text of each message.
  var talk: [String] {
    messages.map {
      let nick = $0["from"]?.string.map { String($0.split(separator: "/", maxSplits: 1).last ?? "") } ?? ""
      return ($0["mine"]?.bool == true ? "me" : nick) + ": " + ($0["text"]?.string ?? "")
    }
  }

  func state(_ text: String) -> String? { messages.first { $0["text"]?.string == text }?["state"]?.string }

  /// The `room` object.
  var object: JSONValue? { ask("room \(Self.jid)").first?["room"] }

  var stateOfRoom: String? { object?["state"]?.string }
}
