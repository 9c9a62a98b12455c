import JSON
import TestSupport
import Testing

/// Somebody in three rooms of a real server, by a daemon behind a link that can be cut.
final class RoomGuest {
  let name: String
  let daemon: Daemon
  private let proxy: CountingProxy
  /// The messages said, by room: text and number of each message that was answered `ok`.
  private(set) var said: [String: [(text: String, id: Int64)]] = [:]
  private var count = 0

  init(
    _ name: String, at server: some AccountServer, in folder: TemporaryFolder, encryption: String = "never",
    home: String? = nil
  ) throws {
    self.name = name
    proxy = try CountingProxy(to: server.directTLSPort, in: folder)
    var account = server.account(name, tls: "direct")
    (account.port, account.encryption) = (proxy.port, encryption)
    daemon = try Daemon(home ?? name, in: folder, accounts: [account])
    try daemon.client().waitUntilOnline()
    if encryption != "never" { try daemon.client().waitForDevice() }
  }

  /// Makes a room of mine one for members only who are shown.
  func close(_ room: String, for members: [String]) throws {
    let client = try daemon.client()
    try client.ask("configure \(room) muc#roomconfig_membersonly=yes muc#roomconfig_whois=anyone")
    for name in members where name != self.name { try client.ask("affiliation \(room) \(name)@example.test member") }
  }

  func join(_ room: String, isNew: Bool) throws {
    #expect(try daemon.client().request("join \(isNew ? "create=yes " : "")wait=joined \(room)").isOK)
  }

  /// Says the next thing. A room that is gone takes nothing, and says so.
  func say(in room: String) throws {
    count += 1
    let text = "\(name) \(count)"
    let answer = try daemon.client().request("send \(room) \(text)")
    if answer.isOK, let id = answer.id { said[room, default: []].append((text, id)) }
  }

  func cut() throws { try proxy.cut() }

  /// Nothing comes from the server or reaches it any more, and nobody is told.
  func freeze() throws { try proxy.freeze() }

  /// Asks for a connection now, however long the pause is, and is back when the rooms are joined again.
  func settle(_ rooms: [String]) throws {
    let client = try daemon.client()
    try client.ask("connect")
    try client.waitUntilOnline()
    for room in rooms { #expect(try client.request("join wait=joined timeout=60s \(room)").isOK, "\(name), \(room)") }
  }

  /// The outcome of each message of this guest in a room, by text: `delivered`, or why not.
  func ends(in room: String) throws -> [String: String] {
    let client = try daemon.client()
    return try (said[room] ?? []).reduce(into: [:]) { ends, message in
      let answer = try client.request("wait for=delivered timeout=90s \(message.id)", until: .seconds(120))
      ends[message.text] = answer.isOK ? "delivered" : answer.final.text("condition") + answer.final.text("text")
    }
  }

  /// The texts of messages of which nobody can tell whether the room had them before they were sent again.
  func doubtful(in room: String) throws -> [String] {
    try messages(in: room).filter { $0["in_doubt"]?.bool == true }.map { $0.text("text") }
  }

  func messages(in room: String) throws -> [JSONValue] { try daemon.client().wholeHistory(room) }

  /// Back when all of these texts are in a room.
  func wait(for texts: Set<String>, in room: String) throws {
    let watcher = try daemon.client()
    try watcher.ask("watch since=0 kinds=message in=\(room)")
    var missing = texts
    while !missing.isEmpty {
      guard let event = try? watcher.event("message") else { return }
      missing.remove(event["message"]?.text("text") ?? "")
    }
  }
}

/// Three people who talk in three rooms: one with an archive, one that stays and has none, and one that goes with the last
/// of them.
struct RoomLife {
  static let archived = "team@rooms.example.test"
  static let accounts = ["alice": "secret-a", "bob": "secret-b", "carol": "secret-c"]

  let rooms: [String]
  let guests: [RoomGuest]
  var chance: Chance

  /// - Parameters:
  ///   - others: rooms without an archive.
  ///   - encryption: of all accounts; unless it is `never`, the rooms are for members only.
  init(
    at server: some AccountServer, in folder: TemporaryFolder, others: [String] = [], encryption: String = "never"
  ) throws {
    chance = Chance("rooms at \(type(of: server))")
    rooms = [Self.archived] + others
    guests = try Self.accounts.keys.sorted().map { try RoomGuest($0, at: server, in: folder, encryption: encryption) }
    for room in rooms {
      for (place, guest) in guests.enumerated() {
        try guest.join(room, isNew: place == 0)
        if place == 0, encryption != "never" { try guest.close(room, for: guests.map(\.name)) }
      }
    }
  }

