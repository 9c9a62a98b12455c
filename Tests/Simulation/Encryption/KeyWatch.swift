import Clocks

/// Looks now and then whether messages wait for keys longer than they may, while all works.
final class KeyWatch {
  private let world: World
  private let server: Server
  private let network: Network
  /// Since when each account's stream works, by its number.
  private var whole: [UInt32: Instant] = [:]
  private var connections: [UInt32: ObjectIdentifier] = [:]

  init?(_ world: World, _ server: Server, _ network: Network) {
    guard world.encryption != nil else { return nil }
    (self.world, self.server, self.network) = (world, server, network)
  }

  func begin() {
    world.after(.seconds(5)) { [self] in
      for mailbox in server.mailboxes { look(at: mailbox) }
      server.witness.ciphers.checkWaiting(server.witness.messages, whole: whole)
      begin()
    }
  }

  private func look(at mailbox: Mailbox) {
    let connection = mailbox.session.flatMap { $0.isAvailable ? $0.connection : nil }
    let isQuiet = max(world.stalledUntil, world.troubledUntil) < world.now.instant && !world.isNetworkSlow
    guard let connection, isQuiet, !server.isDown, network.isWhole(connection) else {
      whole[mailbox.account] = nil
      return
    }
    if connections[mailbox.account] != ObjectIdentifier(connection) { whole[mailbox.account] = nil }
    connections[mailbox.account] = ObjectIdentifier(connection)
    whole[mailbox.account] = whole[mailbox.account] ?? world.now.instant
  }
}
