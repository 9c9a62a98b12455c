package import Bytes

extension Record {
  /// The kind's number in the frame.
  package var kind: UInt8 {
    switch self {
    case .account: RecordKind.account.rawValue
    case .wish: RecordKind.wish.rawValue
    case .message: RecordKind.message.rawValue
    case .delivery: RecordKind.delivery.rawValue
    case .transmission: RecordKind.transmission.rawValue
    case .device: RecordKind.device.rawValue
    case .step: RecordKind.step.rawValue
    case .encryption: RecordKind.encryption.rawValue
    case .suspicion: RecordKind.suspicion.rawValue
    case .read: RecordKind.read.rawValue
    case .draft: RecordKind.draft.rawValue
    case .contact: RecordKind.contact.rawValue
    case .rosterVersion: RecordKind.rosterVersion.rawValue
    case .refused: RecordKind.refused.rawValue
    case .payload: RecordKind.payload.rawValue
    case .archiveID: RecordKind.archiveID.rawValue
    case .login: RecordKind.login.rawValue
    case .offer: RecordKind.offer.rawValue
    case .archive: RecordKind.archive.rawValue
    case .stream: RecordKind.stream.rawValue
    case .cursor: RecordKind.cursor.rawValue
    case .receiptSent: RecordKind.receiptSent.rawValue
    case .release: RecordKind.release.rawValue
    case .forgetting: RecordKind.forgetting.rawValue
    case .erased: RecordKind.erased.rawValue
    case .gap: RecordKind.gap.rawValue
    case .settings: RecordKind.settings.rawValue
    case .room: RecordKind.room.rawValue
    case .ignore: RecordKind.ignore.rawValue
    case .roomReader: RecordKind.roomReader.rawValue
    case .mentionWords: RecordKind.mentionWords.rawValue
    case .emoticonUsed: RecordKind.emoticonUsed.rawValue
    case .avatar: RecordKind.avatar.rawValue
    case .nickname: RecordKind.nickname.rawValue
    case .readPublished: RecordKind.readPublished.rawValue
    case .upload: RecordKind.upload.rawValue
    case .uploadHost: RecordKind.uploadHost.rawValue
    case .referencesFound: RecordKind.referencesFound.rawValue
    case .change: RecordKind.change.rawValue
    case .unknown(let kind): kind
    }
  }

  /// Writes the payload's fields (docs/LOG-FORMAT.md, "Payloads"). An unknown record has none: it is never written.
  package func encode(into writer: inout FieldWriter) {
    switch self {
    case .account(let record): record.encode(into: &writer)
    case .wish(let record): record.encode(into: &writer)
    case .message(let record): record.encode(into: &writer)
    case .delivery(let record): record.encode(into: &writer)
    case .transmission(let record): record.encode(into: &writer)
    case .suspicion(let record): record.encode(into: &writer)
    case .read(let record): record.encode(into: &writer)
    case .draft(let record): record.encode(into: &writer)
    case .contact(let record): record.encode(into: &writer)
    case .rosterVersion(let record): record.encode(into: &writer)
    case .refused(let record): record.encode(into: &writer)
    case .payload(let record): record.encode(into: &writer)
    case .archiveID(let record): record.encode(into: &writer)
    case .login(let record): record.encode(into: &writer)
    case .offer(let record): record.encode(into: &writer)
    case .archive(let record): record.encode(into: &writer)
    case .stream(let record): record.encode(into: &writer)
    case .cursor(let record): record.encode(into: &writer)
    case .receiptSent(let record): record.encode(into: &writer)
    case .release(let record): record.encode(into: &writer)
    case .forgetting(let record): record.encode(into: &writer)
    case .erased(let record): record.encode(into: &writer)
    case .gap(let record): record.encode(into: &writer)
    case .settings(let record): record.encode(into: &writer)
    case .room(let record): record.encode(into: &writer)
    case .ignore(let record): record.encode(into: &writer)
    case .roomReader(let record): record.encode(into: &writer)
    case .mentionWords(let record): record.encode(into: &writer)
    case .emoticonUsed(let record): record.encode(into: &writer)
    case .avatar(let record): record.encode(into: &writer)
    case .nickname(let record): record.encode(into: &writer)
    case .readPublished(let record): record.encode(into: &writer)
    case .upload(let record): record.encode(into: &writer)
    case .uploadHost(let record): record.encode(into: &writer)
    case .referencesFound(let record): record.encode(into: &writer)
    case .device(let record): record.encode(into: &writer)
    case .step(let record): record.encode(into: &writer)
    case .encryption(let record): record.encode(into: &writer)
    case .change(let record): record.encode(into: &writer)
    case .unknown: break
    }
  }

