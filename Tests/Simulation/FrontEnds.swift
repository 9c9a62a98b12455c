import Clocks
import ConfabAccounts
import JSON

/// Everybody at the daemon's socket.
final class FrontEnds {
  let world: World
  let witness: LogWitness
  /// Gives an event to the daemon.
  var deliver: (Event) -> Void = { _ in }
  private(set) var isListening = false
  private(set) var programs: [FrontEndProgram] = []
  private var connections: [ClientID: FrontEndConnection] = [:]
  private var lastID: UInt64 = 0

  init(_ world: World, _ witness: LogWitness, rooms: [SimulatedRoom]) {
    (self.world, self.witness) = (world, witness)
    let climate = world.climate
    programs += (1...climate.senders).map { SendingProgram("s\($0)", self) }
    programs += (1...climate.watchers).map { WatchingProgram("w\($0)", self) }
    programs += (0..<climate.askers).map { AskingProgram("a\($0)", self) }
    programs.append(CountingProgram("c", self))
    if !rooms.isEmpty { programs.append(RoomProgram("r", self, rooms)) }
  }

  /// Rooms to which messages may go.
  var openRooms: [String] { programs.compactMap { ($0 as? RoomProgram)?.open }.first ?? [] }

  var senders: [SendingProgram] { programs.compactMap { $0 as? SendingProgram } }

  func begin() { for program in programs { program.begin() } }

  /// A connection to the daemon, where it listens.
  func connect(_ program: FrontEndProgram) -> FrontEndConnection? {
    guard isListening else { return nil }
    lastID += 1
    let connection = FrontEndConnection(ClientID(lastID), program, self)
    connections[connection.id] = connection
    deliver(.client(connection.id, .connected(Caller(user: 1000, process: UInt32(lastID)))))
    return connection
  }

  /// The daemon knows that it is gone, or has closed it.
  func forget(_ id: ClientID) { connections[id] = nil }

  func perform(_ action: ClientAction, _ id: ClientID) {
    guard let connection = connections[id] else {
      return world.hold(false, "a front end that is gone is left alone: \(action)")
    }
    connection.perform(action)
  }

  /// Checks what `status` says of an account's archive.
  var checkArchive: (JSONValue) -> Void = { _ in }

  func daemonStarted() { isListening = true }

  func daemonEnded() {
    isListening = false
    let all = connections.values.sorted { $0.id.number < $1.id.number }
    connections = [:]
    for connection in all { connection.end() }
  }

  /// A front end asks all accounts to connect or disconnect.
  func askAccounts(to verb: String) { senders.first { $0.connection != nil }?.askAccounts(to: verb) }

  /// A front end asks how much is unread now.
  func count() { for case let program as CountingProgram in programs { program.ask() } }

  /// A front end sends a message now.
  func writeOne() { world.dice.pick(senders).write() }

  // MARK: - What goes wrong

  /// One of those that are connected dies, perhaps in the middle of a line.
  func killOne() {
    let alive = programs.filter { $0.connection != nil }
    if !alive.isEmpty { world.dice.pick(alive).die() }
  }

  /// One of those that are connected reads nothing for a while.
  func slowDownOne(_ interval: Interval) {
    let alive = programs.compactMap(\.connection)
    if !alive.isEmpty { world.dice.pick(alive).readNothing(for: interval) }
  }
}

/// One connection of a front end, as the front end has it.
final class FrontEndConnection {
  let id: ClientID
  private unowned let program: FrontEndProgram
  private unowned let frontEnds: FrontEnds
  private var partial: [UInt8] = []
  private var isPaused = false
  private var unsent: [UInt8] = []
  private var unread = 0
  private var untakenDescriptors = 0
  private var readsAfter = Instant(milliseconds: 0)
  private(set) var isOver = false
  /// What is in the socket, and how much of the log was durable when it was written.
  private var arriving: [(bytes: [UInt8], durable: UInt64)] = []

  init(_ id: ClientID, _ program: FrontEndProgram, _ frontEnds: FrontEnds) {
    (self.id, self.program, self.frontEnds) = (id, program, frontEnds)
  }

  private var world: World { frontEnds.world }

  // MARK: - To the daemon

  func write(_ text: String) {
    if isPaused { unsent += Array(text.utf8) } else { hand(Array(text.utf8)) }
  }

  private func hand(_ bytes: [UInt8]) {
    let bytes = Array(world.rewriter.toDaemon(String(decoding: bytes, as: UTF8.self)).utf8)
    world.after(.zero) { [self] in if !isOver { frontEnds.deliver(.client(id, .received(bytes))) } }
  }

  /// It goes, from one moment to the next.
  func close() {
    guard !isOver else { return }
    isOver = true
    frontEnds.deliver(.client(id, .closed))
  }

  /// The daemon is gone.
  func end() {
    guard !isOver else { return }
    isOver = true
    program.disconnected(self)
  }

  func readNothing(for interval: Interval) { readsAfter = world.now.instant.advanced(by: interval) }

  // MARK: - From the daemon

  func perform(_ action: ClientAction) {
    guard !isOver else { return }
    switch action {
    case .write(let bytes): take(bytes)
    case .writePassing(let bytes, _):
      untakenDescriptors += 1
      take(bytes)
    case .pause:
      world.hold(!isPaused, "a pause is followed by its end")
      isPaused = true
    case .resume:
      world.hold(isPaused, "what is not paused is not resumed")
      isPaused = false
      if !unsent.isEmpty { hand(unsent) }
      unsent = []
    case .close, .rejectAndClose:
      frontEnds.forget(id)
      world.after(.zero) { [self] in end() }
    }
  }

  /// Bytes wait in the socket until they are read.
  private func take(_ bytes: [UInt8]) {
    arriving.append((bytes, frontEnds.witness.durable))
    unread += bytes.count
    world.hold(unread < 2 << 20, "what a front end does not read is not made")
    guard arriving.count == 1 else { return }
    let reading = max(readsAfter, world.now.instant.advanced(by: world.dice.pause(.milliseconds(1))))
    world.at(reading) { [self] in readAll() }
  }

  private func readAll() {
    guard !isOver else { return }
    let all = arriving
    (arriving, unread) = ([], 0)
    let taken = untakenDescriptors
    untakenDescriptors = 0
    world.after(.zero) { [self] in
      if taken > 0, !isOver { frontEnds.deliver(.client(id, .descriptorsTaken(taken))) }
      if !isOver { frontEnds.deliver(.client(id, .drained)) }
    }
    for (bytes, durable) in all { read(bytes, durable) }
  }

  private func read(_ bytes: [UInt8], _ durable: UInt64) {
    partial += bytes
    while let end = partial.firstIndex(of: 0x0A), !isOver {
      let line = Array(partial[..<end])
      partial.removeSubrange(...end)
      guard let value = try? JSONParser.parse(line, maximumDepth: 64) else {
        return world.hold(false, "a line is JSON: \(String(decoding: line, as: UTF8.self))")
      }
      check(value, durable)
      let told = world.bug == .countedByPlace ? frontEnds.miscounted(value) : value
      for _ in 0..<world.rewriter.copies(toFrontEnd: told) { program.hear(told) }
    }
  }

  /// Every number that is told is durable when it is told.
  private func check(_ line: JSONValue, _ durable: UInt64) {
    for number in [line["seq"], line["last"], line["id"], line["message"]?["id"]].compactMap({ $0?.integer }) {
      world.hold(number <= Int64(durable), "\(number) was told when \(durable) was durable: \(line)")
    }
  }
}
