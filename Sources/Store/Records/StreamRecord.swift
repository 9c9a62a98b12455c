/// News of an account's stream (XEP-0198): all records since one with a beginning, in their order, are the state by
/// which the stream can be resumed. Kind 16.
package struct StreamRecord: Sendable, Equatable {
  package var account: UInt32
  /// A stream begins; whatever was known of another one is of no use any more.
  package var beginning: Beginning?
  /// The number of the server's stanzas, modulo 2^32, that are handled by the records before this one.
  package var handled: UInt32?
  /// No stanza of ours has left at a higher place than this.
  package var ceiling: UInt32?
  /// The roster has come whole.
  package var hasRoster = false
  /// The place of our own presence among our stanzas, each time it is sent.
  package var presencePlace: UInt32?
  /// Last states of resources, of each contact the bare JID's first.
  package var presences: [PresenceRecord] = []
  /// True if the server drops forged archive ids on this stream (XEP-0359, section 6), so that ours can be trusted.
  /// Nil: this record does not say.
  package var keepsArchiveIDs: Bool?
  /// We left it in order, to resume it: milliseconds since 1970.
  package var leftAt: Int64?
  /// With `leftAt`: receipts and markers that the server may not have had.
  package var unconfirmedReceipts: [UnconfirmedReceipt] = []
  /// When a session took live messages last: milliseconds since 1970.
  package var lastLive: Int64?
  /// It is over, and cannot be resumed.
  package var isOver = false
  /// With `isOver`: the server's last word on how many of our stanzas it has handled.
  package var settled: UInt32?

  package init(account: UInt32) { self.account = account }

  /// It says nothing.
  package var isEmpty: Bool { self == StreamRecord(account: account) }

  /// Values that are fixed when stream management is enabled, or a resource is bound without it.
  package struct Beginning: Sendable, Equatable {
    /// The full JID that is bound.
    package var jid: String
    /// The id by which it can be resumed; nil: it cannot.
    package var id: String?
    /// For how many seconds the server keeps it.
    package var maximumSeconds: UInt32?
    /// The server's preferred address for resuming, as the server wrote it, and whether TLS is direct there.
    package var location: String?
    package var isDirect = false

    package init(jid: String) { self.jid = jid }
  }

  /// A receipt or a marker that was handed to the stream.
  package struct UnconfirmedReceipt: Sendable, Equatable {
    /// Its place among our stanzas.
    package var place: UInt32
    /// The record that owes it.
    package var sequence: UInt64

    package init(place: UInt32, sequence: UInt64) { (self.place, self.sequence) = (place, sequence) }
  }
}

/// The last presence of a resource (RFC 6121, section 4).
package struct PresenceRecord: Sendable, Equatable {
  /// The bare JID.
  package var jid: String
  /// Empty: the bare JID itself.
  package var resource: String
  /// `available`, `away`, `xa`, `dnd` or `chat`; nil: it is gone, and without a resource all of them are.
  package var show: String?
  package var status = ""
  package var priority: Int64 = 0
  /// Since when nobody has been there (XEP-0319), in milliseconds since 1970; nil: it is not said.
  package var idleSince: Int64?
  /// Nothing is known of its resources from now on; without a resource and a `show`.
  package var isUnknown = false

  package init(jid: String, resource: String) {
    (self.jid, self.resource) = (jid, resource)
  }

  /// Says that the known presence of a bare JID holds no longer.
  package static func unknown(_ jid: String) -> PresenceRecord {
    var record = PresenceRecord(jid: jid, resource: "")
    record.isUnknown = true
    return record
  }
}

extension StreamRecord: FieldGroup {
  init() { self.init(account: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.part(&beginning)
    try fields.one(7, "handled", &handled, "server's stanzas")
    try fields.one(8, "ceiling", &ceiling, "no stanza of ours has left at a higher place")
    try fields.flag(9, "roster", &hasRoster, "1: it has come")
    try fields.one(10, "presence-place", &presencePlace, "of our own presence")
    try fields.many(11, "presence", &presences, "of a resource")
    try fields.one(12, "left", &leftAt, "time when it was left to be resumed")
    try fields.flag(13, "over", &isOver, "1: it is")
    try fields.one(14, "settled", &settled, "server's last count of our stanzas")
    try fields.many(
      15, "unconfirmed", &unconfirmedReceipts, "receipt or marker that the server may not have had when it was left")
    try fields.one(
      20, "keeps-archive-ids", &keepsArchiveIDs, "0 or 1: the archive's ids that come on it can be trusted")
    try fields.one(21, "last-live", &lastLive, "time when messages were last taken as they came")
    var filler: [UInt8]?
    try fields.one(22, "filler", &filler, "of no meaning, where presences were erased")
  }

  /// The payload of exactly so many bytes; nil where it takes more.
  package func payload(of count: Int) -> [UInt8]? { padded(to: count, by: 22) }
}

extension StreamRecord.Beginning: FieldGroup {
  init() { self.init(jid: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(2, "jid", &jid, "full JID bound: a beginning")
    try fields.one(3, "id", &id, "to resume it by, if it can be")
    try fields.one(4, "maximum", &maximumSeconds, "seconds that it is kept")
    try fields.one(5, "location", &location, "where to reconnect")
    try fields.flag(6, "direct", &isDirect, "1: TLS is direct there")
  }
}

extension StreamRecord.UnconfirmedReceipt: FieldGroup, FieldValue {
  init() { self.init(place: 0, sequence: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "place", &place, "among our stanzas")
    try fields.one(2, "record", &sequence, "that owes it")
  }
}

extension PresenceRecord: FieldGroup, FieldValue {
  init() { self.init(jid: "", resource: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "jid", &jid)
    try fields.one(2, "resource", if: !resource.isEmpty, &resource)
    try fields.one(3, "show", &show, "absent: gone")
    try fields.one(4, "status", if: !status.isEmpty, &status)
    try fields.one(5, "priority", if: priority != 0, &priority)
    try fields.one(6, "idle-since", &idleSince)
    try fields.flag(7, "unknown", &isUnknown, "1: it is not known whether any resource is there")
  }
}
