/// A message, mine or somebody's. Its `id` is the sequence number of this record.
package struct MessageRecord: Sendable, Equatable {
  package var account: UInt32
  /// Sent by this account: from here, or by another of its devices.
  package var mine = false
  /// The conversation: a bare JID.
  package var jid: String
  /// Somebody's: the sender's JID as it came. Mine: the JID as it was addressed (bare or full).
  package var peer: String
  /// Milliseconds since 1970: when received, a trusted delay stamp, or when queued (CONTRACT, `time`).
  package var time: Int64
  /// `time` is a delay stamp of somebody who may set one (XEP-0203).
  package var delayed = false
  /// A delay stamp of somebody who may not.
  package var claimedTime: Int64?
  /// `chat` is the default and takes no room; else `normal` or `headline`.
  package var type = "chat"
  package var text = ""
  package var subject: String?
  package var thread: String?
  /// The text's language (xml:lang), where stated.
  package var language: String?
  /// The stanza's `id`. Mine: fixed at queueing, also the origin-id.
  package var stanzaID: String?
  /// XEP-0359, where it differs from `stanzaID`.
  package var originID: String?
  /// XEP-0359 stanza-id given by our own archive.
  package var archiveID: String?
  /// The idempotency key it was sent with.
  package var key: String?
  /// Mine: its bytes may leave as soon as this record is durable, without a transmission record.
  package var transmitted = false
  /// Mine, but sent by another of my devices: never in the outbox.
  package var elsewhere = false
  /// Child elements not understood, as XML, as they came.
  package var payloads: [UInt8] = []

  package init(account: UInt32, jid: String, peer: String, time: Int64) {
    self.account = account
    self.jid = jid
    self.peer = peer
    self.time = time
  }

  /// The origin-id, stated or the same as the stanza's id (mine only).
  package var effectiveOriginID: String? { originID ?? (mine ? stanzaID : nil) }
}
