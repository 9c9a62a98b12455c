import Clocks
import Timelines
package import Records

/// The part of a message that becomes state, for messages that are not to be sent from here: all that memory holds of
/// it between its append and its sync. The rest stays in the batch.
package struct MessageSummary: Sendable {
  package let account: UInt32
  /// The conversation.
  package let jid: String
  let time: Timestamp
  let archiveOrder: UInt32
  let flags: EntryFlags
  let isCounted: Bool
  let owesReceipt: Bool
  /// It came out of the archive as news.
  let isNews: Bool
  /// Hashes by which the message is found again.
  let archiveID: UInt64?
  let copy: UInt64?
  /// The hash of my own message from another device: see `MessageRecord.copyHash`.
  let sentElsewhere: UInt64?
  /// The hashes by which somebody names it in the conversation (`MessageIDHash.ofNamed`).
  let named: UInt64?
  /// By its origin-id, by the edits that it was imported with, and by its ciphertext.
  let namedBesides: [UInt64]
  /// The hash of the message that it replaces, which is not here.
  let waitsFor: UInt64?

  /// Nil for a message that is to be sent from here, or that changes secrets.
  package static func of(_ message: MessageRecord) -> MessageSummary? {
    message.lend { $0.isFromHere || $0.hasStep ? nil : MessageSummary($0) }
  }

  /// The summary of any message, also of one to be sent from here.
  static func of(any message: MessageRecord) -> MessageSummary { message.lend { MessageSummary($0) } }

  private init(_ message: borrowing MessageRecord.Lent) {
    let flags = message.fields.flags
    account = message.fields.account
    jid = message.fields.jid
    time = Timestamp(milliseconds: message.fields.time)
    archiveOrder = MessageRecord.archiveOrder(
      isStamped: flags.contains(.archived) || flags.contains(.delayed), depth: message.fields.depth)
    (isCounted, owesReceipt) = (flags.contains(.counted), flags.contains(.owesReceipt))
    isNews = flags.contains(.news)
    archiveID = message.statedArchiveID.map { MessageIDHash.of($0) }
    copy = message.isFromHere ? nil : message.contentHash
    sentElsewhere = flags.isFromElsewhere ? message.copyHash : nil
    named = message.isFromHere ? nil : message.named(message.fields.stanzaID)
    namedBesides = message.namedBesides
    waitsFor = message.named(message.fields.rare.first?.details?.replaces)
    self.flags = message.entryFlags
  }
}

extension MessageRecord.Lent {
  /// The id that is claimed in our archive's name, whoever wrote it.
  var statedArchiveID: String? { fields.archiveID ?? fields.rare.first?.claimedArchiveID }

  /// See `ContentHash`.
  var contentHash: UInt64 {
    let hash = ContentHash.of(self, at: fields.time)
    return fields.archiveID == nil ? hash : ContentHash.ofNamed(hash)
  }

  fileprivate var isFromHere: Bool { fields.flags.isFromHere }
  fileprivate var hasStep: Bool { !fields.rare.isEmpty && fields.rare[0].step != nil }

  fileprivate func named(_ stanzaID: String?) -> UInt64? {
    stanzaID.map { MessageIDHash.ofNamed($0, in: fields.jid) }
  }

  fileprivate var namedBesides: [UInt64] {
    guard let rare = fields.rare.first else { return [] }
    let all = ([rare.originID] + (rare.details?.change?.editIDs ?? [])).compactMap { named($0) }
    return rare.details?.seal?.ciphertext.map { all + [$0] } ?? all
  }

  /// See `MessageRecord.copyHash`.
  var copyHash: UInt64? {
    guard let id = fields.rare.first?.originID ?? fields.stanzaID else { return nil }
    return MessageIDHash.of(id, behind: senderHash)
  }

  var senderHash: UInt64 { MessageIDHash.of(fields.peer) }

  fileprivate var entryFlags: EntryFlags {
    var flags = EntryFlags(rawValue: 0)
    if fields.flags.isMine { flags.insert(.mine) }
    if fields.flags.contains(.archived) { flags.insert(.archived) }
    if fields.flags.contains(.markable) { flags.insert(.markable) }
    if fields.flags.contains(.mention) { flags.insert(.mention) }
    if fields.flags.contains(.ignored) { flags.insert(.ignored) }
    if fields.flags.isFromElsewhere { flags.state = fields.flags.contains(.room) ? .delivered : .sent }
    if !fields.rare.isEmpty, let details = fields.rare[0].details {
      if details.change?.retraction != nil { flags.insert(.retracted) }
      if details.event != nil { flags.insert(.event) }
    }
    return flags
  }
}
