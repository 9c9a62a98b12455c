import Clocks

/// The server: its mailboxes, and who is connected.
final class Server {
  let world: World
  let hasManagement: Bool
  let hasResumption: Bool
  /// True if it announces that its messages have archive ids (XEP-0359).
  private(set) var namesIDs: Bool
  private(set) var mailboxes: [Mailbox]
  let rooms: RoomService
  /// Nil: nobody encrypts.
  private(set) var keys: KeyService?
  let witness: LogWitness
  private var connections: [ServerConnection] = []
  private var lastName = 0
  /// How often the daemon was started.
  var starts = 0
  /// Nobody answers.
  private(set) var isDown = false { didSet { rooms.isDown = isDown } }

  init(_ world: World, _ witness: LogWitness) {
    self.world = world
    hasManagement = world.climate.management
    hasResumption = world.climate.resumption
    namesIDs = world.climate.archive?.namesIDs == true
    mailboxes = ["alice@example.org", "ann@work.example"].prefix(world.climate.accounts).map {
      Mailbox(jid: $0, world: world, witness: witness)
    }
    rooms = RoomService(world, witness)
    self.witness = witness
    keys = world.encryption.map { KeyService(self, $0) }
    for mailbox in mailboxes {
      mailbox.sessionEnded = { [rooms] in rooms.sessionEnded($0) }
      mailbox.keys = keys
    }
  }

  /// Contacts on every roster.
  static let contacts = ["bob@example.net", "carol@example.net"]

  func freshName() -> String {
    lastName += 1
    return "session-\(lastName)"
  }

  func mailbox(of domain: String) -> Mailbox? { mailboxes.first { $0.domain == domain } }

  /// Somebody connects.
  func accept(write: @escaping ([UInt8]) -> Void, finish: @escaping () -> Void) -> ServerConnection {
    let connection = ServerConnection(self, write: write, finish: finish)
    connections.append(connection)
    return connection
  }

  func forget(_ connection: ServerConnection) { connections.removeAll { $0 === connection } }

  /// Everything ends in order and comes again later: what was not acknowledged waits in the mailboxes.
  func restart() {
    isDown = true
    for connection in connections { connection.fail("system-shutdown") }
    for mailbox in mailboxes { mailbox.session?.end(remembered: world.dice.percent(90)) }
    rooms.restarted()
    comeBack()
  }

  /// Replaces the server by another one: the archive is rebuilt, the server does not know what it sent to whom, and it
  /// may begin or cease to announce archive ids.
  func change() {
    guard mailboxes.allSatisfy(\.isAnchored) else { return }
    world.see(.changed)
    restart()
    for mailbox in mailboxes {
      mailbox.remembered = [:]
      mailbox.rebuildArchive()
    }
    if world.dice.percent(50) { namesIDs.toggle() }
  }

  /// It dies and comes again later: sessions and what they held are forgotten.
  func crash() {
    isDown = true
    for connection in connections { connection.die() }
    for mailbox in mailboxes {
      mailbox.session?.vanish()
      mailbox.remembered = [:]
    }
    rooms.restarted()
    comeBack()
  }

  private func comeBack() {
    world.after(world.dice.interval(100...60_000)) { [self] in
      isDown = false
      world.trace.line(world.now, "the server is there again")
    }
  }

  /// Ends one stream with an error.
  func endOneStream() {
    guard !connections.isEmpty else { return }
    world.dice.pick(connections).fail(
      world.dice.pick(["undefined-condition", "policy-violation", "reset", "conflict"]))
  }

  /// Whoever is signed in has to do it again.
  func endSessions() {
    for connection in connections { connection.fail("reset") }
    for mailbox in mailboxes { mailbox.session?.end() }
  }

  /// Asks everybody how far they are, so that nothing is left unacknowledged.
  func askAll() {
    for mailbox in mailboxes {
      if let session = mailbox.session, session.isCounting { session.connection?.say("<r xmlns='urn:xmpp:sm:3'/>") }
    }
  }
}
