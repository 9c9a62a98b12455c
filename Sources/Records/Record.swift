package import Bytes

/// One durable fact: what the log is made of. Everything the daemon knows is the result of applying its records in the order of
/// their sequence numbers (docs/LOG-FORMAT.md, "Payloads", has the field numbers).
///
/// A record is immutable once written; its sequence number comes from the log and is not part of it. Each case is
/// one reference at most: a record is handed on several times between the parser and the facts.
package enum Record: Sendable, Equatable {
  indirect case account(AccountRecord)
  indirect case wish(AccountWish)
  case message(MessageRecord)
  indirect case delivery(DeliveryRecord)
  indirect case transmission(TransmissionRecord)
  indirect case suspicion(SuspicionRecord)
  indirect case read(ReadRecord)
  indirect case draft(DraftRecord)
  indirect case contact(ContactRecord)
  indirect case rosterVersion(RosterVersionRecord)
  indirect case refused(RefusedRecord)
  indirect case payload(PayloadRecord)
  indirect case archiveID(ArchiveIDRecord)
  indirect case login(LoginRecord)
  indirect case offer(OfferRecord)
  indirect case archive(ArchiveRecord)
  indirect case stream(StreamRecord)
  indirect case cursor(CursorRecord)
  indirect case receiptSent(ReceiptSentRecord)
  indirect case release(ReleaseRecord)
  indirect case forgetting(ForgettingRecord)
  indirect case erased(ErasedRecord)
  indirect case gap(GapRecord)
  indirect case settings(SettingsRecord)
  /// A kind that this version does not know, written by a later one: kept, skipped, never fatal.
  case unknown(kind: UInt8)
}

/// The numbers of the kinds in a record's frame; those above 239 are the log's own. Numbers are never reused.
package enum RecordKind: UInt8, Sendable, CaseIterable {
  case account = 1
  case wish = 2
  case delivery = 4
  case transmission = 5
  case suspicion = 6
  case read = 7
  case draft = 8
  case contact = 9
  case rosterVersion = 10
  case refused = 11
  case payload = 12
  case login = 13
  case offer = 15
  case archive = 17
  case stream = 16
  case cursor = 18
  case receiptSent = 19
  case release = 20
  case forgetting = 21
  case erased = 22
  case gap = 23
  case message = 24
  case archiveID = 30
  case settings = 31

  /// The fields without tags that payloads of a kind begin with; nil where all have tags.
  package static func leadingFields(of kind: UInt8) -> LeadingFields? {
    kind == message.rawValue ? MessageRecord.leadingFields : nil
  }
}

/// Gives an account of the configuration its number, by which every later record names it. A name whose JID changed
/// gets a new number; the old number keeps its history. A JID whose name changed keeps its number: that is said again,
/// with the new name.
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
  package var word: String { name.description }

  /// The same, as it is written.
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

  /// What there are: a stanza error's defined ones (RFC 6120, section 8.3.3), and that it was not sent in time.
  package static let conditions: Set<String> = [
    "bad-request", "conflict", "expired", "feature-not-implemented", "forbidden", "gone", "internal-server-error",
    "item-not-found", "jid-malformed", "not-acceptable", "not-allowed", "not-authorized", "policy-violation",
    "recipient-unavailable", "redirect", "registration-required", "remote-server-not-found", "remote-server-timeout",
    "resource-constraint", "service-unavailable", "subscription-required", "undefined-condition", "unexpected-request",
  ]

  /// What an import says of a message that was queued where it was exported, since it is never sent from here.
  package static let notSentWhenExported = Failure(
    condition: "undefined-condition", text: "it had not been sent when it was exported")

  package init(condition: String, text: String? = nil) {
    self.condition = condition
    self.text = text
  }
}

extension Record {
  /// Whether it is an imported message, or an imported state of one: history, which is not reported as new.
  package var isImported: Bool {
    switch self {
    case .message(let message): message.isImported
    case .delivery(let delivery): delivery.isImported
    default: false
    }
  }
}
