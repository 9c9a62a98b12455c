// Accessors of the fields. Their callers are in other targets, and each accessor reads its field in place.
extension MessageRecord {
  public var account: UInt32 {
    get { box[0].account }
    set { box[0].account = newValue }
  }
  /// The conversation: a bare JID.
  public var jid: String {
    get { box[0].jid }
    set { box[0].jid = newValue }
  }
  /// The sender's JID as it came. Mine, sent from here: the JID as it was addressed (bare or full).
  public var peer: String {
    get { box[0].peer }
    set { box[0].peer = newValue }
  }
  /// Milliseconds since 1970: the time of arrival, a trusted delay stamp, or the time when queued (docs/PROTOCOL.md,
  /// `time`).
  public var time: Int64 {
    get { box[0].time }
    set { box[0].time = newValue }
  }
  /// `time` is a delay stamp of somebody who may set one (XEP-0203).
  public var delayed: Bool {
    get { box[0].flags.contains(.delayed) }
    set { box[0].flags.set(.delayed, newValue) }
  }
  /// A delay stamp of somebody who may not.
  public var claimedTime: Int64? {
    get { box[0].rare.first?.claimedTime }
    set { box[0].change { $0.claimedTime = newValue } }
  }
  /// `chat` is the default and takes no room; else `normal` or `headline`.
  public var type: String {
    get { box[0].rare.first?.type ?? "chat" }
    set { box[0].change { $0.type = newValue } }
  }
  public var text: String {
    get { box[0].text }
    set { box[0].text = newValue }
  }
  public var subject: String? {
    get { box[0].rare.first?.subject }
    set { box[0].change { $0.subject = newValue } }
  }
  public var thread: String? {
    get { box[0].rare.first?.thread }
    set { box[0].change { $0.thread = newValue } }
  }
  /// The text's language (xml:lang), where stated.
  public var language: String? {
    get { box[0].language }
    set { box[0].language = newValue }
  }
  /// The stanza's `id`. Mine: fixed at queueing, also the origin-id.
  public var stanzaID: String? {
    get { box[0].stanzaID }
    set { box[0].stanzaID = newValue }
  }
  /// XEP-0359, where it differs from `stanzaID`.
  public var originID: String? {
    get { box[0].rare.first?.originID }
    set { box[0].change { $0.originID = newValue } }
  }
  /// XEP-0359 stanza-id given by our own archive.
  public var archiveID: String? {
    get { box[0].archiveID }
    set { box[0].archiveID = newValue }
  }
  /// An id in our archive's name that anybody may have written: it was unknown whether the server drops forged ones.
  public var claimedArchiveID: String? {
    get { box[0].rare.first?.claimedArchiveID }
    set { box[0].change { $0.claimedArchiveID = newValue } }
  }
  /// The idempotency key it was sent with.
  public var key: String? {
    get { box[0].rare.first?.key }
    set { box[0].change { $0.key = newValue } }
  }
  /// Mine: its bytes may leave as soon as this record is durable, without a transmission record.
  public var transmitted: Bool {
    get { box[0].flags.contains(.transmitted) }
    set { box[0].flags.set(.transmitted, newValue) }
  }
  /// Taken from elsewhere as it was then: no news, which named watchers hear nothing of.
  public var isHistory: Bool {
    get { box[0].flags.contains(.history) }
    set { box[0].flags.set(.history, newValue) }
  }
  /// Taken out of our archive, not received as it was sent.
  public var archived: Bool {
    get { box[0].flags.contains(.archived) }
    set { box[0].flags.set(.archived, newValue) }
  }
  /// Out of our archive, which is not fetched to its beginning yet: it came behind what was here.
  public var isNews: Bool {
    get { box[0].flags.contains(.news) }
    set { box[0].flags.set(.news, newValue) }
  }
  /// The number of archive pages fetched before the message's, if it came while the archive was fetched backwards.
  /// Messages of one time are ordered by it: those of an earlier page behind those of a later one.
  public var depth: UInt32 {
    get { box[0].depth }
    set { box[0].depth = newValue }
  }
  /// Child elements not understood, as XML, as they came.
  public var payloads: [UInt8] {
    get { box[0].rare.first?.payloads ?? [] }
    set { box[0].change { $0.payloads = newValue } }
  }
  /// Mine: who asked for it over a socket; nil where nobody did.
  public var sender: Sender? {
    get { box[0].rare.first?.sender }
    set { box[0].change { $0.sender = newValue } }
  }

