import Bytes
import Records
import Testing

/// One record of every kind with every member set, and one with as few as possible.
let samples: [Record] = {
  var full = MessageRecord(account: 3, jid: "bob@example.org", peer: "bob@example.org/phone", time: -5)
  full.author = .thisDevice
  full.delayed = true
  full.transmitted = true
  full.author = .otherDevice
  full.archived = true
  full.depth = 70_000
  full.claimedTime = -1_000_000
  full.type = "normal"
  full.text = "héllo 世界 👋\r\n"
  full.subject = "s"
  full.thread = "t"
  full.language = "zh"
  full.stanzaID = "i"
  full.originID = "o"
  full.archiveID = "a"
  full.key = "k"
  full.payloads = Array("<x xmlns='y'/>".utf8)
  full.sender = Sender(uid: 0, pid: 4_194_304, socket: "alerts")
  var plain = MessageRecord(account: 1, jid: "bob@example.org", peer: "bob@example.org", time: 1)
  plain.text = "x"
  var elsewhere = MessageRecord(account: 1, jid: "room@example.org", peer: "elsewhere@example.org/x", time: 1)
  elsewhere.text = "x"
  var main = plain
  main.sender = Sender(uid: 0, pid: 0)
  var imported = DeliveryRecord(account: 1, jid: "b@c", time: 9, id: 7, state: .delivered)
  imported.isHistory = true
  var contact = ContactRecord(account: 1, jid: "bob@example.org")
  contact.name = "Bob"
  contact.groups = ["a", "b"]
  contact.subscription = "both"
  contact.ask = "subscribe"
  contact.request = true
  var offer = OfferRecord(account: 1)
  offer.mechanisms = ["SCRAM-SHA-256", "PLAIN"]
  offer.channelBindings = ["tls-exporter"]
  offer.streamManagement = true
  offer.rosterVersioning = true
  offer.pipeliningFailures = 1
  var archive = ArchiveRecord(account: 1)
  archive.anchor = .init(id: "a", time: -1, place: 7)
  archive.floor = "f"
  archive.horizon = 3
  archive.pages = 2
  archive.messages = 500
  var room = RoomRecord(account: 1, jid: "team@rooms.example.org")
  (room.isWanted, room.nick, room.password, room.bookmarkName) = (true, "ann", "secret", "Team")
  room.extensions = Array("<pinned xmlns='x'/>".utf8)
  room.refusal = .init("destroyed", text: "moved", movedTo: "new@rooms.example.org")
  var info = RoomRecord.Info()
  (info.name, info.description, info.language, info.time) = ("Team", "d", "de", 7)
  for feature in RoomRecord.Feature.allCases { info.set(feature, true) }
  room.info = info
  (room.occupantID, room.affiliation, room.role) = ("id", "owner", "moderator")
  room.topic = .init("Lunch", by: "bob", time: -1)
  var invitation = RoomRecord.Invitation()
  (invitation.from, invitation.reason, invitation.password) = ("bob@example.org", "come", "secret")
  (invitation.isDirect, invitation.time) = (true, 9)
  (room.invitation, room.firstJoined, room.usedNick, room.state) = (invitation, 5, "ann_", "refused")
  room.mayBeMade = true
  (room.invitationID, room.answeredUntil) = ("a1", -2)
  (room.autojoinElsewhere, room.isBookmarkLost) = (false, true)
  (room.requests, room.asksForVoice) = ([.init("bob", jid: "bob@example.org/x")], true)
  var ofRoom = MessageRecord(account: 1, jid: "team@rooms.example.org", peer: "team@rooms.example.org/bob", time: 1)
  ofRoom.author = .occupant(Occupant(nick: "bob", id: "i", presence: 1 << 47))
  full.place = .max
  full.isCounted = true
  full.owesReceipt = true
  full.isMarkable = true
  full.isUnstyled = true
  full.expires = .max
  full.heldUntil = -1
  var stream = StreamRecord(account: 1)
  var beginning = StreamRecord.Beginning(jid: "alice@example.org/confab")
  beginning.id = "some-long-sm-id"
  beginning.maximumSeconds = 600
  beginning.location = "[2001:db8::1]:9222"
  beginning.isDirect = true
  stream.beginning = beginning
  stream.handled = .max
  stream.ceiling = 64
  stream.hasRoster = true
  stream.presencePlace = 2
  stream.leftAt = -1
  stream.unconfirmedReceipts = [.init(place: .max, sequence: .max), .init(place: 0, sequence: 1)]
  stream.isOver = true
  stream.settled = 7
  var published = ReadRecord(account: 1, jid: "b@c", time: 5, id: 7)
  published.isToPublish = true
  var movedBack = ReadRecord(account: 1, jid: "b@c", time: .min, id: 0)
  movedBack.movedBackAt = -1
  var settings = SettingsRecord(account: 1, jid: "b@c")
  settings.setNotify(.mentions, until: nil)
  settings.setNotify(.never, until: 1 << 42)
  settings.setNotify(.always, until: -9)
  (settings.isPinned, settings.isArchived) = (true, true)
  var presence = PresenceRecord(jid: "bob@example.org", resource: "phone")
  presence.show = "away"
  presence.status = "out"
  presence.priority = -5
  stream.presences = [presence, PresenceRecord(jid: "bob@example.org", resource: "")]
  var changed = full
  changed.target = 1 << 40
  changed.details = fullDetails
  var waiting = PayloadRecord(account: 1, time: 5, xml: [60, 62])
  (waiting.waitsFor, waiting.claimedArchiveID, waiting.conversation) = (.max, "c", "b@c")
  var sentChange = DeliveryRecord(account: 1, jid: "b@c", time: 9, id: 7, state: .sent)
  sentChange.target = 3
  return [
    .change(changed), .payload(waiting), .delivery(sentChange),
    .account(.init(number: 1, name: "home", jid: "alice@example.org")),
    .wish(.init(account: 1, connected: false, show: "dnd", status: "busy")),
    .message(full), .message(plain), .message(elsewhere), .message(main),
    .delivery(
      .init(
        account: 1, jid: "b@c", time: 9, id: 7, state: .failed, failure: .init(condition: "gone", text: "moved"),
        inDoubt: true)),
    .delivery(.init(account: 1, jid: "b@c", time: 9, id: 7, state: .sent)),
    .delivery(.init(account: 1, jid: "b@c", time: 9, id: 7, state: .queued, inDoubt: true, isHeld: true)),
    .delivery(imported), .release(.init(account: 1, id: 1 << 40)),
    .gap(.init(account: 1, since: 5, until: 1 << 41)), .gap(.init(account: 1, since: 5)), .gap(.init(account: 1)),
    .transmission(.init(account: 1, ids: [4, 5, 6], place: 9)), .transmission(.init(account: 1, ids: [4])),
    .suspicion(.init(account: 1, id: 4)),
    .read(.init(account: 1, jid: "b@c", time: -3, id: 8)),
    .read(.init(account: 1, jid: "b@c", time: -3, id: 8, marker: 1 << 40)),
    .read(movedBack), .settings(settings), .settings(.init(account: 2, jid: "b@c")),
    .emoticonUsed(.init(code: "[微笑]")), .nickname(.init(account: 1, jid: "b@c", nickname: "Bob")),
    .nickname(.init(account: 1, jid: "b@c", nickname: nil)),
    .readPublished(.init(account: 1, sequences: [3, 1 << 40])), .read(published),
    .avatar(.init(account: 1, jid: "b@c", hash: Array(1...20), isOnCard: true)),
    .avatar(.init(account: 1, jid: "b@c", hash: [1])),
    .upload(.init(account: 1, id: 1 << 40, index: 8, url: "https://a/b")),
    .upload(.init(account: 1, id: 7, index: 0, url: "https://a/b")),
    .uploadHost(.init(account: 1, host: "a", port: 5281)), .referencesFound(.init(account: 1, records: [3, 1 << 40])),
    .receiptSent(.init(account: 1, sequences: [3, 1 << 40])), .forgetting(.init(account: 1, jid: "b@c")),
    .forgetting(.init(account: 1, jid: "b@c", archive: -7)), .erased(.init(account: 1)), .erased(erased),
    .draft(.init(account: 1, jid: "b@c", text: "half a")),
    .contact(contact), .contact(.init(account: 1, jid: "b@c")),
    .rosterVersion(.init(account: 1, version: "v")),
    .refused(.init(account: 1, from: "x@y", stanzaID: "i", size: 1 << 40, reason: "too large")),
    .archiveID(.init(account: 1, message: 7, archiveID: "a2")), .payload(.init(account: 1, time: 5, xml: [60, 62])),
    .payload(.init(account: 1, time: 5, xml: [60, 62], archiveID: "a")), .archive(archive), .archive(.init(account: 2)),
    .room(room), .room(.init(account: 1, jid: "r@x")), .message(ofRoom),
    .mentionWords(.init(words: ["deploy", "小明"])), .mentionWords(.init(words: [])),
    .ignore(.init(account: 1, room: "r@x", nick: "bob")),
    .roomReader(.init(account: 1, room: "r@x", nick: "bob", message: 7, time: 8)),
    .device(device),
    .encryption(encryption),
    .step(.init(account: 1, step)),
    .release(.init(account: 1, id: 7, isRepeat: true)),
    .login(.init(account: 1, mechanism: "SCRAM-SHA-256-PLUS", channelBinding: "tls-exporter")),
    .login(.init(account: 1, mechanism: "SCRAM-SHA-1")), .login(.init(account: 1)),
    .offer(offer), .offer(.init(account: 2)), .stream(stream), .stream(.init(account: 2)),
    .offer(offer), .offer(.init(account: 2)),
    .cursor(.init(name: CursorName("backup"), position: 1 << 40)), .cursor(.init(name: CursorName("backup", of: 3))),
  ]
}()

