import Clocks
import ConfabAccounts
import MessageLog
import Records

/// One run: a world made by a seed, the real engine in it, and what goes wrong; then calm, and the promises.
package struct Simulation {
  /// How a run ended.
  package struct Outcome: Sendable {
    package let seed: UInt64
    /// Events that the engine was given.
    package let events: Int
    /// What went wrong on purpose, and how often.
    package let faults: [Fault: Int]
    /// How often each behaviour of servers, archives and senders occurred.
    package let seen: [Behaviour: Int]
    /// Of all events and actions.
    package let digest: UInt64
    /// The promise that was not kept, in words; nil: all were.
    package let broken: String?
  }

  private let seed: UInt64
  private let world: World
  private let witness: LogWitness
  private let server: Server
  private let network: Network
  private let disk: SimulatedDisk
  private let frontEnds: FrontEnds
  private let daemon: Daemon

  /// - Parameters:
  ///   - bug: a mistake to be made on purpose.
  ///   - print: gets each line of the trace.
  package init(seed: UInt64, bug: Mistake? = nil, print: ((String) -> Void)? = nil) {
    self.seed = seed
    world = World(seed: seed, bug: bug, trace: Trace(print: print))
    witness = LogWitness(world)
    server = Server(world, witness)
    network = Network(world, server, witness)
    disk = SimulatedDisk(world, witness, readSeed: seed ^ 0x5EAD)
    frontEnds = FrontEnds(world, witness, rooms: server.rooms.rooms)
    let uuid = LogUUID(random: [UInt8](repeating: 7, count: 16))
    guard let uuid else { preconditionFailure("a UUID takes 16 bytes") }
    frontEnds.checkArchive = { [server] in server.checkArchive($0) }
    daemon = Daemon(world, disk, network, frontEnds, log: uuid)
  }

  /// True if the world of a seed has rooms (XEP-0045).
  package static func hasRooms(seed: UInt64) -> Bool { RoomClimate(seed: seed) != nil }

  /// True if people in the world of a seed encrypt (XEP-0384).
  package static func isEncrypted(seed: UInt64) -> Bool { EncryptionClimate(seed: seed) != nil }

  /// The events that a run takes before it comes to its end.
  private static let length = 1_000

  /// Runs to the end, or to the first promise that is not kept.
  package func run() -> Outcome {
    defer { world.end() }
    daemon.start()
    // Messages are taken as they come by then: stamps of strangers are not believed any more.
    if world.climate.habits.hasStrangers { pass(.minutes(4)) }
    frontEnds.begin()
    let changes = DeviceChanges(world, server)
    People(world, server).begin()
    Strangers(world, server).begin()
    Publishers(world, server).begin()
    RoomPeople(world, server.rooms).begin()
    changes?.begin()
    KeyWatch(world, server, network)?.begin()
    Weather(world: world, server: server, network: network, disk: disk, daemon: daemon, frontEnds: frontEnds).begin()
    while world.broken == nil, daemon.events < Self.length { step() }
    if world.broken == nil { comeToRest() }
    return Outcome(
      seed: seed, events: daemon.events, faults: world.faults, seen: world.seen, digest: world.trace.digest,
      broken: world.broken)
  }

  /// The next thing happens: what is on the agenda, or what the engine wants to be woken for.
  private func step() {
    if let deadline = daemon.nextDeadline, world.nextHappening.map({ deadline < $0 }) ?? true {
      world.move(to: deadline)
      daemon.tick()
    } else {
      world.goOn()
    }
  }

  // MARK: - The end

  /// Nothing goes wrong any more: everything must arrive everywhere.
  private func comeToRest() {
    world.trace.line(world.now, "--- calm ---")
    world.isCalm = true
    DeviceChanges(world, server)?.tellAll()
    network.calm()
    disk.calm()
    // What was kept back while the clock was ahead is not to wait for that.
    world.setClock(by: world.serverTime.advanced(by: .hours(24 * 7)) - world.now.wall)
    daemon.deliver(.clockSet)
    pass(.hours(1))
    frontEnds.askAccounts(to: "connect")
    pass(.hours(2)) { isSettled }
    Publishers(world, server).displayAll()
    DeviceChanges(world, server)?.tellAll()
    server.askAll()
    pass(.minutes(2))
    checkForgottenInRooms()
    // Dead paths make the world silent, so nothing would come.
    network.dieEverywhere()
    pass(.minutes(20))
    network.checkNoneIsDead()
    // Who signs in anew asks the archive for what no copy has brought.
    server.endSessions()
    pass(.hours(1)) { isSettled }
    frontEnds.count()
    pass(.minutes(1))
    checkEnd()
  }

  /// Rooms lose the user without a word: that is noticed within 15 minutes of silence.
  private func checkForgottenInRooms() {
    let rooms = server.rooms.rooms.filter { $0.habits.forgets && $0.habits.isPersistent }
    guard world.broken == nil, !rooms.isEmpty else { return }
    for room in rooms { if let client = room.client { room.forget(client.session) } }
    pass(.minutes(20))
    for room in rooms { world.hold(room.client != nil, "\(room.jid) has lost the user, who notices that") }
  }

  /// Lets time pass, until it is enough: looked at once a second, for it takes a look at everything.
  private func pass(_ interval: Interval, until isEnough: () -> Bool = { false }) {
    let end = world.now.instant.advanced(by: interval)
    var nextLook = world.now.instant
    while world.broken == nil, let next = [world.nextHappening, daemon.nextDeadline].compactMap(\.self).min(),
      next < end
    {
      if next >= nextLook {
        if isEnough() { return }
        nextLook = next.advanced(by: .seconds(1))
      }
      step()
    }
    world.move(to: end)
  }

  private var isSettled: Bool {
    frontEnds.programs.allSatisfy(\.isContent) && server.mailboxes.allSatisfy(\.isEmpty)
      && witness.messages.keys.allSatisfy { witness.isSettled($0) }
  }

  private func checkEnd() {
    guard world.broken == nil else { return }
    world.hold(daemon.isRunning, "the daemon runs")
    for program in frontEnds.programs { world.hold(program.isContent, "\(program.name) has what it asked for") }
    for case let watcher as WatchingProgram in frontEnds.programs { watcher.checkCompleteness() }
    for mailbox in server.mailboxes {
      world.hold(mailbox.isEmpty, "\(mailbox.jid)'s messages are delivered: \(mailbox.undelivered)")
      mailbox.checkConfirmations()
      mailbox.checkSignals()
      mailbox.checkChanges()
      mailbox.checkNodes()
      mailbox.checkRequests()
      server.keys?.checkReaders(mailbox)
    }
    for sender in frontEnds.senders { checkSent(sender) }
    for room in server.rooms.rooms { witness.rooms.checkEnd(room, server.mailboxes[0].session) }
    witness.checkResent()
  }

  /// What was answered `ok` has arrived, or failed for a reason.
  private func checkSent(_ sender: SendingProgram) {
    for (key, id, to) in sender.stored where !to.contains(RoomService.domain) {
      let state = witness.state(of: id)
      let mayFail =
        world.faults[.streamError] != nil || to.hasPrefix("nobody") || witness.messages[id]?.expires != nil
        || witness.ciphers.failedForKeys(id)
      world.hold(state != .failed || mayFail, "\(key), number \(id), failed")
      world.hold(state != .queued, "\(key), number \(id), leaves the outbox")
      guard state != .failed, state != .cancelled, let stanzaID = witness.messages[id]?.stanzaID else { continue }
      world.hold(
        server.mailboxes.contains { $0.arrivals[stanzaID] != nil }, "\(key), number \(id), is \(state.word) and arrived"
      )
    }
  }
}
