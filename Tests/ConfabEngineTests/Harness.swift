import Clocks
import ConfabEngine
import Crypto
import JSON
import MessageLog
import Records
import SASL
import Settings
import TestSupport
import Testing
import XMPPStream

/// Randomness by a seed.
final class SeededRandom: RandomSource {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }
}

/// The real engine over a log in memory, with a clock, a disk and a server that are cranked by hand.
final class Harness {
  let storage: MemoryStorage
  let engine: Engine
  var now = Moment(instant: Instant(milliseconds: 1_000_000), wall: Timestamp(milliseconds: 1_760_000_000_000))
  var server = ScriptedStream()
  /// Batches that wait for `sync`.
  private var batches: [LogBatch] = []
  /// Sync at once, as a fast disk would; false: only when told.
  var syncsAtOnce = true
  /// Every action in its order, with what the outside saw.
  private(set) var trace: [Trace] = []
  private(set) var exitStatus: Int32?
  private var lines: [ClientID: [UInt8]] = [:]
  private(set) var closedClients: Set<ClientID> = []
  private(set) var link: LinkID?
  private(set) var checkpoints: [Checkpoint] = []

  enum Trace: Equatable {
    case synced
    case toServer(String)
    case toClient(String)
  }

  /// A daemon's start: over a new log, or over what an earlier one left.
  init(
    on storage: MemoryStorage = MemoryStorage(), accounts: [AccountSettings] = [Harness.alice],
    gap: Interval = .hours(24),
    seed: UInt64 = 1
  ) throws {
    self.storage = storage
    let uuid = try #require(LogUUID(random: Array(repeating: 7, count: 16)))
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    var facts = Facts(gap: gap)
    if let checkpoint = recovery.checkpoint {
      facts = try #require(Facts.restored(from: checkpoint.body, sequence: checkpoint.sequence, gap: gap))
    }
    let log = try recovery.run { facts.fold($0) }
    var configuration = Configuration()
    configuration.accounts = accounts
    configuration.daemon.snapInterval = gap
    engine = Engine(
      configuration: configuration, facts: facts, log: uuid, writer: log.makeWriter(uuid: uuid),
      reader: LogReader(storage: storage), random: SeededRandom(seed), now: now, utcOffset: { _ in 0 })
    handle(.started)
  }

  static var alice: AccountSettings {
    var settings = AccountSettings(name: "home", jid: "alice@example.org")
    settings.password = Secret(Array("secret".utf8))
    settings.server = HostPort(host: "127.0.0.1", port: 5223)
    settings.tls = .direct
    return settings
  }

  func handle(_ event: Event) {
    var actions: [Action] = []
    engine.handle(event, at: now, into: &actions)
    for action in actions { perform(action) }
  }

  /// Lets time pass, waking the engine at each of its deadlines.
  func pass(_ interval: Interval) {
    let end = now.instant.advanced(by: interval)
    while let next = engine.nextDeadline, next <= end {
      move(to: max(next, now.instant))
      let before = engine.nextDeadline
      handle(.tick)
      if engine.nextDeadline == before { break }
    }
    move(to: end)
  }

  private func move(to instant: Instant) {
    now.wall = now.wall.advanced(by: instant - now.instant)
    now.instant = instant
  }

  private func perform(_ action: Action) {
    switch action {
    case .link(let id, let action): perform(action, id)
    case .client(let id, .write(let bytes)):
      lines[id, default: []] += bytes
      trace.append(.toClient(String(decoding: bytes, as: UTF8.self)))
      handleLater(.client(id, .drained))
    case .client(let id, .close): closedClients.insert(id)
    case .client: break
    case .commit(let batch):
      batches.append(batch)
      if syncsAtOnce { handleLater(nil) }
    case .checkpoint(let checkpoint):
      checkpoints.append(checkpoint)
      try? checkpoint.write(to: storage)
    case .exit(let status): exitStatus = status
    case .readConfiguration, .logLevel, .journal: break
    }
  }

  private func perform(_ action: LinkAction, _ id: LinkID) {
    switch action {
    case .connect:
      link = id
      server.restart()
      handleLater(.link(id, .opened(remote: "127.0.0.1:5223")))
    case .startTLS: handleLater(.link(id, .secured(TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384"))))
    case .write(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      trace.append(.toServer(text))
      for answer in server.receive(text) { handleLater(.link(id, .received(Array(answer.utf8)))) }
      if server.hasClosed { handleLater(.link(id, .closed(nil))) }
    case .derive(_, let derivation):
      let key = (try? derivation.saltedPassword(from: Array("secret".utf8))) ?? []
      handleLater(.derived(id, .key(key)))
    case .close, .abort: if link == id { link = nil }
    case .resolve, .pause, .resume: break
    }
  }

  // MARK: - Events that follow from actions, one after the other

  private var later: [Event?] = []
  private var isDraining = false

  private func handleLater(_ event: Event?) {
    later.append(event)
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    // The engine has returned before any of these is handled: `perform` runs after `handle`'s call.
    while !later.isEmpty {
      if let event = later.removeFirst() { handle(event) } else { sync() }
    }
  }

  /// The disk does what it was given.
  func sync(failing error: StorageError? = nil) {
    guard !batches.isEmpty else { return }
    let batch = batches.removeFirst()
    if let error { return handle(.committed(.failed(error))) }
    do throws(StorageError) {
      try batch.perform(on: storage)
      trace.append(.synced)
      handle(.committed(.done))
    } catch {
      handle(.committed(.failed(error)))
    }
  }

  // MARK: - Front ends and the server

  /// Connects a front end; its greeting is taken.
  func connect(_ number: UInt64 = 1) -> ClientID {
    let id = ClientID(number)
    handle(.client(id, .connected))
    _ = takeLines(id)
    return id
  }

  func send(_ id: ClientID, _ text: String) { handle(.client(id, .received(Array(text.utf8)))) }

  /// The lines that a front end got since it was last asked, parsed.
  func takeLines(_ id: ClientID) -> [JSONValue] {
    defer { lines[id] = [] }
    return (lines[id] ?? []).split(separator: 0x0A).compactMap { try? JSONParser.parse(Array($0)) }
  }

  /// Asks, lets short time pass, and gives all lines that came.
  func ask(_ id: ClientID, _ text: String) -> [JSONValue] {
    send(id, text + "\n")
    pass(.milliseconds(50))
    return takeLines(id)
  }

  /// The server sends this.
  func receive(_ xml: String) {
    guard let link else { return }
    handle(.link(link, .received(Array(xml.utf8))))
  }

  func clearTrace() { trace.removeAll() }

  var toServer: String { trace.map { if case .toServer(let text) = $0 { text } else { "" } }.joined() }
}
