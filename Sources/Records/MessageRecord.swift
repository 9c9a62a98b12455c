/// A message, mine or somebody's. Its `id` is the sequence number of this record.
///
/// A value of one reference: a record is handed on several times between the parser and the facts, and each copy of its
/// dozen strings would count all of them.
package struct MessageRecord: Sendable, Equatable {
  /// Always exactly one: an array is a box that copies when it is shared and changed.
  private var box: [Fields]

  package init(
    account: UInt32, jid: String, peer: String, time: Int64, text: String = "", stanzaID: String? = nil,
    isCounted: Bool = false
  ) {
    box = [
      Fields(
        account: account, jid: jid, peer: peer, time: time, text: text, stanzaID: stanzaID, isCounted: isCounted)
    ]
  }

  private struct Fields: Equatable {
    var account: UInt32
    var jid: String
    var peer: String
    var time: Int64
    var mine = false
    var delayed = false
    var transmitted = false
    var elsewhere = false
    var archived = false
    var depth: UInt32 = 0
    var claimedTime: Int64?
    var type = "chat"
    var text = ""
    var subject: String?
    var thread: String?
    var language: String?
    var stanzaID: String?
    var originID: String?
    var archiveID: String?
    var key: String?
    var payloads: [UInt8] = []
    var sender: Sender?
    var place: UInt32?
    var isCounted = false
    var owesReceipt = false
    var isMarkable = false
    var expires: Int64?
    var heldUntil: Int64?
  }
}

// MARK: Fields

extension MessageRecord {
  package var account: UInt32 {
    get { box[0].account }
    set { box[0].account = newValue }
  }
  /// Sent by this account: from here, or by another of its devices.
  package var mine: Bool {
    get { box[0].mine }
    set { box[0].mine = newValue }
  }
  /// The conversation: a bare JID.
  package var jid: String {
    get { box[0].jid }
    set { box[0].jid = newValue }
  }
  /// The sender's JID as it came. Mine, sent from here: the JID as it was addressed (bare or full).
  package var peer: String {
    get { box[0].peer }
    set { box[0].peer = newValue }
  }
  /// Milliseconds since 1970: when received, a trusted delay stamp, or when queued (CONTRACT, `time`).
  package var time: Int64 {
    get { box[0].time }
    set { box[0].time = newValue }
  }
  /// `time` is a delay stamp of somebody who may set one (XEP-0203).
  package var delayed: Bool {
    get { box[0].delayed }
    set { box[0].delayed = newValue }
  }
  /// A delay stamp of somebody who may not.
  package var claimedTime: Int64? {
    get { box[0].claimedTime }
    set { box[0].claimedTime = newValue }
  }
  /// `chat` is the default and takes no room; else `normal` or `headline`.
  package var type: String {
    get { box[0].type }
    set { box[0].type = newValue }
  }
  package var text: String {
    get { box[0].text }
    set { box[0].text = newValue }
  }
  package var subject: String? {
    get { box[0].subject }
    set { box[0].subject = newValue }
  }
  package var thread: String? {
    get { box[0].thread }
    set { box[0].thread = newValue }
  }
  /// The text's language (xml:lang), where stated.
  package var language: String? {
    get { box[0].language }
    set { box[0].language = newValue }
  }
  /// The stanza's `id`. Mine: fixed at queueing, also the origin-id.
  package var stanzaID: String? {
    get { box[0].stanzaID }
    set { box[0].stanzaID = newValue }
  }
  /// XEP-0359, where it differs from `stanzaID`.
  package var originID: String? {
    get { box[0].originID }
    set { box[0].originID = newValue }
  }
  /// XEP-0359 stanza-id given by our own archive.
  package var archiveID: String? {
    get { box[0].archiveID }
    set { box[0].archiveID = newValue }
  }
  /// The idempotency key it was sent with.
  package var key: String? {
    get { box[0].key }
    set { box[0].key = newValue }
  }
  /// Mine: its bytes may leave as soon as this record is durable, without a transmission record.
  package var transmitted: Bool {
    get { box[0].transmitted }
    set { box[0].transmitted = newValue }
  }
  /// Mine, but sent by another of my devices: never in the outbox.
  package var elsewhere: Bool {
    get { box[0].elsewhere }
    set { box[0].elsewhere = newValue }
  }
  /// Taken out of our archive, not received as it was sent.
  package var archived: Bool {
    get { box[0].archived }
    set { box[0].archived = newValue }
  }
  /// Of one taken while the archive was fetched backwards: how many pages before it. Messages of one time stand in the
  /// archive's order by it, those of an earlier page behind those of a later one.
  package var depth: UInt32 {
    get { box[0].depth }
    set { box[0].depth = newValue }
  }
  /// Child elements not understood, as XML, as they came.
  package var payloads: [UInt8] {
    get { box[0].payloads }
    set { box[0].payloads = newValue }
  }
  /// Mine: who asked for it over a socket; nil where nobody did.
  package var sender: Sender? {
    get { box[0].sender }
    set { box[0].sender = newValue }
  }

  /// Mine, and `transmitted`: its place among our stanzas on the stream (XEP-0198), where that counts them.
  package var place: UInt32? {
    get { box[0].place }
    set { box[0].place = newValue }
  }
  /// It came as a stanza of the server's that counts (XEP-0198), the one behind those that were handled before.
  package var isCounted: Bool {
    get { box[0].isCounted }
    set { box[0].isCounted = newValue }
  }

  /// Its sender asked for a receipt (XEP-0184), and is to have one.
  package var owesReceipt: Bool {
    get { box[0].owesReceipt }
    set { box[0].owesReceipt = newValue }
  }
  /// Its sender wants to hear when it was read (XEP-0333).
  package var isMarkable: Bool {
    get { box[0].isMarkable }
    set { box[0].isMarkable = newValue }
  }

  /// Mine: it is not sent any more from then on; milliseconds since 1970.
  package var expires: Int64? {
    get { box[0].expires }
    set { box[0].expires = newValue }
  }
  /// Mine: it is kept back until then; milliseconds since 1970.
  package var heldUntil: Int64? {
    get { box[0].heldUntil }
    set { box[0].heldUntil = newValue }
  }

  /// The origin-id, stated or the same as the stanza's id (mine only).
  package var effectiveOriginID: String? { originID ?? (mine ? stanzaID : nil) }

  /// Its place among messages of the same time.
  package var archiveOrder: UInt32 { Self.archiveOrder(isStamped: archived || delayed, depth: depth) }

  /// What came live, with no stamp, stands first; what has a depth before what has less of it.
  package static func archiveOrder(isStamped: Bool, depth: UInt32) -> UInt32 {
    isStamped ? newestOrder - min(depth, newestOrder - 1) : 0
  }

  /// The depth that gives a stamped message this place.
  package static func depth(forOrder order: UInt32) -> UInt32 { newestOrder - min(order, newestOrder) }

  /// The place of what has no depth.
  package static let newestOrder: UInt32 = 1 << 30
}

/// Who asked for a message of mine, by the word of the kernel, and over which socket.
package struct Sender: Sendable, Equatable {
  package var uid: UInt32
  /// 0 where the kernel could not tell.
  package var pid: UInt32
  /// The name of the `[socket NAME]` section; nil: the main socket.
  package var socket: String?

  package init(uid: UInt32, pid: UInt32, socket: String? = nil) {
    (self.uid, self.pid, self.socket) = (uid, pid, socket)
  }
}
