/// How far an archive that an account reads is here. It is written behind the messages that it speaks of, so that whoever
/// reads it has these; the last one counts.
package struct ArchiveRecord: Sendable, Equatable {
  package var account: UInt32
  /// The bare JID that has the archive; nil: the account's own.
  package var address: String?
  /// Everything up to this message of the archive is here; what is not was not to be fetched. Nil: the archive was
  /// empty.
  package var anchor: Anchor?
  /// The first fetching goes backwards, and has come to this id; nil: it is at its end.
  package var floor: String?
  /// Nothing older than this is fetched: milliseconds since 1970; nil: all of it.
  package var horizon: Int64?
  /// Pages and messages fetched by the first, backward fetching.
  package var pages: UInt32 = 0
  package var messages: UInt64 = 0
  /// The archive may have given new ids to its messages: archive ids in records before this one identify a message only
  /// together with its content. 0: never.
  package var idsSince: UInt64 = 0
  /// The archive was found to be another one than before: its lack of a message of mine from before this record proves
  /// nothing. 0: never.
  package var provesSince: UInt64 = 0

  /// A message of the archive.
  package struct Anchor: Sendable, Equatable {
    package var id: String
    /// The archive's stamp: milliseconds since 1970.
    package var time: Int64
    /// When it stands here, or one before it that stands later, where that is known: what follows it stands behind
    /// that.
    package var place: Int64?
    /// The last order of messages (`MessageRecord.archiveOrder`) at the time `place` that the archive has shown up to
    /// here, where that is known: what follows and stands at that time stands behind them, too.
    package var order: UInt32?

    package init(id: String, time: Int64, place: Int64? = nil, order: UInt32? = nil) {
      (self.id, self.time, self.place, self.order) = (id, time, place, order)
    }
  }

  package init(account: UInt32, address: String? = nil) { (self.account, self.address) = (account, address) }
}

extension ArchiveRecord.Anchor: FieldGroup {
  init() { self.init(id: "", time: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(2, "anchor", &id, "id of the message up to which all is here; absent: the archive was empty")
    try fields.one(3, "time", &time, "its stamp")
    try fields.one(8, "place", &place, "the time at which the message of 2 stands here")
    try fields.one(
      9, "order", &order, "the last place among messages of that time that the archive has shown; absent: unknown")
  }
}

extension ArchiveRecord: FieldGroup {
  init() { self.init(account: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(22, "address", &address, "whose archive it is, a bare JID; absent: the account's own")
    try fields.part(&anchor)
    try fields.one(
      4, "floor", &floor, "id to which the first fetching has come on its way back; absent: it is at its end")
    try fields.one(5, "horizon", &horizon, "nothing older is fetched")
    try fields.one(6, "pages", if: pages > 0, &pages, "that the first fetching took")
    try fields.one(7, "messages", if: messages > 0, &messages, "likewise")
    try fields.one(
      20, "ids-since", if: idsSince > 0, &idsSince,
      "the archive may have given new ids: those in earlier records identify a message only together with its content")
    try fields.one(
      21, "proves-since", if: provesSince > 0, &provesSince,
      "it is another archive: its lack of a message of mine in an earlier record proves nothing")
  }
}