private let fullDetails: MessageDetails = {
  var details = MessageDetails()
  details.plain = "> x\ny"
  var reply = MessageReply(stanzaID: "i")
  (reply.author, reply.message, reply.time, reply.quote) = ("b@c", 7, -1, "x")
  details.reply = reply
  var forwarded = ForwardedText()
  (forwarded.from, forwarded.time, forwarded.text) = ("d@e/f", 5, "inside")
  forwarded.attachments = [Attachment()]
  details.forwarded = [forwarded, ForwardedText()]
  details.replaces = "gone"
  var file = Attachment()
  (file.url, file.name, file.type, file.size) = ("https://a/b", "b.gif", "image/gif", 1 << 40)
  (file.width, file.height, file.isAnimated) = (3, .max, true)
  file.hashes = [.init(function: "sha-256", value: [1, 2])]
  details.attachments = [file, Attachment()]
  var change = MessageChange(.reaction)
  (change.isMine, change.isSent, change.time, change.previous, change.stanzaID, change.key) = (
    true, true, 9, 3, "s", "k"
  )
  (change.edited, change.earlier) = (8, 2)
  change.retraction = .init(time: 4, by: "b@c", reason: "r")
  change.reactions = [.init(from: "b@c", time: 6), .init(from: "d@e", time: 7)]
  (change.reactions[1].isMine, change.reactions[1].emoji) = (true, ["👍", "❤️"])
  change.absorbed = [.init(record: 5), .init(record: 6, time: -7)]
  details.change = change
  return details
}()

