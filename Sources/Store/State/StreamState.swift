package import Records

/// The state of an account's stream (XEP-0198), made from the log: all that is needed to resume it, after a crash too.
package struct StreamState: Sendable {
  package let beginning: StreamRecord.Beginning
  /// The number of the server's stanzas that are handled, and durable: the only `h` that may be sent.
  package private(set) var handled: UInt32 = 0
  /// No stanza of ours has left at a higher place.
  package private(set) var ceiling: UInt32 = 0
  /// The roster has come whole.
  package private(set) var hasRoster = false
  /// The number of our own presence among our stanzas.
  package private(set) var presencePlace: UInt32?
  /// When it was left in order, milliseconds since 1970.
  package private(set) var leftAt: Int64?
  /// Receipts and markers that the server may not have had then.
  package private(set) var unconfirmedReceipts: [StreamRecord.UnconfirmedReceipt] = []

  /// True if our archive's ids on this stream can be trusted; nil: unknown.
  package private(set) var keepsArchiveIDs: Bool?

  /// Presences of people who are there.
  package internal(set) var presences = PresenceBook()

  init(_ beginning: StreamRecord.Beginning) { self.beginning = beginning }

  mutating func apply(_ record: StreamRecord) {
    if let count = record.handled { handled = count }
    if let place = record.ceiling { raise(to: place) }
    if record.hasRoster { hasRoster = true }
    presencePlace = record.presencePlace ?? presencePlace
    keepsArchiveIDs = record.keepsArchiveIDs ?? keepsArchiveIDs
    // Whatever else is told of it is told of a stream that was taken up again.
    (leftAt, unconfirmedReceipts) = (record.leftAt, record.unconfirmedReceipts)
  }

  /// We are to be seen otherwise than we were announced.
  mutating func forgetPresence() { presencePlace = nil }

  mutating func countOne() { handled &+= 1 }

  mutating func raise(to place: UInt32) {
    if place.isBeyond(ceiling) { ceiling = place }
  }

  /// The record that restores this state.
  func record(account: UInt32) -> StreamRecord {
    var record = StreamRecord(account: account)
    record.beginning = beginning
    (record.handled, record.ceiling, record.hasRoster) = (handled, ceiling, hasRoster)
    (record.presencePlace, record.leftAt, record.unconfirmedReceipts) = (presencePlace, leftAt, unconfirmedReceipts)
    record.keepsArchiveIDs = keepsArchiveIDs
    record.presences = presences.records
    return record
  }
}

extension UInt32 {
  /// Comes after another count, modulo 2^32: in the half of them that follows it.
  package func isBeyond(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) > 0 }
}
