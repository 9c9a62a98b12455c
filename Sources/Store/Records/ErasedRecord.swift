import Bytes

/// A record in the place of an erased message: its stanza count and the hashes by which a copy of it is recognised;
/// nothing of it can be read. Written by `confab log scrub`, padded to the message's length.
package struct ErasedRecord: Sendable, Equatable {
  package var account: UInt32
  /// It came as a stanza of the server's that counts (XEP-0198).
  package var isCounted: Bool
  /// Its place among our stanzas.
  package var place: UInt32?
  /// Hashes, as `MessageIDHash` makes them: of our archive's id, of sender and id of somebody's, of the stanza id of
  /// one of mine, and of its idempotency key.
  package var archiveID: UInt64?
  package var copy: UInt64?
  package var stanzaID: UInt64?
  package var key: UInt64?
  /// The time of a message with a key, milliseconds since 1970.
  package var time: Int64?
  /// The secrets that it brought: later messages need them.
  package var step: ContentStep?

  package init(account: UInt32, isCounted: Bool = false) { (self.account, self.isCounted) = (account, isCounted) }
}

extension ErasedRecord: FieldGroup {
  init() { self.init(account: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.flag(2, "counted", &isCounted, "1: it counted as a stanza of the server's")
    try fields.one(3, "place", &place, "among our stanzas")
    try fields.hash(4, "archive-id", &archiveID)
    try fields.hash(5, "copy", &copy, "of its sender, the byte 0, and its origin-id or stanza's id")
    try fields.hash(6, "stanza-id", &stanzaID, "of one of mine")
    try fields.hash(7, "key", &key, "behind the socket's name and a 0 byte, if there is one")
    try fields.one(8, "time", &time, "of one with a key")
    try fields.one(9, "step", &step, "secrets that it brought")
    var filler: [UInt8]?
    try fields.one(15, "filler", &filler, "of no meaning")
  }

  /// The payload of exactly so many bytes, with as much of the hashes as there is room for; nil where there is none for
  /// what it counted for.
  package func payload(of count: Int) -> [UInt8]? {
    var short = self
    if let payload = short.padded(to: count) { return payload }
    (short.key, short.time) = (nil, nil)
    if let payload = short.padded(to: count) { return payload }
    (short.copy, short.stanzaID) = (nil, nil)
    if let payload = short.padded(to: count) { return payload }
    short.archiveID = nil
    return short.padded(to: count)
  }

  private func padded(to count: Int) -> [UInt8]? { padded(to: count, by: 15) }
}
