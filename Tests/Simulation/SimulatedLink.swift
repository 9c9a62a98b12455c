import Bytes
import Clocks
import ConfabAccounts

/// One TCP connection: bytes arrive in order, in pieces, late, or not at all; the two sides may differ about whether it
/// is there.
final class SimulatedLink {
  let id: LinkID
  private unowned let network: Network
  /// The server's side; nil before it is open, and when the server has let go of it.
  private(set) var connection: ServerConnection?
  /// When the newest bytes arrive at each side.
  private var lastAtServer = Instant(milliseconds: 0)
  private var lastAtClient = Instant(milliseconds: 0)
  /// Nothing gets through, and nobody knows.
  private(set) var isSilent = false
  /// True if the path is dead, while the kernel, or a proxy's, still accepts what is written.
  private(set) var isDead = false
  private var isOver = false
  /// It is about to be cut: what is written comes to nothing.
  private var isBreaking = false
  /// The engine does not read: what has arrived waits.
  private var isPaused = false
  private var held: [LinkEvent] = []
  private var isFull = false

  init(_ id: LinkID, _ network: Network) { (self.id, self.network) = (id, network) }

  private var world: World { network.world }

  func open() {
    connection = network.server.accept(
      write: { [weak self] in self?.sendToClient($0) }, finish: { [weak self] in self?.finishToClient() })
  }

  // MARK: - From the engine

  func write(_ bytes: [UInt8]) {
    guard !isOver else { return }
    network.witness.checkLeaving(bytes)
    guard !isBreaking else { return }
    if world.climate.readsOn, world.happens(15) { return breakOff(bytes) }
    sendToServer(world.rewriter.toServer(bytes, over: id.number))
    guard !isFull else { return }
    isFull = true
    world.after(world.dice.pause(.milliseconds(2))) { [self] in
      // Where nothing gets through, the kernel's buffers stay full.
      guard !isOver, !isSilent || isDead else { return }
      isFull = false
      tell(.drained)
    }
  }

  /// It is cut while this is written: what comes before arrives, and a half of this, or its first tag.
  private func breakOff(_ bytes: [UInt8]) {
    isBreaking = true
    world.note(.cut, "link \(id.number), inside what is written")
    let tag = world.dice.percent(50) ? bytes.firstIndex(of: UInt8(ascii: ">")) : nil
    let half = Array(world.rewriter.toServer(bytes, over: id.number).prefix(tag.map { $0 + 1 } ?? bytes.count / 2))
    world.at(arrival(behind: lastAtServer)) { [self] in
      if !isSilent { connection?.hear(half) }
      cut()
    }
  }

  private func sendToServer(_ bytes: [UInt8]) {
    for piece in pieces(bytes) {
      lastAtServer = arrival(behind: lastAtServer)
      world.at(lastAtServer) { [self] in
        if !isSilent { connection?.hear(piece) }
      }
    }
  }

  /// Flushes, then ends the connection.
  func close() {
    guard !isOver else { return }
    isOver = true
    world.at(arrival(behind: lastAtServer)) { [self] in
      if !isSilent { connection?.lose() } else { loseLater() }
      connection = nil
    }
    world.after(network.latency) { [self] in
      network.deliver(.link(id, .closed(nil)))
    }
  }

  /// Drops it: what is under way may still arrive.
  func abort() {
    isOver = true
    if isSilent { return loseLater() }
    world.at(arrival(behind: lastAtServer)) { [self] in
      connection?.lose()
      connection = nil
    }
  }

  func pause() {
    world.hold(!isPaused, "a pause is followed by its end")
    isPaused = true
  }

  func resume() {
    world.hold(isPaused, "what is not paused is not resumed")
    isPaused = false
    let events = held
    held = []
    for event in events { tell(event) }
  }

  // MARK: - To the engine

  private func sendToClient(_ bytes: [UInt8]) {
    for piece in pieces(bytes) {
      lastAtClient = arrival(behind: lastAtClient)
      world.at(lastAtClient) { [self] in
        if !isSilent { tell(.received(world.rewriter.toEngine(piece, over: id.number))) }
      }
    }
  }

  private func finishToClient() {
    connection = nil
    lastAtClient = arrival(behind: lastAtClient)
    world.at(lastAtClient) { [self] in if !isSilent { end(nil) } }
  }

  /// Hands an event over, later where the engine does not read.
  func tell(_ event: LinkEvent) {
    guard !isOver else { return }
    if isPaused, case .received = event { return held.append(event) }
    // At a time of its own: the engine is not told of anything while it is acting.
    world.after(.zero) { [self] in
      guard !isOver else { return }
      if case .closed = event { isOver = true }
      network.deliver(.link(id, event))
    }
  }

  /// The client's side ends, for this reason.
  func end(_ reason: String?) { tell(.closed(reason)) }

  // MARK: - What goes wrong

  /// Both sides lose it; what is under way is gone.
  func cut() {
    let lost = connection
    connection = nil
    world.after(network.latency) { lost?.lose() }
    end("connection reset by peer")
  }

  /// One side loses it; the other finds out much later.
  func cutOneSide() {
    if world.dice.percent(50) {
      // What the client wrote still arrives.
      end("connection timed out")
      let lost = connection
      world.after(world.dice.interval(100...120_000)) { [self] in
        lost?.lose()
        connection = nil
      }
    } else {
      connection?.lose()
      connection = nil
      world.after(world.dice.interval(100...20_000)) { [self] in end("broken pipe") }
    }
  }

  /// Nothing gets through any more; each side finds out by itself, at last by the kernel.
  func silence() {
    isSilent = true
    loseLater()
    world.after(world.dice.interval(60_000...900_000)) { [self] in end("no route to host") }
  }

  /// A mistake: closes the stream after what has been written so far.
  func closeStream() {
    guard connection?.session != nil else { return }
    sendToServer(Array("</stream:stream>".utf8))
    isBreaking = true
  }

  /// Lets nothing through any more; the kernel never reports it.
  func die() {
    (isSilent, isDead) = (true, true)
    loseLater()
  }

  private func loseLater() {
    let lost = connection
    connection = nil
    world.after(world.dice.interval(5_000...300_000)) { lost?.lose() }
  }

  // MARK: -

  /// Never before what was sent before it.
  private func arrival(behind last: Instant) -> Instant { max(last, world.now.instant.advanced(by: network.latency)) }

  private func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
    guard bytes.count > 1, world.dice.percent(20) else { return [bytes] }
    let middle = world.dice.within(1...bytes.count - 1)
    return [Array(bytes[..<middle]), Array(bytes[middle...])]
  }
}
