import Bytes
import Clocks
import ConfabAccounts
import ConfabEngine
import MarkedText
import MessageLog
import ConfabConfiguration
import State
import TestSupport
import XMPPStream

/// The real engine with a clock, a disk, servers and front ends that a script cranks, and what must hold of all that it
/// does. Any of the four works by itself where the script lets it.
final class World {
  let storage: MemoryStorage
  var engine: Engine
  var now = Moment(instant: Instant(milliseconds: 1_000_000), wall: Timestamp(milliseconds: 1_760_000_000_000))
  let disk: Disk
  let net = Net()
  let clients = Clients()
  var configuration: Configuration
  /// What it asked for and was not given: the configuration.
  var wantsConfiguration = 0
  var hasExited = false
  /// Events that follow by themselves where nothing stops them.
  private var isSettling = false
  /// That what many were told has not been read yet.
  private var kept: [Event] = []

  /// A start over state that came from somewhere, or from what the log holds.
  init(state: State? = nil) {
    storage = MemoryStorage()
    disk = Disk(storage)
    configuration = World.configuration(0)
    engine = disk.start(configuration, state, now)
    handle(.started)
  }

  /// The power goes, and comes again.
  func restart() {
    disk.crash()
    net.forgetAll()
    clients.forgetAll()
    hasExited = false
    engine = disk.start(configuration, nil, now)
    handle(.started)
  }

  func handle(_ event: Event) {
    guard !hasExited else { return }
    trace("\(now.instant.milliseconds) > \(event.inWords)")
    var actions: [Action] = []
    engine.handle(event, at: now, into: &actions)
    for action in actions {
      trace("  < \(action.inWords)")
      perform(action)
    }
    while let event = kept.popLast() { handle(event) }
  }

  private func perform(_ action: Action) {
    switch action {
    case .link(let id, let action): net.perform(action, id, disk)
    case .client(let id, let action): clients.perform(action, id, durable: disk.durable)
    case .broadcast(let ids, let bytes):
      for id in ids {
        clients.perform(.write(bytes), id, durable: disk.durable)
        kept.append(.client(id, .pendingOutput(bytes.count)))
      }
    case .commit(let batch): disk.take(batch)
    case .keepDiskReserve: break
    case .storePages: hold(false, "so little is kept in memory")
    case .checkpoint(let snapshot): disk.take(snapshot)
    case .changeKeys(let order): disk.take(order)
    case .file(let ticket, _): kept.append(.file(ticket, .missing))
    case .transfer, .cancelTransfer, .runHook, .killHook: break
    case .readEmoticons: kept.append(.emoticons(Emoticons(), problems: []))
    case .readConfiguration: wantsConfiguration += 1
    case .search(let id, let query, let scope, _): disk.take(id, query, scope)
    case .cancelSearch(let id): disk.cancel(id)
    case .exit(let status):
      hold(status == 0 && !hasExited, "it ends once, and well")
      hasExited = true
    case .journal(_, let line, _): hold(line.utf8.count < 16 << 10, "a line of the journal is short")
    case .logLevel, .releaseMemory, .refreshNames, .forgetKeys, .serviceStatus, .closeDescriptors: break
    }
  }

  /// Everything that works by itself does what it has to, until nothing is left.
  func settle() {
    for _ in 0..<500 {
      guard !hasExited, let event = nextEvent() else { return }
      handle(event)
    }
    hold(false, "it comes to rest")
  }

  private func nextEvent() -> Event? {
    if let event = disk.nextEvent() ?? net.nextEvent() ?? clients.nextEvent() { return event }
    guard wantsConfiguration > 0 else { return nil }
    wantsConfiguration -= 1
    return .configuration(.read(configuration))
  }

  /// Lets time pass, waking the engine at each of its deadlines; they must get later by that.
  func pass(_ interval: Interval) {
    let end = now.instant.advanced(by: interval)
    var idle = 0
    var wakes = 0
    while !hasExited, let next = engine.nextDeadline, next <= end, wakes < 60 {
      idle = next <= now.instant ? idle + 1 : 0
      hold(idle < 20, "a deadline that has come is over")
      move(to: max(next, now.instant))
      handle(.tick)
      settle()
      wakes += 1
    }
    if wakes < 60 { move(to: max(end, now.instant)) }
  }

  private func move(to instant: Instant) {
    now.wall = now.wall.advanced(by: instant - now.instant)
    now.instant = instant
  }

  /// One of several configurations.
  static func configuration(_ number: Int) -> Configuration {
    var home = AccountSettings(name: "home", jid: "alice@example.org")
    home.password = Secret(Array("secret".utf8))
    if number & 1 == 0 { home.server = HostPort(host: "127.0.0.1", port: 5223) }
    home.tls = number & 2 == 0 ? .direct : .auto
    var other = home
    (other.name, other.jid) = ("work", number & 16 == 0 ? "alice@example.com" : "not an address")
    var configuration = Configuration()
    configuration.accounts = number & 4 == 0 ? [home] : number & 8 == 0 ? [home, other] : []
    configuration.daemon.snapInterval = number & 32 == 0 ? .hours(24) : .minutes(1)
    return configuration
  }
}

extension Event {
  /// Readable, for a trace.
  fileprivate var inWords: String {
    switch self {
    case .client(let id, .received(let bytes, _)): "client \(id.number): \(String(decoding: bytes, as: UTF8.self))"
    case .link(let id, .received(let bytes)): "link \(id.number): \(String(decoding: bytes, as: UTF8.self))"
    case .configuration: "configuration"
    default: "\(self)"
    }
  }
}

extension Action {
  /// Readable, for a trace.
  fileprivate var inWords: String {
    switch self {
    case .client(let id, .write(let bytes)): "client \(id.number): \(String(decoding: bytes, as: UTF8.self))"
    case .broadcast(let ids, let bytes): "clients \(ids.map(\.number)): \(String(decoding: bytes, as: UTF8.self))"
    case .link(let id, .write(let bytes)): "link \(id.number): \(String(decoding: bytes, as: UTF8.self))"
    case .commit(let batch): "commit \(batch.sequences)"
    case .checkpoint(let snapshot): "checkpoint \(snapshot.checkpoint.sequence)"
    default: "\(self)"
    }
  }
}
