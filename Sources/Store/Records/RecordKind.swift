package import Bytes

/// The kinds of records and their numbers in a frame, which are never reused; those above 239 are the log's own. With
/// the rows they are the table that `confab log dump` and docs/LOG-FORMAT.md read.
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
  case stream = 16
  case archive = 17
  case cursor = 18
  case receiptSent = 19
  case release = 20
  case forgetting = 21
  case erased = 22
  case gap = 23
  case message = 24
  case archiveID = 30
  case settings = 31
  case emoticonUsed = 40
  case nickname = 41
  case readPublished = 42
  case change = 33
  case avatar = 44
  case upload = 45
  case uploadHost = 46
  case room = 47
  case referencesFound = 50
  case mentionWords = 55
  case ignore = 56
  case roomReader = 57
  case device = 58
  case step = 59
  case encryption = 60

  package var row: Row {
    switch self {
    case .account: Row("account", AccountRecord.self, "number, name and JID of an account")
    case .wish: Row("wish", AccountWish.self, "what the user wants of an account")
    case .delivery: Row("delivery", DeliveryRecord.self, "a message of mine got further, or failed")
    case .transmission: Row("transmission", TransmissionRecord.self, "messages whose bytes may leave")
    case .suspicion: Row("suspicion", SuspicionRecord.self, "a stream error came behind a message")
    case .read: Row("read", ReadRecord.self, "the read position")
    case .draft: Row("draft", DraftRecord.self, "the draft of a conversation")
    case .contact: Row("contact", ContactRecord.self, "a contact, as it is now")
    case .rosterVersion: Row("roster-version", RosterVersionRecord.self, "the roster's version")
    case .refused: Row("refused", RefusedRecord.self, "a stanza over our limits")
    case .payload: Row("payload", PayloadRecord.self, "a stanza that is not understood, or waits for its message")
    case .login: Row("login", LoginRecord.self, "how the account logged in")
    case .offer: Row("offer", OfferRecord.self, "what the server offered at the last login")
    case .stream: Row("stream", StreamRecord.self, "what is new of a stream")
    case .archive: Row("archive", ArchiveRecord.self, "how far the account's archive is here")
    case .cursor: Row("cursor", CursorRecord.self, "the position of a named consumer of events")
    case .receiptSent: Row("told", ReceiptSentRecord.self, "receipts and markers that the server has")
    case .release: Row("release", ReleaseRecord.self, "a message that was kept back goes out now")
    case .forgetting: Row("forgetting", ForgettingRecord.self, "a conversation is forgotten")
    case .erased: Row("erased", ErasedRecord.self, "what stands where a record was, or ids alone")
    case .gap: Row("gap", GapRecord.self, "for a time nothing could be stored")
    case .message: Row("message", MessageRecord.self, "a message")
    case .archiveID: Row("archive-id", ArchiveIDRecord.self, "another id of a message in the archive")
    case .settings: Row("settings", SettingsRecord.self, "what the user has set of a conversation, all of it")
    case .emoticonUsed: Row("emoticon-used", EmoticonUsedRecord.self, "an emoticon was used, of no account")
    case .avatar: Row("avatar", AvatarRecord.self, "which avatar a contact or the account itself has")
    case .nickname: Row("nickname", NicknameRecord.self, "the nickname of a contact, or of the account")
    case .readPublished:
      Row("read-published", ReadPublishedRecord.self, "read positions that other devices know, or never will")
    case .upload: Row("upload", UploadRecord.self, "a file of a message of mine is uploaded")
    case .referencesFound:
      Row("references-found", ReferencesFoundRecord.self, "receipts, markers and errors whose messages are here")
    case .uploadHost: Row("upload-host", UploadHostRecord.self, "a host of the account's upload service")
    case .mentionWords: Row("mention-words", MentionWordsRecord.self, "words that are mentions, of no account")
    case .ignore: Row("ignore", IgnoreRecord.self, "an occupant of a room whose messages are no news")
    case .roomReader: Row("room-reader", RoomReaderRecord.self, "how far somebody in a small room has displayed it")
    case .device: Row("device", DeviceRecord.self, "a device that encrypts, as it is now")
    case .encryption:
      Row("encryption", EncryptionRecord.self, "whether messages of a conversation are encrypted")
    case .step: Row("step", StepRecord.self, "a step of the encryption without a message")
    case .room: Row("room", RoomRecord.self, "a room, as the account knows it")
    case .change: Row("change", MessageRecord.self, "a message after a change, all of it, with fields as those of 24")
    }
  }

  /// A row of the table.
  package struct Row {
    /// The kind's name in `confab log dump`.
    package let name: String
    package let title: String
    package var fields: [RecordField] { part.fields }
    let part: any RecordPart.Type

    fileprivate init(_ name: String, _ part: any RecordPart.Type, _ title: String) {
      (self.name, self.part, self.title) = (name, part, title)
    }
  }

  /// True if a record of this kind holds a message, with the fields of one.
  package static func isMessage(_ kind: UInt8) -> Bool { kind == message.rawValue || kind == change.rawValue }

  /// The fields without tags that payloads of a kind begin with; nil where all have tags.
  package static func leadingFields(of kind: UInt8) -> LeadingFields? {
    isMessage(kind) ? MessageRecord.leadingFields : nil
  }
}