  /// Mine, and `transmitted`: its place among our stanzas on the stream (XEP-0198), where that counts them.
  public var place: UInt32? {
    get { box[0].rare.first?.place }
    set { box[0].change { $0.place = newValue } }
  }
  /// It came as a stanza of the server's that counts (XEP-0198), the one behind those that were handled before.
  public var isCounted: Bool {
    get { box[0].flags.contains(.counted) }
    set { box[0].flags.set(.counted, newValue) }
  }

  /// Its sender asked for a receipt (XEP-0184), and is to have one.
  public var owesReceipt: Bool {
    get { box[0].flags.contains(.owesReceipt) }
    set { box[0].flags.set(.owesReceipt, newValue) }
  }
  /// Its sender wants to hear when it was read (XEP-0333).
  public var isMarkable: Bool {
    get { box[0].flags.contains(.markable) }
    set { box[0].flags.set(.markable, newValue) }
  }

  /// Its sender wants no part of its text styled (XEP-0393, section 6).
  public var isUnstyled: Bool {
    get { box[0].flags.contains(.unstyled) }
    set { box[0].flags.set(.unstyled, newValue) }
  }

  /// Mine: it is not sent any more from then on; milliseconds since 1970.
  public var expires: Int64? {
    get { box[0].rare.first?.expires }
    set { box[0].change { $0.expires = newValue } }
  }
  /// True if the message answers another one; reads no copy of `details`.
  public var isReply: Bool { lend { !$0.fields.rare.isEmpty && $0.fields.rare[0].hasReply } }
  public var details: MessageDetails? {
    get { box[0].rare.first?.details }
    set { box[0].change { $0.details = newValue } }
  }
  /// The message that the record of a change changes, by the number of its first record.
  public var target: UInt64? {
    get { box[0].rare.first?.target }
    set { box[0].change { $0.target = newValue } }
  }

  /// The changes that its encryption makes; only of the record that they came with.
  public var step: ContentStep? {
    get { box[0].rare.first?.step }
    set { box[0].change { $0.step = newValue } }
  }

  /// It was said in a room to all (XEP-0045, section 7.4).
  public var isOfRoom: Bool {
    get { box[0].flags.contains(.room) }
    set { box[0].flags.set(.room, newValue) }
  }
  /// It was said to one occupant of a room, or by one to me (XEP-0045, section 7.5).
  public var isInPrivate: Bool {
    get { box[0].flags.contains(.inPrivate) }
    set { box[0].flags.set(.inPrivate, newValue) }
  }
  /// True of the record `target` once more, encrypted, whose bytes may leave.
  public var isSealed: Bool {
    get { box[0].flags.contains(.sealed) }
    set { box[0].flags.set(.sealed, newValue) }
  }
  /// It names me, in a room.
  public var isMention: Bool {
    get { box[0].flags.contains(.mention) }
    set { box[0].flags.set(.mention, newValue) }
  }
  /// Its sender, an occupant of a room, was ignored: it is no news.
  public var isIgnored: Bool {
    get { box[0].flags.contains(.ignored) }
    set { box[0].flags.set(.ignored, newValue) }
  }
  /// The id by which the room vouches for its sender (XEP-0421); of mine in private: for the recipient.
  package var occupantID: String? {
    get { box[0].occupantID }
    set { box[0].occupantID = newValue }
  }
  /// In a room: `Occupant.presence` of its sender.
  package var occupantPresence: UInt64 {
    get { box[0].occupantPresence }
    set { box[0].occupantPresence = newValue }
  }

  /// Mine: it is kept back until then; milliseconds since 1970.
  public var heldUntil: Int64? {
    get { box[0].rare.first?.heldUntil }
    set { box[0].change { $0.heldUntil = newValue } }
  }
}
