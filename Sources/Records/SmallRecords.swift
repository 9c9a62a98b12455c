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
  /// It does not go again by itself: it is kept back until somebody says so.
  package var isHeld = false
  /// Its message waits in the outbox, by which conversation and time are known: the log need not say them.
  package var isOfOutbox = false
  /// Whether the message was imported with this state.
  package var isImported = false

  package init(
    account: UInt32, jid: String, time: Int64, id: UInt64, state: DeliveryState, failure: Failure? = nil,
    inDoubt: Bool = false, isHeld: Bool = false
  ) {
    self.account = account
    self.jid = jid
    self.time = time
    self.id = id
    self.state = state
    self.failure = failure
    self.inDoubt = inDoubt
    self.isHeld = isHeld
  }
}

/// Messages of mine whose bytes may leave once this record is durable: after a crash they count as transmitted.
package struct TransmissionRecord: Sendable, Equatable {
  package var account: UInt32
  package var ids: [UInt64]
  /// The place of the first among our stanzas on the stream (XEP-0198), where that counts them; the others have the next
  /// ones.
  package var place: UInt32?

  package init(account: UInt32, ids: [UInt64], place: UInt32? = nil) {
    self.account = account
    self.ids = ids
    self.place = place
  }
}

/// A stream error came while this message was the first unacknowledged one. The second time the message is failed.
package struct SuspicionRecord: Sendable, Equatable {
  package var account: UInt32
  package var id: UInt64

  package init(account: UInt32, id: UInt64) {
    self.account = account
    self.id = id
  }
}

/// The shared read position of a conversation moved to a message: forward, or back.
package struct ReadRecord: Sendable, Equatable {
  package var account: UInt32
  /// The conversation's bare JID.
  package var jid: String
  /// The message's time, milliseconds since 1970, and its id; nothing is read: `Int64.min` and 0.
  package var time: Int64
  package var id: UInt64
  /// The message whose sender is to hear of it (XEP-0333); nil: nobody is.
  package var marker: UInt64?
  /// When the user moved it back, milliseconds since 1970; nil: it moved forward.
  package var movedBackAt: Int64?

  package init(account: UInt32, jid: String, time: Int64, id: UInt64, marker: UInt64? = nil) {
    self.account = account
    self.jid = jid
    self.time = time
    self.id = id
    self.marker = marker
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

/// What the server offered at the last login that went through, by which the next one says ahead what it would say
/// anyway. A guess, and nothing more: what the server offers then counts.
package struct OfferRecord: Sendable, Equatable {
  package var account: UInt32
  /// Names of SASL mechanisms, in the server's order.
  package var mechanisms: [String] = []
  /// Types of channel binding (XEP-0440), in the server's order.
  package var channelBindings: [String] = []
  /// XEP-0198, as far as the account wants it, and RFC 6121, section 2.6.
  package var streamManagement = false
  package var rosterVersioning = false
  /// How many logins in a row, the last one among them, had to be done again because they said something ahead.
  package var setbacks: UInt8 = 0

  package init(account: UInt32) {
    self.account = account
  }
}

/// A stanza over our limits, which was skipped unread.
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
  /// The id that our own archive gave it.
  package var archiveID: String?

  package init(account: UInt32, time: Int64, xml: [UInt8], archiveID: String? = nil) {
    self.account = account
    self.time = time
    self.xml = xml
    self.archiveID = archiveID
  }
}

/// How an account logged in, written where it is not as it was before: no later login is weaker, until a person says that
/// it may be.
package struct LoginRecord: Sendable, Equatable {
  package var account: UInt32
  /// Its name in SASL, such as `SCRAM-SHA-256-PLUS`; nil: what logins had before is forgotten.
  package var mechanism: String?
  /// The type of channel binding (RFC 5056), such as `tls-exporter`; nil where the login was not bound.
  package var channelBinding: String?

  package init(account: UInt32, mechanism: String? = nil, channelBinding: String? = nil) {
    self.account = account
    self.mechanism = mechanism
    self.channelBinding = channelBinding
  }
}
