import Clocks
import ConfabAccounts
import Reactor
import ConfabConfiguration
import Syscalls
import Transport

/// The connections of front ends, by the numbers that the engine knows them by.
final class ClientConnections {
  /// Set all before the loop turns.
  var onEvent: (ClientID, ClientEvent) -> Void = { _, _ in }
  /// Connections have sent all their output; the engine hears of them together.
  var onDrained: ([ClientID]) -> Void = { _ in }
  /// A client has taken descriptors, or is gone.
  var onDescriptorsTaken: () -> Void = {}

  /// The number of connections that may have the kernel's usual buffers, which are fast: 208 KiB each. They count as
  /// this process's memory, so each further connection has small ones.
  private static let mostUsualBuffers = 16

  private let loop: EventLoop
  private let descriptors: HeldDescriptors
  private var byID: [ClientID: UnixConnection] = [:]
  private var last: UInt64 = 0
  private var drained: [ClientID] = []
  /// Clients that have not taken all of a shared output, with its bytes.
  private var pendingOutputs: [(ClientID, Int)] = []

  init(loop: EventLoop, _ descriptors: HeldDescriptors) { (self.loop, self.descriptors) = (loop, descriptors) }

  subscript(id: ClientID) -> UnixConnection? { byID[id] }

  /// In no order that means anything.
  var all: Dictionary<ClientID, UnixConnection>.Values { byID.values }

  /// A front end connected; whether it may, the engine says.
  func accept(_ connection: UnixConnection, _ socket: SocketSettings) {
    last += 1
    let id = ClientID(last)
    byID[id] = connection
    if byID.count > Self.mostUsualBuffers { connection.limitSendBuffer() }
    connection.onEvent = { [unowned self] in handle($0, of: id) }
    let groups = socket.access.group == nil ? [] : connection.peerGroups
    let process = UInt32(exactly: connection.peer.pid) ?? 0
    onEvent(
      id, .connected(Caller(socket: socket.name, user: connection.peer.uid, process: process, groups: groups)))
  }

  private func handle(_ event: UnixConnection.Event, of id: ClientID) {
    switch event {
    case .received(let bytes, let passed): onEvent(id, .received(bytes, passed.compactMap(descriptors.hold)))
    case .endOfInput: onEvent(id, .endOfInput)
    case .writeFailed: onEvent(id, .writeFailed)
    case .drained:
      if drained.isEmpty { loop.deferWork { [unowned self] in reportDrained() } }
      drained.append(id)
    case .descriptorsTaken(let count):
      onEvent(id, .descriptorsTaken(count))
      onDescriptorsTaken()
    case .closed:
      byID[id] = nil
      onEvent(id, .closed)
      onDescriptorsTaken()
    }
  }

  private func reportDrained() {
    let ids = drained
    drained = []
    onDrained(ids)
  }

  /// Writes the same to each.
  func broadcast(_ bytes: [UInt8], to ids: [ClientID]) {
    // Looked up here and not where it can be changed, which is checked for each.
    let byID = byID
    for id in ids where byID[id]?.writeAtOnce(bytes) == false { pendingOutputs.append((id, bytes.count)) }
  }

  /// Tells of those to which not all of a broadcast could be written.
  func reportPendingOutputs() {
    guard !pendingOutputs.isEmpty else { return }
    let pendingOutputs = pendingOutputs
    self.pendingOutputs = []
    for (id, count) in pendingOutputs { onEvent(id, .pendingOutput(count)) }
  }

  func perform(_ action: ClientAction, on id: ClientID) {
    guard let client = byID[id] else {
      if case .writePassing(_, let descriptor) = action { _ = descriptors.take(descriptor) }
      return
    }
    switch action {
    case .write(let bytes): client.write(bytes)
    case .writePassing(let bytes, let id):
      guard let descriptor = descriptors.take(id) else { return }
      client.write(bytes, passing: descriptor)
    case .pause: client.pauseReading()
    case .resume: client.resumeReading()
    case .close: client.closeAfterFlush()
    case .rejectAndClose: client.closeAfterFlush(within: .seconds(2), lingering: true)
    }
  }
}
