import Bytes
import Clocks
import ConfabAccounts
import ConfabConfiguration
import XMPPStream

/// The network between the daemon and the server.
final class Network {
  let world: World
  let server: Server
  let witness: LogWitness
  /// Gives an event to the daemon.
  var deliver: (Event) -> Void = { _ in }
  private var links: [LinkID: SimulatedLink] = [:]
  private var gone: Set<LinkID> = []
  /// Nothing gets through until then; everything takes longer until then.
  private var downUntil = Instant(milliseconds: 0)

  init(_ world: World, _ server: Server, _ witness: LogWitness) {
    (self.world, self.server, self.witness) = (world, server, witness)
  }

  var isDown: Bool { downUntil > world.now.instant }

  /// One way for a packet.
  var latency: Interval {
    let usual = world.climate.latency
    return world.dice.pause(world.slowUntil > world.now.instant ? usual.times(30) : usual)
  }

  /// The process is gone: the kernel ends its connections.
  func forgetAll() {
    for link in sorted { link.abort() }
    for mailbox in server.mailboxes { mailbox.forgetTold() }
    links = [:]
    gone = []
  }

  private var sorted: [SimulatedLink] { links.values.sorted { $0.id.number < $1.id.number } }

  // MARK: - What the engine wants

  func perform(_ action: LinkAction, _ id: LinkID) {
    world.hold(!gone.contains(id), "a link that is over is left alone: \(action)")
    let link = links[id] ?? SimulatedLink(id, self)
    links[id] = link
    switch action {
    case .resolve: resolve(link)
    case .connect: connect(link)
    case .startTLS: secure(link)
    case .write(let bytes): link.write(bytes)
    case .close: link.close()
    case .abort:
      link.abort()
      forget(id)
    case .derive:
      world.after(world.dice.pause(.milliseconds(20))) { [self] in
        if links[id] === link { deliver(.derived(id, .credential(ScramServer.saltedPassword))) }
      }
    case .pause: link.pause()
    case .resume: link.resume()
    }
  }

  /// The engine knows that it is over.
  func forget(_ id: LinkID) { if links.removeValue(forKey: id) != nil { gone.insert(id) } }

  private func resolve(_ link: SimulatedLink) {
    world.after(latency) { [self] in
      let works = !isDown && !world.happens(20)
      link.tell(
        .resolved(works ? Self.services : Services(direct: .failed("no answer"), startTLS: .failed("no answer"))))
    }
  }

  private static let services = Services(
    direct: .records([.init(priority: 1, weight: 1, host: "xmpp.example.org", port: 5223)]),
    startTLS: .records([.init(priority: 2, weight: 0, host: "xmpp.example.org", port: 5222)]))

  private func connect(_ link: SimulatedLink) {
    world.after(latency.times(2)) { [self] in
      // Nobody says anything.
      if isDown && world.dice.percent(50) { return }
      if isDown || server.isDown { return link.end("connection refused") }
      link.open()
      link.tell(.opened(remote: "192.0.2.1:5222"))
    }
  }

  private func secure(_ link: SimulatedLink) {
    world.after(latency.times(2)) { [self] in
      if world.happens(10) { return link.end("the handshake failed") }
      guard let connection = link.connection else { return }
      connection.isSecured = true
      link.tell(.secured(TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256")))
    }
  }

  /// True if bytes get through both ways between the daemon and a connection of the server's.
  func isWhole(_ connection: ServerConnection) -> Bool {
    links.values.contains { $0.connection === connection && !$0.isSilent }
  }

  // MARK: - What goes wrong

  /// One of the links that are open.
  private func pickLink() -> SimulatedLink? {
    let open = sorted.filter { $0.connection != nil }
    return open.isEmpty ? nil : world.dice.pick(open)
  }

  func cut() { pickLink()?.cut() }

  func cutOneSide() { pickLink()?.cutOneSide() }

  func silence() { pickLink()?.silence() }

  /// A mistake: closes all streams at once.
  func closeAll() { for link in sorted { link.closeStream() } }

  func die() { pickLink()?.die() }

  func dieEverywhere() { for link in sorted { link.die() } }

  /// Checks that no client keeps a link whose path is dead.
  func checkNoneIsDead() {
    for link in sorted { world.hold(!link.isDead, "link \(link.id.number) is dead, and still held for alive") }
  }

  func slowDown(_ interval: Interval) { world.slowUntil = world.now.instant.advanced(by: interval) }

  func goDown(_ interval: Interval) {
    downUntil = world.now.instant.advanced(by: interval)
    for link in sorted { link.silence() }
    deliver(.networkChanged)
    world.after(interval) { [self] in deliver(.networkChanged) }
  }

  /// Everything works from now on.
  func calm() {
    downUntil = world.now.instant
    world.slowUntil = world.now.instant
  }
}

extension Interval {
  func times(_ count: Int64) -> Interval { .milliseconds(milliseconds * count) }
}
