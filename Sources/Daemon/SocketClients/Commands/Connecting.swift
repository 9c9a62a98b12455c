import ConfabAccounts
import State
import JSON
import LineProtocol
import Records

/// `presence`, `connect`, `disconnect`, `unpin` and `reload`.
extension Command {
  static let connecting: [Verb: Handler] = [
    .presence: { try $0.presence() },
    .connect: { try $0.setConnected(true) },
    .disconnect: { try $0.setConnected(false) },
    .unpin: { try $0.unpin() },
    .reload: { $0.reload() },
  ]

  private func presence() throws(RequestFailure) {
    var wish = try wish()
    wish.show = request.string(.show) ?? "available"
    wish.status = request.text ?? ""
    wish.isCommand = false
    store(.wish(wish))
  }

  private func setConnected(_ connected: Bool) throws(RequestFailure) {
    var wish = try wish()
    wish.connected = connected
    wish.isCommand = true
    store(.wish(wish))
  }

  /// The user's last `connect`, `disconnect` or `presence` of the account, durable or pending.
  private func wish() throws(RequestFailure) -> AccountWish {
    try context.checkStorage()
    let account = try account()
    return context.storage.pending.wish(of: account.number) ?? account.state.wish
  }

  /// Forgets how the account logged in, so that a weaker login is taken; the next one is what counts from then on.
  private func unpin() throws(RequestFailure) {
    try context.checkStorage()
    store(.login(LoginRecord(account: try account().number)))
  }

  private func reload() {
    clients.tickets.awaitReload(ticket())
    context.effects.act(.readConfiguration)
  }
}

extension Request {
  /// The configuration was read again, or could not be.
  func answer(_ outcome: Result<ConfigurationChanges, ReloadFailure>) -> [UInt8] {
    switch outcome {
    case .failure(let failure): error(RequestFailure(.failed, failure.reason))
    case .success(let changes):
      ok {
        $0.array("changed") { array in changes.changed.forEach { array.value($0) } }
        $0.array("restart") { array in changes.restart.forEach { array.value($0) } }
      }
    }
  }
}
