/// What is new of an account's stream (XEP-0198): all of them since one with a beginning, in their order, are the state by
/// which it can be resumed. Kind 16.
package struct StreamRecord: Sendable, Equatable {
  package var account: UInt32
  /// A stream begins; whatever was known of another one is of no use any more.
  package var beginning: Beginning?
  /// So many of the server's stanzas, modulo 2^32, led to no more than what stands before this record.
  package var handled: UInt32?
  /// No stanza of ours has left at a higher place than this.
  package var ceiling: UInt32?
  /// The roster has come whole.
  package var hasRoster = false
  /// The place of our own presence among our stanzas, each time it is sent.
  package var presencePlace: UInt32?
  /// Last states of resources, of each contact the bare JID's first.
  package var presences: [PresenceRecord] = []
  /// Whether our archive's ids on this stream can be trusted: the server drops forged ones (XEP-0359, section 6). Nil:
  /// this record does not say.
  package var keepsArchiveIDs: Bool?
  /// We left it in order, to resume it: milliseconds since 1970.
  package var leftAt: Int64?
  /// With `leftAt`: receipts and markers that the server may not have had.
  package var unconfirmedReceipts: [UnconfirmedReceipt] = []
  /// It is over, and cannot be resumed.
  package var isOver = false
  /// With `isOver`: the server's last word on how many of our stanzas it has handled.
  package var settled: UInt32?

  package init(account: UInt32) { self.account = account }

  /// It says nothing.
  package var isEmpty: Bool { self == StreamRecord(account: account) }

  /// What is fixed when stream management is enabled, or a resource bound without it.
  package struct Beginning: Sendable, Equatable {
    /// The full JID that is bound.
    package var jid: String
    /// The id by which it can be resumed; nil: it cannot.
    package var id: String?
    /// For how many seconds the server keeps it.
    package var maximumSeconds: UInt32?
    /// Where the server wants to be connected to for that, as it wrote it; and whether TLS is direct there.
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

  package init(jid: String, resource: String) {
    self.jid = jid
    self.resource = resource
  }
}