func encoded(_ record: Record) -> [UInt8] {
  var writer = FieldWriter()
  record.encode(into: &writer)
  return writer.bytes
}

@Test("what is written is read back", arguments: samples)
func roundTrip(_ record: Record) throws {
  #expect(try Record(kind: record.kind, payload: encoded(record)) == record)
}

@Test("a payload cut anywhere is an error or a shorter record, never a crash", arguments: samples)
func cut(_ record: Record) {
  let bytes = encoded(record)
  for length in 0..<bytes.count {
    #expect((try? Record(kind: record.kind, payload: Array(bytes[..<length]))) != record)
  }
}

@Test("A check throws if reading throws, whichever byte is another one or missing", arguments: samples)
func check(_ record: Record) {
  let bytes = encoded(record)
  for index in bytes.indices {
    for change in [0x01, 0x04, 0x40, 0x80, 0xFF] as [UInt8] {
      var other = bytes
      other[index] ^= change
      if isChecked(record.kind, other) != isRead(record.kind, other) { Issue.record("byte \(index), \(change)") }
    }
    let part = Array(bytes[..<index])
    #expect(isChecked(record.kind, part) == isRead(record.kind, part), "\(index) bytes")
  }
}

@Test("A sequence of UTF-8 that goes from one text of a message into the next makes neither a text")
func textsAreChecked() {
  let halves: [(first: UInt8, second: UInt8)] = [(0xC3, 0xA9), (0x61, 0x62)]
  for (first, second) in halves {
    // An archive's id of one byte, and behind it the text; then a peer of one byte, of which the length has two.
    for payload in [[0b0100_0000, 1, first, second], [0b0000_1000, 0x81, 0, first, second]] as [[UInt8]] {
      #expect(isChecked(RecordKind.message.rawValue, payload) == (first < 0x80))
      #expect(isRead(RecordKind.message.rawValue, payload) == (first < 0x80))
    }
  }
}

