import Bytes
import Clocks
import ConfabAccounts
import ConfabEngine
import Crypto
import MarkedText
import MessageLog
import Records
import SASL
import Search
import ConfabConfiguration
import State
import TestSupport
import Testing
import XMPPExtensions
import XMPPStream

/// Randomness by a seed.
final class SeededRandom: RandomSource {
  var state: UInt64
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
  /// Bytes that may still be written.
  var freeSpace: UInt64 = 1 << 40
  /// Where the log is: `storage`, or a disk that fails.
  let disk: any LogStorage
  let engine: Engine
  var configuration = Configuration()
  var now = Moment(instant: Instant(milliseconds: 1_000_000), wall: Timestamp(milliseconds: 1_760_000_000_000))
  /// The servers by their ports: the engine connects to 5223 for `home`, 5224 for `work`.
  var servers: [UInt16: ScriptedStream] = [
    5224: ScriptedStream(of: "ann@work.example"), 5225: ScriptedStream(of: "eve@third.example"),
    5226: ScriptedStream(of: "dan@fourth.example"),
  ]
  var ports: [LinkID: UInt16] = [:]
  var links: [UInt16: LinkID] = [:]
  var server: ScriptedStream {
    get { servers[5223] ?? ScriptedStream() }
    set { servers[5223] = newValue }
  }
  /// Batches that wait for `sync`.
  var batches: [LogBatch] = []
  /// Sync at once, as a fast disk would; false: only when told.
  var syncsAtOnce = true
  /// Answer of the driver to `Action.readEmoticons`; nil: none comes by itself.
  var emoticons: Emoticons? = Emoticons()
  var emoticonReads = 0
  /// Answers of the driver to `Action.readConfiguration`.
  var nextConfiguration: ConfigurationOutcome?
  /// Where the engine connected to, one after the other.
  var targets: [String] = []
  var connects: Int { targets.count }
  /// How often it asked for a fresh look at the name servers.
  var refreshes = 0
  /// Front ends that do not read: what was written to them is not reported as gone.
  var stalled: Set<ClientID> = []
  var paused: Set<ClientID> = []
  /// Links that are not to be read.
  var pausedLinks: Set<LinkID> = []
  var journal: [String] = []
  /// What each of its lines is about.
  var journalFields: [JournalFields] = []
  /// Those of its lines that are there by default.
  var told: [String] = []
  /// Whose certificates were asked for.
  var tlsDomains: [String] = []
  /// Every state that the service manager was told.
  var serviceStatus: [String] = []
  /// The network says nothing by itself: links are only noted.
  var holdsLinks: Bool
  /// What handshakes come to.
  var tls = TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384")
  /// What is made of the password comes at once; false: only when told, as a password command takes its time.
  var derivesKeys = true
  var wanted: (link: LinkID, request: CredentialRequest)?
  /// The links' kernel buffers are full while false.
  var linksDrain = true
  /// How often memory was given back.
  var releases = 0
  /// The number of events handled by the engine.
  var handled = 0
  /// Every action, as text; only where asked for.
  var recordsActions = false
  var actions: [String] = []
  /// Every action in its order, with what the outside saw.
  var trace: [Trace] = []
  var exitStatus: Int32?
  /// Events that follow from actions, one after the other; nil: a sync.
  var later: [Event?] = []
  var isDraining = false
  /// Says whether room for one more segment can be kept; nil: nobody hears of that.
  var reserveTrouble: (() -> StorageError?)?
  var lines: [ClientID: [UInt8]] = [:]
  /// Descriptors that went to front ends, and those of which nothing was wanted.
  var passed: [DescriptorID] = []
  var closedDescriptors: [DescriptorID] = []
  /// The files that front ends' descriptors are open for.
  var contents: [DescriptorID: [UInt8]] = [:]
  /// The pictures that are kept, by hash.
  var avatars: [String: Avatar] = [:]
  var keepsAvatars = true
  var fileOrders: [FileOrder] = []
  /// Copies that wait to be uploaded, files of the cache by address, and those that are being fetched.
  var spool: [String: [UInt8]] = [:]
  var cache: [String: [UInt8]] = [:]
  /// Nothing more can be written there.
  var areFilesFull = false
  /// The messages that each is kept for.
  var keptFor: [String: Set<UInt64>] = [:]
  var fetching: [String: [UInt8]] = [:]
  /// Transfers that have not ended, and how many were cancelled.
  var transfers: [RunningTransfer] = []
  var cancelledTransfers = 0
  /// Runs of hooks, in their order, and those that were killed.
  var hookRuns: [HookRun] = []
  var killedHooks: [HookRunID] = []
  /// Of those that the driver makes.
  var lastDescriptor: UInt64 = 1000
  var closedClients: Set<ClientID> = []
  /// Those of them who are waited for.
  var turnedAway: Set<ClientID> = []
  /// The connection to the server of `home`.
  var link: LinkID? { links[5223] }
  var checkpoints: [Checkpoint] = []
  /// How often pages of the index were handed out.
  var pageBatches = 0
  /// Searches are done at once; false: only when told.
  var searchesAtOnce = true
  var searches: SearchQueue
  /// How many were cancelled.
  var cancelled = 0
  /// Pages are only written when told.
  var holdsPages = false
  var pages: [PageBatch] = []
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
    segmentSize: UInt64 = LogFormat.segmentSize, heldLimit: Int? = nil, applyLimit: Int = .max,
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
    let opened = try OpenState(
      disk, of: uuid, gap: gap, limits: heldLimit.map { MemoryLimits(entries: $0) } ?? .usual, applyLimit: applyLimit)
    self.opened = (opened.report, opened.checkpoint)
    configuration.accounts = accounts
    configuration.sockets = sockets
    configuration.daemon.snapInterval = gap
    configure(&configuration)
    let keys = try EpochKeyFile(in: storage, random: SeededRandom(seed).bytes(EpochKey.size)).keys
    engine = Engine(
      configuration: configuration, state: opened.state, log: uuid,
      writer: opened.log.makeWriter(uuid: uuid, segmentSize: segmentSize),
      reader: LogReader(storage: disk, passesOver: opened.report.unreadable.contains),
      keys: keys.compactMap { $0 }, random: SeededRandom(seed), now: self.now,
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
    settings.encryption = .never
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

  func clearTrace() { trace.removeAll() }

  var toServer: String { trace.map { if case .toServer(let text) = $0 { text } else { "" } }.joined() }
}
