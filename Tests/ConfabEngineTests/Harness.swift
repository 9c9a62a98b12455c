import Clocks
import ConfabEngine
import Crypto
import Facts
import JSON
import MessageLog
import Records
import SASL
import Search
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
  /// Where the log is: `storage`, or a disk that fails.
  let disk: any LogStorage
  let engine: Engine
  private(set) var configuration = Configuration()
  var now = Moment(instant: Instant(milliseconds: 1_000_000), wall: Timestamp(milliseconds: 1_760_000_000_000))
  /// The servers by their ports: the engine connects to 5223 for `home`, 5224 for `work`.
  private var servers: [UInt16: ScriptedStream] = [
    5224: ScriptedStream(of: "ann@work.example"), 5225: ScriptedStream(of: "eve@third.example"),
    5226: ScriptedStream(of: "dan@fourth.example"),
  ]
  private var ports: [LinkID: UInt16] = [:]
  private var links: [UInt16: LinkID] = [:]
  var server: ScriptedStream {
    get { servers[5223] ?? ScriptedStream() }
    set { servers[5223] = newValue }
  }
  /// Batches that wait for `sync`.
  private var batches: [LogBatch] = []
  /// Sync at once, as a fast disk would; false: only when told.
  var syncsAtOnce = true
  /// Answers of the driver to `Action.readConfiguration`.
  var nextConfiguration: ConfigurationOutcome?
  /// Where the engine connected to, one after the other.
  private(set) var targets: [String] = []
  var connects: Int { targets.count }
  /// How often it asked for a fresh look at the name servers.
  private(set) var refreshes = 0
  /// Front ends that do not read: what was written to them is not reported as gone.
  var stalled: Set<ClientID> = []
  private(set) var paused: Set<ClientID> = []
  /// Links that are not to be read.
  private(set) var pausedLinks: Set<LinkID> = []
  private(set) var journal: [String] = []
  /// What each of its lines is about.
  private(set) var journalFields: [JournalFields] = []
  /// Those of its lines that are there by default.
  private(set) var told: [String] = []
  /// Whose certificates were asked for.
  private(set) var tlsDomains: [String] = []
  /// Every state that the service manager was told.
  var serviceStatus: [String] = []
  /// The network says nothing by itself: links are only noted.
  var holdsLinks: Bool
  /// What handshakes come to.
  var tls = TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384")
  /// What is made of the password comes at once; false: only when told, as a password command takes its time.
  var derivesKeys = true
  private var wanted: (link: LinkID, request: CredentialRequest)?
  /// The links' kernel buffers are full while false.
  var linksDrain = true
  /// How often memory was given back.
  private(set) var releases = 0
  /// Every action, as text; only where asked for.
  var recordsActions = false
  private(set) var actions: [String] = []
  /// Every action in its order, with what the outside saw.
  private(set) var trace: [Trace] = []
  private(set) var exitStatus: Int32?
  private var lines: [ClientID: [UInt8]] = [:]
  private(set) var closedClients: Set<ClientID> = []
  /// Those of them who are waited for.
  private(set) var turnedAway: Set<ClientID> = []
  /// The connection to the server of `home`.
  var link: LinkID? { links[5223] }
  private(set) var checkpoints: [Checkpoint] = []
  /// How often pages of the index were handed out.
  private(set) var pageBatches = 0
  /// Searches are done at once; false: only when told.
  var searchesAtOnce = true
  private(set) var searches: SearchQueue
  /// How many were cancelled.
  private(set) var cancelled = 0
  /// Pages are only written when told.
  var holdsPages = false
  private var pages: [PageBatch] = []
  /// What the start found, and the checkpoint that it used.
  let opened: (report: RecoveryReport, checkpoint: UInt64?)

  enum Trace: Equatable {
    case synced
    case toServer(String)
    case toClient(String)
  }

  /// A daemon's start: over a new log, or over what an earlier one left.
  ///
  /// - Parameters:
  ///   - disk: has the log in place of `storage`.
  ///   - server: the one of `home`.
  init(
    on storage: MemoryStorage = MemoryStorage(), disk: (any LogStorage)? = nil,
    segmentSize: UInt64 = LogFormat.segmentSize, heldLimit: Int? = nil, foldLimit: Int = .max,
    accounts: [AccountSettings] = [Harness.alice],
    server: ScriptedStream = ScriptedStream(), sockets: [SocketSettings] = [], gap: Interval = .hours(24),
    now: Moment? = nil, seed: UInt64 = 1, host: Host = Host(user: 1000), recordsActions: Bool = false,
    holdsLinks: Bool = false,
    configure: (inout Configuration) -> Void = { _ in }
  ) throws {
    servers[5223] = server
    if let now { self.now = now }
    self.holdsLinks = holdsLinks
    self.recordsActions = recordsActions
    self.storage = storage
    let disk = disk ?? storage
    self.disk = disk
    searches = SearchQueue(storage: disk)
    let uuid = try #require(LogUUID(random: Array(repeating: 7, count: 16)))
    let opened = try OpenFacts(disk, of: uuid, gap: gap, heldLimit: heldLimit, foldLimit: foldLimit)
    self.opened = (opened.report, opened.checkpoint)
    configuration.accounts = accounts
    configuration.sockets = sockets
    configuration.daemon.snapInterval = gap
    configure(&configuration)
    engine = Engine(
      configuration: configuration, facts: opened.facts, log: uuid,
      writer: opened.log.makeWriter(uuid: uuid, segmentSize: segmentSize), reader: LogReader(storage: disk),
      random: SeededRandom(seed), now: self.now,
      host: host, utcOffset: { _ in 0 }, rest: opened.rest)
    handle(.started)
  }

  /// A second account.
  static var work: AccountSettings {
    var settings = alice
    settings.name = "work"
    settings.jid = "ann@work.example"
    settings.server = HostPort(host: "127.0.0.1", port: 5224)
    return settings
  }

  static var alice: AccountSettings {
    var settings = AccountSettings(name: "home", jid: "alice@example.org")
    settings.password = Secret(Array("secret".utf8))
    settings.server = HostPort(host: "127.0.0.1", port: 5223)
    settings.tls = .direct
    return settings
  }

  /// Hands the engine an event, does what it wants, and hands it what follows from that, one after the other.
  func handle(_ event: Event) { handleLater(event) }

  /// The configuration was changed and is read again.
  func reload(_ change: (inout Configuration) -> Void) {
    change(&configuration)
    handle(.configuration(.read(configuration)))
  }

  /// Lets time pass, waking the engine at each of its deadlines.
  ///
  /// - Parameter isEnough: ends it early.
  func pass(_ interval: Interval, until isEnough: () -> Bool = { false }) {
    let end = now.instant.advanced(by: interval)
    while !isEnough(), let next = engine.nextDeadline, next <= end {
      move(to: max(next, now.instant))
      let before = engine.nextDeadline
      handle(.tick)
      guard engine.nextDeadline != before else {
        Issue.record("the engine wants to be woken again and again, for nothing")
        break
      }
    }
    if !isEnough() { move(to: end) }
  }

  private func move(to instant: Instant) {
    now.wall = now.wall.advanced(by: instant - now.instant)
    now.instant = instant
  }

  private func perform(_ action: Action) {
    if recordsActions { actions.append(Self.text(of: action)) }
    switch action {
    case .link(let id, let action): perform(action, id)
    case .client(let id, .write(let bytes)):
      lines[id, default: []] += bytes
      trace.append(.toClient(String(decoding: bytes, as: UTF8.self)))
      if !stalled.contains(id) { handleLater(.client(id, .drained)) }
    case .client(let id, .close): closedClients.insert(id)
    case .client(let id, .turnAway):
      closedClients.insert(id)
      turnedAway.insert(id)
    case .client(let id, .pause): paused.insert(id)
    case .client(let id, .resume): paused.remove(id)
    case .commit(let batch):
      batches.append(batch)
      if syncsAtOnce { handleLater(nil) }
    case .keepReserve:
      guard let trouble = reserveTrouble else { break }
      handleLater(.reserveKept(trouble()))
    case .storePages(let batch):
      pageBatches += 1
      pages.append(batch)
      if !holdsPages { storePages() }
    case .checkpoint(let snapshot):
      checkpoints.append(snapshot.checkpoint)
      handleLater(.checkpointStored(snapshot.perform(on: disk)))
    case .search(let id, let query, let scope):
      searches.add(id, query, in: scope)
      if searchesAtOnce { search() }
    case .cancelSearch(let id):
      searches.cancel(id)
      cancelled += 1
    case .exit(let status): exitStatus = status
    case .readConfiguration: if let nextConfiguration { handleLater(.configuration(nextConfiguration)) }
    case .journal(let level, let line, let fields):
      journalFields.append(fields)
      journal.append(line)
      if level <= .info { told.append(line) }
    case .serviceStatus(let words): serviceStatus.append(words)
    case .refreshNames: refreshes += 1
    case .releaseMemory: releases += 1
    case .logLevel, .forgetKeys: break
    }
  }

  private func perform(_ action: LinkAction, _ id: LinkID) {
    if case .connect(let host, let port, _) = action { targets.append("\(host):\(port)") }
    if holdsLinks { return hold(action, id) }
    switch action {
    case .connect(_, let port, _):
      ports[id] = port
      links[port] = id
      servers[port]?.restart()
      handleLater(.link(id, .opened(remote: "127.0.0.1:5223")))
    case .startTLS(let request):
      tlsDomains.append(request.domain)
      // Only who is known has the certificate.
      let isKnown = ports[id].map { servers[$0] != nil } ?? false
      handleLater(.link(id, isKnown ? .secured(tls) : .closed("the certificate is for evil.example")))
    case .write(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      trace.append(.toServer(text))
      guard let port = ports[id] else { break }
      if linksDrain { handleLater(.link(id, .drained)) }
      for answer in servers[port]?.receive(text) ?? [] { handleLater(.link(id, .received(Array(answer.utf8)))) }
      if servers[port]?.hasClosed == true { handleLater(.link(id, .closed(servers[port]?.closingReason))) }
    case .derive(_, let request):
      wanted = (id, request)
      if derivesKeys { derive() }
    case .close, .abort: if let port = ports.removeValue(forKey: id), links[port] == id { links[port] = nil }
    case .pause: pausedLinks.insert(id)
    case .resume: pausedLinks.remove(id)
    case .resolve: break
    }
  }

  /// What the last login needs of the password is there.
  func derive() {
    guard let wanted else { return }
    handleLater(.derived(wanted.link, .credential(ScriptedStream.credential(for: wanted.request))))
  }

  private func hold(_ action: LinkAction, _ id: LinkID) {
    switch action {
    case .resolve, .connect: links[5223] = id
    case .close, .abort: if links[5223] == id { links[5223] = nil }
    case .write(let bytes): trace.append(.toServer(String(decoding: bytes, as: UTF8.self)))
    case .startTLS, .derive, .pause, .resume: break
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
    while !later.isEmpty {
      guard let event = later.removeFirst() else {
        sync()
        continue
      }
      var actions: [Action] = []
      engine.handle(event, at: now, into: &actions)
      for action in actions { perform(action) }
    }
  }

  /// Says whether room for one more segment can be kept; nil: nobody hears of that.
  var reserveTrouble: (() -> StorageError?)?

  /// A batch waits for `sync`.
  var hasBatch: Bool { !batches.isEmpty }

  /// The disk does what it was given.
  ///
  /// - Parameters:
  ///   - error: how it fails; what is tried again at once fails too, unless it fails only `once`.
  ///   - written: what fails has reached the disk all the same.
  ///   - withdrawn: and could be taken back.
  ///   - inReserve: it is done in the room that was kept.
  func sync(
    failing error: StorageError? = nil, written: Bool = false, withdrawn: Bool = true, once: Bool = false,
    inReserve: Bool = false
  ) {
    guard !batches.isEmpty else { return }
    let batch = batches.removeFirst()
    if let error {
      if written { try? batch.perform(on: storage) }
      let isWithdrawn = withdrawn && batch.withdraw(from: storage)
      let (syncsAtOnce, first) = (syncsAtOnce, batch.sequences.lowerBound)
      self.syncsAtOnce = syncsAtOnce && once
      handle(.committed(.failed(error, isWithdrawn: isWithdrawn)))
      self.syncsAtOnce = syncsAtOnce
      guard !once, batches.first?.sequences.lowerBound == first else { return }
      return sync(failing: error, written: written, withdrawn: withdrawn, once: true)
    }
    let outcome = batch.store(on: disk)
    if outcome == .stored { trace.append(.synced) }
    handle(.committed(outcome == .stored && inReserve ? .storedInReserve : outcome))
  }

  /// What a crash leaves while the next batch is written: so many of 8 parts of it.
  func image(parts: Int) throws -> MemoryStorage {
    let before = storage.snapshot
    let whole = MemoryStorage(before)
    try batches.first?.perform(on: whole)
    var content = whole.snapshot
    for (segment, bytes) in content.segments {
      let old = before.segments[segment]?.count ?? 0
      content.segments[segment] = Array(bytes.prefix(old + (bytes.count - old) * parts / 8))
    }
    return MemoryStorage(content)
  }

  /// The disk writes the pages that it was given.
  func storePages() {
    while !pages.isEmpty {
      let batch = pages.removeFirst()
      do throws(StorageError) {
        try batch.perform(on: disk)
        handleLater(.pagesStored(nil))
      } catch {
        handleLater(.pagesStored(error))
      }
    }
  }

  // MARK: - Front ends and the server

  /// Connects a front end, the daemon's own user's at the main socket; its greeting is taken.
  func connect(_ number: UInt64 = 1, _ caller: Caller = Caller(user: 1000)) -> ClientID {
    let id = ClientID(number)
    handle(.client(id, .connected(caller)))
    _ = takeLines(id)
    return id
  }

  func send(_ id: ClientID, _ text: String) { handle(.client(id, .received(Array(text.utf8)))) }

  /// The searches that are under way are done, one stretch of each in turn.
  func search() {
    while let found = stepSearches() { handleLater(.found(found.id, found.outcome)) }
  }

  private func stepSearches() -> (id: SearchID, outcome: SearchOutcome)? {
    while !searches.isEmpty { if let found = searches.step() { return found } }
    return nil
  }

  /// The lines that a front end got since it was last asked, parsed.
  func takeLines(_ id: ClientID) -> [JSONValue] {
    defer { lines[id] = [] }
    return (lines[id] ?? []).split(separator: 0x0A).compactMap { try? JSONParser.parse(Array($0)) }
  }

  /// The lines that a front end got since it was last asked, as they came.
  func takeText(_ id: ClientID) -> String {
    defer { lines[id] = [] }
    return String(decoding: lines[id] ?? [], as: UTF8.self)
  }

  /// Asks, lets short time pass, and gives all lines that came.
  func ask(_ id: ClientID, _ text: String) -> [JSONValue] {
    send(id, text + "\n")
    pass(.milliseconds(50))
    return takeLines(id)
  }

  /// The server of `home`, or the one at another port, sends this.
  func receive(_ xml: String, port: UInt16 = 5223) {
    guard let link = links[port] else { return }
    handle(.link(link, .received(Array(xml.utf8))))
  }

  /// The server of `home` says stanzas of its own, each a string: those that nobody hears are said when the stream is
  /// resumed.
  func say(_ stanzas: String...) {
    receive(stanzas.map { server.say($0) }.joined())
  }

  /// The connection to the server at a port.
  func link(port: UInt16) -> LinkID? { links[port] }

  /// The server at a port says nothing any more.
  func silence(port: UInt16) { servers[port]?.isMute = true }

  /// The connection of an account is cut.
  func cut(port: UInt16 = 5223) {
    guard let link = links[port] else { return }
    links[port] = nil
    handle(.link(link, .closed("the connection was cut")))
  }

  /// What was held back in the kernel's buffers of a front end, or of the link, is gone.
  func drain(_ id: ClientID) {
    stalled.remove(id)
    handle(.client(id, .drained))
  }

  func drainLink() {
    linksDrain = true
    if let link { handle(.link(link, .drained)) }
  }

  /// The bytes that a front end got since it was last asked.
  func pending(_ id: ClientID) -> Int { lines[id]?.count ?? 0 }

  /// An action as text that is the same wherever the action is.
  private static func text(of action: Action) -> String {
    switch action {
    case .commit(let batch): "commit \(batch.sequences)"
    case .checkpoint(let snapshot): "checkpoint \(snapshot.checkpoint.sequence) \(snapshot.checkpoint.body)"
    case .client(let id, .write(let bytes)): "client \(id.number): \(String(decoding: bytes, as: UTF8.self))"
    case .link(let id, .write(let bytes)): "link \(id.number): \(String(decoding: bytes, as: UTF8.self))"
    default: "\(action)"
    }
  }

  func clearTrace() { trace.removeAll() }

  var toServer: String { trace.map { if case .toServer(let text) = $0 { text } else { "" } }.joined() }
}