  /// Some say something, somewhere.
  mutating func talk(without absent: RoomGuest? = nil) throws {
    for _ in 0..<chance.draw(0...4) {
      let guest = guests[chance.draw(0...2)]
      if guest !== absent { try guest.say(in: rooms[chance.draw(0...rooms.count - 1)]) }
    }
  }

  /// Somebody's daemon is killed, while the others talk.
  mutating func kill() throws {
    let victim = guests[chance.draw(0...2)]
    try victim.daemon.kill()
    try talk(without: victim)
    chance.pause(upTo: 300)
    try victim.daemon.start()
  }

  /// Somebody's link breaks.
  mutating func cut() throws {
    try guests[chance.draw(0...2)].cut()
    try talk()
    chance.pause(upTo: 300)
  }

  /// The server is stopped, or killed, and comes back; the rooms as well.
  mutating func restart(_ prosody: Prosody) throws {
    if chance.draw(0...1) == 0 { try prosody.stop() } else { try prosody.kill() }
    try talk()
    try prosody.start()
    for guest in guests { try guest.settle(rooms) }
    try talk()
  }

  /// One person's link brings nothing while the others say `count` things: more than a server keeps for a stream.
  func flood(_ count: Int) throws {
    try guests[2].freeze()
    for number in 0..<count { try guests[number % 2].say(in: Self.archived) }
    try guests[0].wait(for: Set((guests[1].said[Self.archived] ?? []).map(\.text)), in: Self.archived)
    try guests[2].cut()
  }

  /// Every message is encrypted, and can be read.
  func expectAllEncrypted() throws {
    for guest in guests {
      for room in rooms {
        let messages = try guest.messages(in: room)
        let odd = messages.filter { $0["encrypted"]?["version"] == nil || $0["encrypted"]?["error"] != nil }
        let words = odd.map { "\($0["mine"]?.bool == true ? "my" : "") \($0.text("text")) \($0["encrypted"] ?? .null)" }
        #expect(words.isEmpty, "at \(guest.name) in \(room), \(seed)")
      }
    }
  }

  private var seed: String { "CONFAB_SEED=\(chance.seed)" }

  /// Checks the promises once all is quiet again.
  ///
  /// - Parameter archive: all messages in the archive of a room whose server may take a message twice; nil: it takes none
  ///   twice.
  func expectAll(archive: ((String) throws -> [String])? = nil) throws {
    for guest in guests { try guest.settle(rooms) }
    for room in rooms {
      var delivered: Set<String> = []
      for guest in guests {
        for (text, end) in try guest.ends(in: room) {
          #expect(end == "delivered" || room != Self.archived, "\(text) in \(room): \(end), \(seed)")
          if end == "delivered" { delivered.insert(text) }
        }
      }
      let taken = Dictionary(grouping: try archive?(room) ?? []) { $0 }.mapValues(\.count)
      try expectOnce(delivered, in: room, takenTwice: Set(taken.filter { $0.value > 1 }.keys))
    }
  }

  /// Each log has each message once, and all have one order. A room without an archive keeps what was missed for a while,
  /// and not over a restart: what it showed before one and after it stands at either place. Messages that the server took
  /// twice are there twice, but for their author.
  private func expectOnce(_ delivered: Set<String>, in room: String, takenTwice: Set<String>) throws {
    var logs: [[String]] = []
    let doubtful = try room == Self.archived ? takenTwice : Set(guests.flatMap { try $0.doubtful(in: room) })
    for guest in guests {
      if room == Self.archived { try guest.wait(for: delivered, in: room) }
      let messages = try guest.messages(in: room)
      let texts = messages.map { $0.text("text") }
      let doubles = Dictionary(grouping: texts) { $0 }.filter { $0.value.count > (takenTwice.contains($0.key) ? 2 : 1) }
        .keys.sorted()
      #expect(doubles.isEmpty, "twice at \(guest.name) in \(room), \(seed)")
      let own = Set((guest.said[room] ?? []).map(\.text))
      let wanted = room == Self.archived ? delivered : delivered.intersection(own)
      #expect(wanted.subtracting(texts).isEmpty, "missing at \(guest.name) in \(room), \(seed)")
      logs.append(texts.filter(delivered.subtracting(doubtful).contains))
    }
    for (place, log) in logs.enumerated().dropFirst() {
      let common = Set(log).intersection(logs[0])
      let (first, other) = (logs[0].filter(common.contains), log.filter(common.contains))
      #expect(first == other, "\(guests[0].name) and \(guests[place].name) in \(room), \(seed)")
    }
  }
}
