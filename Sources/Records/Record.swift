/// One durable fact: what the log is made of. Everything the daemon knows is the fold of its records in the order of
/// their sequence numbers (docs/LOG-FORMAT.md, "Payloads", has the field numbers).
///
/// A record is immutable once written; its sequence number comes from the log and is not part of it. The cases are boxed:
/// a record is handed on several times between the parser and the facts, and a copy is one count instead of a dozen.
package indirect enum Record: Sendable, Equatable {
  case account(AccountRecord)
  case wish(AccountWish)
  case message(MessageRecord)
  case delivery(DeliveryRecord)
  case transmission(TransmissionRecord)
  case suspicion(SuspicionRecord)
  case read(ReadRecord)
  case draft(DraftRecord)
  case contact(ContactRecord)
  case rosterVersion(RosterVersionRecord)
  case refused(RefusedRecord)
  case payload(PayloadRecord)
  /// A kind that this version does not know, written by a later one: kept, skipped, never fatal.
  case unknown(kind: UInt8)
}

/// The numbers of the kinds in a record's frame; those above 239 are the log's own. Numbers are never reused.
package enum RecordKind: UInt8, Sendable, CaseIterable {
  case account = 1
  case wish = 2
  case message = 3
  case delivery = 4
  case transmission = 5
  case suspicion = 6
  case read = 7
  case draft = 8
  case contact = 9
  case rosterVersion = 10
  case refused = 11
  case payload = 12
}

/// Gives an account of the configuration its number, by which every later record names it. A name whose JID changed
/// gets a new number; the old number keeps its history.
package struct AccountRecord: Sendable, Equatable {
  /// From 1, in the order of their first appearance.
  package var number: UInt32
  /// The name of the `[account NAME]` section.
  package var name: String
  /// The bare JID.
  package var jid: String

  package init(number: UInt32, name: String, jid: String) {
    self.number = number
    self.name = name
    self.jid = jid
  }
}

/// What the user wants of an account, set over the socket and durable until changed.
package struct AccountWish: Sendable, Equatable {
  package var account: UInt32
  /// False after `disconnect`, until `connect`.
  package var connected = true
  /// `available`, `away`, `xa`, `dnd` or `chat`.
  package var show = "available"
  package var status = ""
  /// It was said by `connect` or `disconnect`, not by `presence`.
  package var isCommand = false

  package init(account: UInt32, connected: Bool = true, show: String = "available", status: String = "") {
    self.account = account
    self.connected = connected
    self.show = show
    self.status = status
  }
}

/// The delivery state of a message of mine, in the order in which it can only grow, then the two ends beside it.
package enum DeliveryState: UInt8, Sendable, CaseIterable, Comparable {
  case queued = 0
  case sent = 1
  case delivered = 2
  case displayed = 3
  case failed = 4
  case cancelled = 5

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// The word of the line protocol.
  package var word: String {
    switch self {
    case .queued: "queued"
    case .sent: "sent"
    case .delivered: "delivered"
    case .displayed: "displayed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}

/// Why a message of mine failed.
package struct Failure: Sendable, Equatable {
  /// The stanza error's defined condition (RFC 6120, section 8.3.3).
  package var condition: String
  /// The server's or the contact's words, if any.
  package var text: String?

  package init(condition: String, text: String? = nil) {
    self.condition = condition
    self.text = text
  }
}

/// A message of mine got further, or failed, or is in doubt.
package struct DeliveryRecord: Sendable, Equatable {
  package var account: UInt32
  /// The conversation's bare JID, and the message's time and id: together its place, found without reading it.
  package var jid: String
  /// Milliseconds since 1970.
  package var time: Int64
  /// The message: the sequence number of its record.
  package var id: UInt64
  package var state: DeliveryState
  package var failure: Failure?
  /// It was transmitted, nobody could say whether it arrived, and it goes again under the same ids.
  package var inDoubt = false

  package init(
    account: UInt32, jid: String, time: Int64, id: UInt64, state: DeliveryState, failure: Failure? = nil,
    inDoubt: Bool = false
  ) {
    self.account = account
    self.jid = jid
    self.time = time
    self.id = id
    self.state = state
    self.failure = failure
    self.inDoubt = inDoubt
  }
}

/// Messages of mine whose bytes may leave once this record is durable: after a crash they count as transmitted.
package struct TransmissionRecord: Sendable, Equatable {
  package var account: UInt32
  package var ids: [UInt64]

  package init(account: UInt32, ids: [UInt64]) {
    self.account = account
    self.ids = ids
  }
}

/// A stream error came while this message was the first unacknowledged one (DESIGN 3.7: twice, and it is failed).
package struct SuspicionRecord: Sendable, Equatable {
  package var account: UInt32
  package var id: UInt64

  package init(account: UInt32, id: UInt64) {
    self.account = account
    self.id = id
  }
}

/// The shared read position of a conversation moved forward to a message.
package struct ReadRecord: Sendable, Equatable {
  package var account: UInt32
  /// The conversation's bare JID.
  package var jid: String
  /// The message's time, milliseconds since 1970, and its id.
  package var time: Int64
  package var id: UInt64

  package init(account: UInt32, jid: String, time: Int64, id: UInt64) {
    self.account = account
    self.jid = jid
    self.time = time
    self.id = id
  }
}

/// The shared draft of a conversation; empty: none.
package struct DraftRecord: Sendable, Equatable {
  package var account: UInt32
  package var jid: String
  package var text: String

  package init(account: UInt32, jid: String, text: String) {
    self.account = account
    self.jid = jid
    self.text = text
  }
}

/// A contact as it is now: a roster item (RFC 6121, section 2.1.2), somebody who asks to see our presence, or both.
package struct ContactRecord: Sendable, Equatable {
  package var account: UInt32
  package var jid: String
  package var name: String?
  package var groups: [String] = []
  /// `none`, `to`, `from` or `both`; nil: not in the roster (any more).
  package var subscription: String?
  /// RFC 6121's `ask`: `subscribe` while our request is pending.
  package var ask: String?
  /// They asked to see our presence and we have not answered.
  package var request = false

  package init(account: UInt32, jid: String) {
    self.account = account
    self.jid = jid
  }

  /// Neither in the roster nor asking: forgotten.
  package var isGone: Bool { subscription == nil && !request }
}

/// The roster's version as the server named it (RFC 6121, section 2.6), durable after the items it covers.
package struct RosterVersionRecord: Sendable, Equatable {
  package var account: UInt32
  package var version: String

  package init(account: UInt32, version: String) {
    self.account = account
    self.version = version
  }
}

/// A stanza over our limits, skipped unread (DESIGN 3.7).
package struct RefusedRecord: Sendable, Equatable {
  package var account: UInt32
  package var from: String?
  package var stanzaID: String?
  /// Its size on the wire, in bytes.
  package var size: UInt64
  package var reason: String

  package init(account: UInt32, from: String?, stanzaID: String?, size: UInt64, reason: String) {
    self.account = account
    self.from = from
    self.stanzaID = stanzaID
    self.size = size
    self.reason = reason
  }
}

/// A message stanza without a text whose payloads this version does not understand, kept for one that does.
package struct PayloadRecord: Sendable, Equatable {
  package var account: UInt32
  /// Milliseconds since 1970.
  package var time: Int64
  /// The whole stanza as XML.
  package var xml: [UInt8]

  package init(account: UInt32, time: Int64, xml: [UInt8]) {
    self.account = account
    self.time = time
    self.xml = xml
  }
}
