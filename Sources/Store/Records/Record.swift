/// One durable fact: what the log is made of. Everything the daemon knows is the result of applying its records in the
/// order of their sequence numbers (docs/LOG-FORMAT.md, "Payloads", has the field numbers).
///
/// A record is immutable once written; its sequence number comes from the log and is not part of it. Each case is one
/// reference at most: a record is handed on several times between the parser and the facts.
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
  indirect case room(RoomRecord)
  indirect case ignore(IgnoreRecord)
  indirect case roomReader(RoomReaderRecord)
  indirect case mentionWords(MentionWordsRecord)
  indirect case emoticonUsed(EmoticonUsedRecord)
  indirect case avatar(AvatarRecord)
  indirect case nickname(NicknameRecord)
  indirect case readPublished(ReadPublishedRecord)
  indirect case upload(UploadRecord)
  indirect case uploadHost(UploadHostRecord)
  indirect case referencesFound(ReferencesFoundRecord)
  indirect case device(DeviceRecord)
  indirect case step(StepRecord)
  indirect case encryption(EncryptionRecord)
  /// A message as it stands after a change of it; `target` says which.
  case change(MessageRecord)
  /// A kind that this version does not know, written by a later one: kept, skipped, never fatal.
  case unknown(kind: UInt8)
}

extension Record {
  /// True for a message or delivery state taken from elsewhere: no news.
  package var isHistory: Bool {
    switch self {
    case .message(let message): message.isHistory
    case .delivery(let delivery): delivery.isHistory
    default: false
    }
  }
}

extension Record {
  /// True for a message, or a change of one, with this stanza's id in a conversation.
  package func isNamed(_ stanzaID: String, in jid: String) -> Bool {
    switch self {
    case .message(let message): message.jid == jid && message.isNamed(stanzaID)
    case .change(let message): message.jid == jid && message.details?.change?.stanzaID == stanzaID
    default: false
    }
  }
}