  /// Reads a record back. Fields of later versions are skipped; a kind of a later version is `unknown`.
  package init(kind: UInt8, payload: RawSpan) throws(FieldError) {
    self = try FieldReader.read(payload, RecordKind.leadingFields(of: kind)) { reader throws(FieldError) in
      try Record(kind: kind, from: &reader)
    }
  }

  /// Throws where decoding the record would throw, without copying anything.
  package static func check(kind: UInt8, payload: RawSpan) throws(FieldError) {
    try FieldReader.read(payload, RecordKind.leadingFields(of: kind), checking: true) { reader throws(FieldError) in
      if RecordKind.isMessage(kind) { return try MessageRecord.check(&reader) }
      try RecordKind(rawValue: kind)?.row.part.check(&reader)
    }
  }

  /// The record with this kind and payload.
  package init(kind: UInt8, payload: [UInt8]) throws(FieldError) {
    self = try FieldReader.read(payload, RecordKind.leadingFields(of: kind)) { reader throws(FieldError) in
      try Record(kind: kind, from: &reader)
    }
  }

  private init(kind: UInt8, from reader: inout FieldReader) throws(FieldError) {
    switch RecordKind(rawValue: kind) {
    case .account: self = .account(try AccountRecord(from: &reader))
    case .wish: self = .wish(try AccountWish(from: &reader))
    case .message: self = .message(try MessageRecord(from: &reader))
    case .delivery: self = .delivery(try DeliveryRecord(from: &reader))
    case .transmission: self = .transmission(try TransmissionRecord(from: &reader))
    case .suspicion: self = .suspicion(try SuspicionRecord(from: &reader))
    case .read: self = .read(try ReadRecord(from: &reader))
    case .draft: self = .draft(try DraftRecord(from: &reader))
    case .contact: self = .contact(try ContactRecord(from: &reader))
    case .rosterVersion: self = .rosterVersion(try RosterVersionRecord(from: &reader))
    case .refused: self = .refused(try RefusedRecord(from: &reader))
    case .payload: self = .payload(try PayloadRecord(from: &reader))
    case .archiveID: self = .archiveID(try ArchiveIDRecord(from: &reader))
    case .login: self = .login(try LoginRecord(from: &reader))
    case .offer: self = .offer(try OfferRecord(from: &reader))
    case .archive: self = .archive(try ArchiveRecord(from: &reader))
    case .stream: self = .stream(try StreamRecord(from: &reader))
    case .cursor: self = .cursor(try CursorRecord(from: &reader))
    case .receiptSent: self = .receiptSent(try ReceiptSentRecord(from: &reader))
    case .release: self = .release(try ReleaseRecord(from: &reader))
    case .forgetting: self = .forgetting(try ForgettingRecord(from: &reader))
    case .erased: self = .erased(try ErasedRecord(from: &reader))
    case .gap: self = .gap(try GapRecord(from: &reader))
    case .settings: self = .settings(try SettingsRecord(from: &reader))
    case .room: self = .room(try RoomRecord(from: &reader))
    case .ignore: self = .ignore(try IgnoreRecord(from: &reader))
    case .roomReader: self = .roomReader(try RoomReaderRecord(from: &reader))
    case .mentionWords: self = .mentionWords(try MentionWordsRecord(from: &reader))
    case .emoticonUsed: self = .emoticonUsed(try EmoticonUsedRecord(from: &reader))
    case .avatar: self = .avatar(try AvatarRecord(from: &reader))
    case .nickname: self = .nickname(try NicknameRecord(from: &reader))
    case .readPublished: self = .readPublished(try ReadPublishedRecord(from: &reader))
    case .upload: self = .upload(try UploadRecord(from: &reader))
    case .uploadHost: self = .uploadHost(try UploadHostRecord(from: &reader))
    case .referencesFound: self = .referencesFound(try ReferencesFoundRecord(from: &reader))
    case .device: self = .device(try DeviceRecord(from: &reader))
    case .step: self = .step(try StepRecord(from: &reader))
    case .encryption: self = .encryption(try EncryptionRecord(from: &reader))
    case .change: self = .change(try MessageRecord(from: &reader))
    case nil: self = .unknown(kind: kind)
    }
  }
}
