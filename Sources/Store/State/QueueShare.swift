package import Records

/// The share of an account's queue that one message takes until it is acknowledged.
package struct QueueShare: Sendable, Equatable {
  /// The user who asked for it.
  package let user: UInt32
  /// Kibibytes of all that it says, those that are begun too: one at least.
  package let units: Int

  init(user: UInt32, units: Int) { (self.user, self.units) = (user, units) }

  /// Nil if nobody asked for it over a socket.
  init?(_ message: MessageRecord) {
    guard let user = message.sender?.uid else { return nil }
    self.init(user: user, units: Self.units(of: message))
  }

  /// Units that a message takes, whoever asked for it.
  package static func units(of message: MessageRecord) -> Int { max(1, (message.contentBytes + 1023) >> 10) }

  /// Counts it among what users take.
  package func add(to shares: inout [UInt32: Int]) { shares[user, default: 0] += units }

  /// Counts it no longer.
  func take(from shares: inout [UInt32: Int]) {
    let left = (shares[user] ?? 0) - units
    shares[user] = left > 0 ? left : nil
  }
}