private func isChecked(_ kind: UInt8, _ payload: [UInt8]) -> Bool {
  (unsafe try? Record.check(kind: kind, payload: payload.span.bytes)) != nil
}

private func isRead(_ kind: UInt8, _ payload: [UInt8]) -> Bool { (try? Record(kind: kind, payload: payload)) != nil }

private var device: DeviceRecord {
  var device = DeviceRecord(account: 1, jid: "bob@x", id: 27_183)
  (device.lists, device.identity, device.trust) = ([.legacy, .omemo2], [1, 2, 3], .verified)
  (device.label, device.lastSeen, device.log) = ("phone", 8, [4, 5])
  (device.isBroken, device.change) = (true, .keyChanged)
  return device
}

private var encryption: EncryptionRecord {
  var record = EncryptionRecord(account: 1, jid: "bob@x")
  (record.policy, record.isEncrypted) = (.always, true)
  return record
}

private var step: ContentStep {
  var step = ContentStep(secrets: [.init(name: "identity", epoch: 3, box: [6, 7])], stanza: Array("<e/>".utf8))
  (step.secondStanza, step.ciphertexts) = (Array("<f/>".utf8), [8, 9])
  return step
}

@Test("every kind of the table has a sample")
func everyKind() {
  #expect(Set(samples.map(\.kind)) == Set(RecordKind.allCases.map(\.rawValue)))
}

@Test("fields of a later version are skipped", arguments: samples.filter { !RecordKind.isMessage($0.kind) })
func laterFields(_ record: Record) throws {
  var writer = FieldWriter(appendingTo: encoded(record))
  writer.string(900, "later")
  writer.fixed64(901, 1)
  #expect(try Record(kind: record.kind, payload: writer.bytes) == record)
}

@Test("in a message they stand before the text")
func laterFieldsOfAMessage() throws {
  var writer = FieldWriter(appendingTo: [0b1000_1011])
  writer.append(atMost: 32, numbers: 3) {
    $0.leading(Int64(-7))
    $0.leading(UInt64(3))
    $0.leading("bob@example.org/phone".utf8.span)
  }
  writer.group {
    $0.string(900, "later")
    $0.string(7, "normal")
    $0.fixed64(901, 1)
  }
  writer.bytes += Array("text".utf8)
  var message = MessageRecord(account: 3, jid: "bob@example.org", peer: "bob@example.org/phone", time: -7)
  (message.type, message.text) = ("normal", "text")
  #expect(try Record(kind: RecordKind.message.rawValue, payload: writer.bytes) == .message(message))
}

