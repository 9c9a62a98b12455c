import Bytes

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
  /// It is kept back until keys of its recipient are known.
  package var awaitsKeys = false
  /// Its message waits in the outbox, by which conversation and time are known: the log need not say them.
  package var isOfOutbox = false
  /// True if the message came from elsewhere with this state.
  package var isHistory = false
  /// The message that a sent change changes; nil for a message.
  package var target: UInt64?
  /// The time at which the message stands from now on, in milliseconds since 1970: its room has shown others before it;
  /// nil: at the time that it had.
  package var standsAt: Int64?

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
  package var word: String { name.description }

  /// The word as a static string, for encoders.
  package var name: StaticString {
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
  /// One of `conditions`.
  package var condition: String
  /// The server's or the contact's words, if any.
  package var text: String?

  /// The defined conditions of a stanza error (RFC 6120, section 8.3.3), `expired`: not sent in time, and those of
  /// encryption.
  package static let conditions: Set<String> = [
    "bad-request", "conflict", "expired", "feature-not-implemented", "forbidden", "gone", "internal-server-error",
    "item-not-found", "jid-malformed", "not-acceptable", "not-allowed", "not-authorized", "policy-violation",
    "recipient-unavailable", "redirect", "registration-required", "remote-server-not-found", "remote-server-timeout",
    "resource-constraint", "service-unavailable", "subscription-required", "undefined-condition", "unexpected-request",
    "no-devices", "untrusted", "keys-unavailable", "room-anonymous", "too-many-devices", "encryption-unavailable",
  ]

  /// The failure of a message from elsewhere whose fate nobody knew there; a later state overrules it.
  package static let madeUp = Failure(
    condition: "undefined-condition", text: "it had not been sent when it was exported")

  package init(condition: String, text: String? = nil) {
    (self.condition, self.text) = (condition, text)
  }
}

extension DeliveryState: FieldValue {}

extension Failure: FieldGroup {
  init() { self.init(condition: "undefined-condition") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(7, "condition", &condition, "of a failure")
    try fields.one(8, "failure", &text, "its text")
  }
}

extension DeliveryRecord: FieldGroup {
  init() { self.init(account: 0, jid: "", time: 0, id: 0, state: .queued) }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init()
    while try reader.next() != nil { try visit(&reader) }
    isOfOutbox = jid.isEmpty
    // A time without a conversation says nothing.
    if isOfOutbox { time = 0 }
  }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(
      2, "conversation", if: !isOfOutbox, &jid,
      "absent, like the time: that of the message, which nobody has acknowledged yet")
    try fields.one(3, "time", if: !isOfOutbox, &time, "of the message")
    try fields.one(4, "message", &id)
    try fields.one(5, "state", &state, "0 queued, 1 sent, 2 delivered, 3 displayed, 4 failed, 5 cancelled")
    try fields.flag(6, "in-doubt", &inDoubt, "0 or 1")
    try fields.part(&failure)
    try fields.flag(9, "held", &isHeld, "1: it is kept back from now on")
    try fields.flag(10, "imported", &isHistory, "1: the message was imported with this state")
    try fields.one(11, "target", &target, "of a change that was sent: the message that it changes")
    try fields.one(12, "stands-at", &standsAt, "the message's time from now on: its room has shown others before it")
    try fields.flag(13, "awaits-keys", &awaitsKeys, "1: held until keys of its recipient are known")
  }
}
