import ConfabAccounts
import State
import JSON
import LineProtocol
import Records

/// `ack`, `cursors` and `forget`: places in the log that have names, so that a consumer of events goes on behind what
/// it acknowledged, whatever ended meanwhile.
extension Command {
  static let cursors: [Verb: Handler] = [
    .ack: { try $0.acknowledge() },
    .cursors: { try $0.list() },
    .forget: { try $0.forget() },
  ]

  private func acknowledge() throws(RequestFailure) {
    try context.checkStorage()
    let name = try cursorName()
    let sequence = UInt64(request.integer(.seq) ?? 0)
    let position = try position(of: name)
    let delivered = clients.cursors.delivered(to: name, clients.watchers.named(name))
    guard sequence <= delivered else {
      throw RequestFailure(.badArgument, "nothing beyond \(delivered) was delivered to \(name.text)", argument: "seq")
    }
    guard sequence <= position else {
      store(.cursor(CursorRecord(name: name, position: sequence)))
      return
    }
    guard let pending = context.storage.pending.cursor(name) else { return answerOK() }
    answer(whenDurable: pending.sequence)
  }

  private func list() throws(RequestFailure) {
    let account = try cursorAccount()
    let cursors = context.state.cursors.filter { $0.key.account == account && !$0.key.isOfHook }
    answer(
      cursors.sorted { $0.key < $1.key }.flatMap { name, position in
        request.data("cursor") {
          $0.member("name", name.text)
          $0.member("seq", position)
        }
      } + request.ok())
  }

  private func forget() throws(RequestFailure) {
    try context.checkStorage()
    let name = try cursorName()
    _ = try position(of: name)
    clients.watchers.named(name)?.watch?.name = nil
    clients.cursors.forget(name)
    store(.cursor(CursorRecord(name: name)))
  }

  /// The name that the request gives a consumer.
  func cursorName() throws(RequestFailure) -> CursorName {
    CursorName(request.string(.as) ?? "", of: try cursorAccount())
  }

  /// The account that has the names of the request's socket; nil where the socket may use all accounts.
  private func cursorAccount() throws(RequestFailure) -> UInt32? {
    client.socket.accounts.isEmpty ? nil : try account().number
  }

  /// The position of the name, including a pending record.
  private func position(of name: CursorName) throws(RequestFailure) -> UInt64 {
    guard let position = context.storage.pending.cursor(name).map(\.position) ?? context.state.cursors[name] else {
      throw RequestFailure(.notFound, "no consumer is named \(name.text)", argument: "as")
    }
    return position
  }
}

/// How far events were delivered to the consumers that have names.
struct NamedCursors {
  /// The last durable event when the daemon started: an earlier run may have delivered it.
  var opened: UInt64 = 0
  /// How far events had been delivered to each name when its watch ended.
  private var delivered: [CursorName: UInt64] = [:]

  /// A watch by this name ended when everything up to this number had been delivered.
  mutating func ended(_ name: CursorName, delivered number: UInt64) {
    delivered[name] = max(delivered[name] ?? 0, number)
  }

  mutating func forget(_ name: CursorName) { delivered[name] = nil }

  /// How far a name may acknowledge.
  ///
  /// - Parameter client: that watches by it.
  func delivered(to name: CursorName, _ client: Client?) -> UInt64 {
    [client?.watch?.position.sequence, delivered[name]].compactMap(\.self).max() ?? opened
  }
}