@Test("what is said and taken back of a message leaves nothing, and much of it is read back")
func rareFieldsOfAMessage() throws {
  let plain = MessageRecord(account: 1, jid: "bob@example.org", peer: "bob@example.org/phone", time: 7, text: "text")
  var message = plain
  (message.subject, message.type, message.claimedTime) = (String(repeating: "s", count: 300), "normal", 5)
  #expect(message != plain)
  #expect(try Record(kind: RecordKind.message.rawValue, payload: encoded(.message(message))) == .message(message))
  (message.subject, message.type, message.claimedTime) = (nil, "chat", nil)
  #expect(message == plain && encoded(.message(message)) == encoded(.message(plain)))
}

@Test("about a message in the outbox, conversation and time are not said")
func ofOutbox() throws {
  var delivery = DeliveryRecord(account: 1, jid: "bob@example.org", time: 1 << 40, id: 7, state: .sent)
  let whole = encoded(.delivery(delivery)).count
  delivery.isOfOutbox = true
  let payload = encoded(.delivery(delivery))
  #expect(payload.count == whole - 17 - 7)
  guard case .delivery(let read) = try Record(kind: RecordKind.delivery.rawValue, payload: payload) else { return }
  #expect(read.jid.isEmpty && read.isOfOutbox && read.id == 7 && read.state == .sent)
}

@Test("a time without a conversation says nothing, and is not read")
func timeAlone() throws {
  let payload: [UInt8] = [3 << 3, 9, 4 << 3, 7, 5 << 3, 1]
  guard case .delivery(let read) = try Record(kind: RecordKind.delivery.rawValue, payload: payload) else { return }
  #expect(read.time == 0 && read.isOfOutbox && read.id == 7)
  #expect(try Record(kind: RecordKind.delivery.rawValue, payload: encoded(.delivery(read))) == .delivery(read))
}

@Test("a kind of a later version is unknown, not an error")
func laterKind() throws {
  #expect(try Record(kind: 200, payload: [1, 2, 3]) == .unknown(kind: 200))
}

@Test("a conversation that is the bare form of the peer takes no room")
func bareForm() {
  let short = encoded(.message(.init(account: 1, jid: "b@c", peer: "b@c/r", time: 1)))
  let long = encoded(.message(.init(account: 1, jid: "d@e", peer: "b@c/r", time: 1)))
  #expect(short.count + 4 == long.count)
}

@Test("who asked for a message costs at most 16 bytes, and a socket's name what it is long")
func costOfAudit() {
  var message = MessageRecord(account: 1, jid: "b@c", peer: "b@c", time: 1)
  let plain = encoded(.message(message)).count
  message.sender = Sender(uid: 4_294_967_294, pid: 4_194_304)
  #expect(encoded(.message(message)).count - plain == 1 + 13)
  message.sender = Sender(uid: 1000, pid: 40_000, socket: "alerts")
  #expect(encoded(.message(message)).count - plain == 1 + 9 + 3 + 6)
}

private let erased: ErasedRecord = {
  var erased = ErasedRecord(account: 2, isCounted: true)
  (erased.place, erased.archiveID, erased.copy) = (7, 1 << 63, 3)
  (erased.stanzaID, erased.key, erased.time) = (4, 5, -6)
  return erased
}()

@Test("what is left of an erased message is as long as the message was, and says as much as there is room for")
func erasedSizes() throws {
  for count in Array(0...200) + [5_000, 16_500, 300_000] {
    guard let payload = erased.payload(of: count) else {
      #expect(count < 8, "there is room for what it counted for")
      continue
    }
    #expect(payload.count == count)
    guard case .erased(let read) = try Record(kind: RecordKind.erased.rawValue, payload: payload) else {
      Issue.record("it is one")
      continue
    }
    #expect(read.isCounted && read.place == 7 && read.account == 2)
    if count > 47 { #expect(read == erased) }
  }
}

@Test(
  "Only `/me ` at the start makes an action",
  arguments: [
    ("/me laughs", true), ("/me ", true), ("/me", false), ("/me's", false), (" /me x", false), ("/ME x", false),
  ])
func action(_ text: String, _ expected: Bool) {
  let message = MessageRecord(account: 1, jid: "a@example.org", peer: "a@example.org/x", time: 0, text: text)
  #expect(message.isAction == expected)
}
