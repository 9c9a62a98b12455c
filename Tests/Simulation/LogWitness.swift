import Bytes
import Clocks
import State
import MessageLog
import Records

/// What the disk has said is durable: every record with its content, read by nobody but the promises. It may not change
/// and not go away, whatever happens.
final class LogWitness {
  let world: World
  /// Digests of the durable records, by their number from 1 on.
  private var digests: [UInt64] = []
  private var kinds: [UInt8] = []
  private(set) var messages: [UInt64: MessageRecord] = [:]
  private var mine: [String: UInt64] = [:]
  private var keys: [String: UInt64] = [:]
  private var incoming: [String: Int] = [:]
  private let changes = ChangeWitness()
  let writing: WritingWitness
  let nodes = NodeWitness()
  let reading = ReadingWitness()
  let reasons: ReadingReasons
  let forgotten = ForgettingWitness()
  let rooms: RoomWitness
  let ciphers: CipherWitness
  /// Messages that the server sent again with stamps on one resumed stream, in its order.
  var resent: [[Parcel]] = []
  /// JIDs that ask to see an account's presence.
  private var askers: [UInt32: Set<String>] = [:]
  /// How often a message without distinguishing ids may be stored.
  var allowed: [String: Int] = [:]
  /// Messages that were stored while the clock was wrong.
  private var timeless: Set<String> = []
  /// When messages of others stand here: of a note to self the last copy, of others the first.
  private var times: [String: Int64] = [:]
  /// Of each writer, by account and address, the last number seen.
  private var lastNumber: [String: Int] = [:]
  private var states: [UInt64: DeliveryState] = [:]
  /// All that a message was at some time.
  private var reached: [UInt64: Set<DeliveryState>] = [:]
  private var doubts: Set<UInt64> = []
  /// Messages to rooms that moved when the room showed them: by which record, and to when.
  private var moves: [UInt64: (since: UInt64, time: Int64)] = [:]
  /// Messages that were kept back and go out now, and where they stand since.
  private(set) var releases: [UInt64: UInt64] = [:]
  /// Messages to rooms that went out to be sent again, and where they stand since.
  private var lastReleases: [UInt64: UInt64] = [:]
  /// Those that a front end asked to be let go.
  var releasesAskedFor: Set<UInt64> = []
  /// Accounts whose archive has been asked, and how far it is here is known.
  private(set) var archivesKnown: Set<UInt32> = []
  private var archives: [UInt32: ArchiveRecord] = [:]
  /// True if any message has a time at which it may leave, or not any more.
  private var hasTimes = false

  init(_ world: World) {
    (self.world, writing, reasons) = (world, WritingWitness(world), ReadingReasons(world, reading))
    (rooms, ciphers) = (RoomWitness(world), CipherWitness(world))
    rooms.log = self
  }

  /// The newest durable record.
  var durable: UInt64 { UInt64(digests.count) }

  /// The last archived message up to which everything is stored.
  func anchor(of account: UInt32) -> String? { archives[account]?.anchor?.id }
  /// True if the first fetch of an archive has not reached its end.
  func isFilling(_ account: UInt32) -> Bool { archives[account].map { $0.floor != nil } ?? true }

  /// JIDs that ask to see an account's presence and are not answered.
  func askers(of account: UInt32) -> Set<String> { askers[account] ?? [] }

  func sequence(ofMine stanzaID: String) -> UInt64? { mine[stanzaID] }
  func sequence(ofKey key: String) -> UInt64? { keys[key] }
  func count(ofIncoming id: String) -> Int { incoming[id] ?? changes.count(id) }
  func state(of sequence: UInt64) -> DeliveryState { states[sequence] ?? .queued }
  /// What a message is, or was before.
  func states(of sequence: UInt64) -> Set<DeliveryState> { reached[sequence] ?? [] }
  /// Nothing is left to be done for it.
  func isSettled(_ sequence: UInt64) -> Bool {
    guard let message = messages[sequence], message.author.isMe else { return true }
    return state(of: sequence) != .queued && !(message.isOfRoom && state(of: sequence) == .sent)
  }
  /// Where a message of mine stands among those that leave.
  func order(of sequence: UInt64) -> UInt64 {
    // Those that wait for keys may be let go several times.
    let isOfRoom = messages[sequence]?.isOfRoom == true || world.encryption != nil
    return (isOfRoom ? lastReleases : releases)[sequence] ?? sequence
  }
  func isInDoubt(_ sequence: UInt64) -> Bool { doubts.contains(sequence) }

  /// A durable record, from a batch or read again at a start.
  func note(_ frame: borrowing LogFrame) {
    let payload = frame.copyPayload()
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(frame.kind)
    for byte in payload { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let sequence = frame.sequence
    guard sequence > durable else {
      world.hold(sequence >= 1 && digests[Int(sequence) - 1] == digest, "record \(sequence) stays what it was")
      return
    }
    world.hold(sequence == durable + 1, "record \(sequence) follows \(durable)")
    digests.append(digest)
    kinds.append(frame.kind)
    if let record = Record(reading: frame) { note(record, sequence) }
  }

  private func note(_ record: Record, _ sequence: UInt64) {
    forgotten.note(record, sequence)
    ciphers.note(record, sequence, messages)
    switch record {
    case .forgetting(let forgetting):
      world.see(.forgetting)
      reading.note(forgetting, sequence)
    case .message(let message): note(message, sequence)
    case .change(let message) where message.isSealed: break
    case .change(let message) where message.details?.change?.kind == .opened: noteOpened(message, sequence)
    case .change(let message):
      let isNew = changes.noteChange(message, sequence)
      reading.noteAbsorbed(message, sequence)
      reading.noteRetraction(message, sequence)
      world.hold(isNew, "the change \(message.details?.change?.stanzaID ?? "") is in the log again, as \(sequence)")
    case .payload(let payload): if changes.note(payload) { world.see(.awaitedSignal) }
    case .delivery(let delivery):
      if delivery.inDoubt { doubts.insert(delivery.id) }
      if let time = delivery.standsAt { move(delivery.id, to: time, by: sequence) }
      // A late word does not take back how it ended.
      if delivery.state != .queued { states[delivery.id] = delivery.state }
      reached[delivery.id, default: []].insert(delivery.state)
    case .archive(let archive):
      if archive.address == nil {
        archivesKnown.insert(archive.account)
        archives[archive.account] = archive
      }
      reading.note(archive)
    case .stream(let stream): writing.note(stream, sequence)
    case .room(let room): rooms.note(room)
    case .ignore(let ignored): rooms.note(ignored)
    case .nickname(let nickname): nodes.note(nickname)
    case .avatar(let avatar): nodes.note(avatar)
    case .read(let read):
      reasons.check(read, sequence, messages[read.id], copies: copies(of: read.id))
      reading.note(read, sequence)
    case .contact(let contact):
      if contact.request {
        askers[contact.account, default: []].insert(contact.jid)
      } else {
        askers[contact.account]?.remove(contact.jid)
      }
    case .release(let release):
      // Its time came while a front end's wish was being written, or it goes again: the first counts.
      if releases[release.id] == nil { checkRelease(release.id) }
      releases[release.id] = releases[release.id] ?? sequence
      lastReleases[release.id] = sequence
    default: break
    }
  }

  /// A message that could not be read has its text.
  private func noteOpened(_ message: MessageRecord, _ sequence: UInt64) {
    world.see(.openedLate)
    _ = changes.noteChange(message, sequence)
    if !message.isMine || message.author != .thisDevice { noteIncoming(message, sequence) }
  }

  /// A message of the user's moves once, behind what its room has shown (decision 0168).
  private func move(_ id: UInt64, to time: Int64, by sequence: UInt64) {
    guard let message = messages[id] else { return world.hold(false, "\(id) moves, and is no message") }
    world.hold(
      message.isOfRoom && message.author == .thisDevice && moves[id] == nil && time >= message.time,
      "\(message.text), number \(id), moves from \(message.time) to \(time)")
    moves[id] = (sequence, time)
    reading.move(id, of: message, to: time)
  }

  /// When a message stands after a record, in milliseconds since 1970.
  func time(of id: UInt64, _ message: MessageRecord, at sequence: UInt64 = .max) -> Int64 {
    moves[id].flatMap { $0.since <= sequence ? $0.time : nil } ?? message.time
  }

  /// What is kept back goes out at its time, or when somebody asks for it.
  private func checkRelease(_ id: UInt64) {
    guard let until = messages[id]?.heldUntil, !releasesAskedFor.contains(id), !world.clockWasSet(within: .minutes(2))
    else { return }
    world.hold(until <= world.now.wall.milliseconds, "message \(id) was to be kept back, and goes out before its time")
  }

  /// Bytes are on their way to the server: what is kept back, or too late, is not among them.
  func checkLeaving(_ bytes: [UInt8]) {
    guard hasTimes else { return }
    for id in Rewriter.values(of: "<message ", "id=", in: String(decoding: bytes, as: UTF8.self)) {
      guard let sequence = mine[id], let message = messages[sequence] else { continue }
      world.hold(
        message.heldUntil == nil || releases[sequence] != nil, "\(message.text) leaves, and is kept back")
      guard let expires = message.expires, !world.clockWasSet(within: .minutes(2)) else { continue }
      // The disk and the link may have taken their time since it was decided.
      let late = world.now.wall.milliseconds - expires
      let stoodStill = world.now.instant <= world.stalledUntil.advanced(by: .minutes(1))
      world.hold(late < 60_000 || stoodStill, "\(message.text) leaves \(late) ms after it expired")
    }
  }

  private func note(_ message: MessageRecord, _ sequence: UInt64) {
    messages[sequence] = message
    changes.note(message, sequence)
    reading.note(message, sequence)
    checkIsUnread(message, sequence)
    if let key = message.key {
      world.hold(keys[key] == nil, "key \(key) made two messages, \(keys[key] ?? 0) and \(sequence)")
      keys[key] = sequence
    }
    hasTimes = hasTimes || message.expires != nil || message.heldUntil != nil
    if message.author == .thisDevice {
      if let id = message.stanzaID { mine[id] = sequence }
    } else if message.isOfRoom {
      rooms.note(message, sequence)
    } else if message.isInPrivate {
      rooms.notePrivate(message, sequence)
    } else {
      noteIncoming(message, sequence)
    }
  }

  /// Further records of a message that was stored more than once, since the clock was wrong.
  private func copies(of id: UInt64) -> [UInt64] {
    guard let message = messages[id], !message.isOfRoom,
      let name = message.text.split(separator: " ").first, timeless.contains(String(name))
    else { return [] }
    let same = messages.filter {
      $0.key != id && $0.value.account == message.account && $0.value.jid == message.jid
        && $0.value.text == message.text
    }
    return Array(same.keys)
  }

  /// True if the archive that a message may come out of is not fetched backwards any more.
  func isFilled(_ message: MessageRecord) -> Bool { reading.isFilled(message) }

  /// Once, as whose it is, and in the order in which it was written, where no archive fills in what came before.
  private func noteIncoming(_ message: MessageRecord, _ sequence: UInt64) {
    guard let id = message.text.split(separator: " ").first.map(String.init) else { return }
    incoming[id, default: 0] += 1
    writing.check(message, id)
    let count = count(ofIncoming: id)
    if world.isClockDoubtful || isFarFromFirst(message, id) { timeless.insert(id) }
    // Copies of a note, and of a message without an id, are told apart by their times as well.
    let isNear = abs(message.time - (times[id] ?? message.time)) <= 5_000
    let isTold =
      message.isNoteToSelf
      ? !timeless.contains(id) && (isNear || message.archiveID != nil)
      : !timeless.contains(id) || message.copyID != nil
    if message.isNoteToSelf || times[id] == nil { times[id] = message.time }
    world.hold(
      count <= max(1, allowed[id] ?? 1) || !isTold,
      "\(id) is in the log \(count) times, the last time as \(sequence)")
    world.hold(
      message.author.isMe == id.contains("+"),
      "\(id) is in the log as \(message.author.isMe ? "mine" : "somebody else's")")
    let isLive = world.climate.archive == nil || world.climate.habits.policy == .never
    guard count == 1, isLive, world.encryption?.shuffles != true,
      let number = id.split(separator: "-").last.flatMap({ Int($0) })
    else { return }
    let writer = "\(message.account) \(message.jid) \(message.author.isMe)"
    world.hold(number > lastNumber[writer] ?? 0, "\(id) is in the log behind number \(lastNumber[writer] ?? 0)")
    lastNumber[writer] = max(number, lastNumber[writer] ?? 0)
  }

  /// True if nothing shows that a message without an id, or a note to self, is here already: an archive has it under another
  /// id, and it came more than two minutes after the server had it (decision 0042).
  private func isFarFromFirst(_ message: MessageRecord, _ id: String) -> Bool {
    guard message.isNoteToSelf || world.seen[.changed] != nil && message.copyID == nil, let first = times[id],
      let time = writing.time(of: message)
    else { return false }
    return abs(first - time) > 119_000
  }

  // MARK: - What follows from it

  private static let eventKinds: Set<UInt8> = Set(
    [RecordKind.message, .change, .delivery, .read, .draft, .contact, .settings].map(\.rawValue))

  /// A watcher was told this event, and the one with that number before it, or nothing up to there.
  func checkNothingMissed(after earlier: UInt64, before later: UInt64, _ who: String) {
    guard earlier + 1 < later else { return }
    for sequence in earlier + 1..<later where sequence <= durable {
      world.hold(
        !Self.eventKinds.contains(kinds[Int(sequence) - 1]) || changes.isOfAbsorbed(sequence)
          || ciphers.silent.contains(sequence)
          || forgotten.hides(sequence),
        "\(who) was not told of record \(sequence), but of \(later)")
    }
  }

  // MARK: - Changes

  /// The message that each change of a peer is about, by stanza ids.
  var targets: [String: String] {
    get { changes.targets }
    set { changes.targets = newValue }
  }

  /// The corrections that stand for the message with a stanza's id.
  func standIns(for stanzaID: String) -> [UInt64] { changes.standIns(for: stanzaID) }

  /// True if the message with a stanza's id was taken back: corrections of it change nothing then.
  func isRetracted(_ id: String) -> Bool { changes.retracted.contains(id) }

  /// True if a signal waits for a message with this id, or did.
  func isAwaited(_ id: String) -> Bool { changes.awaited.contains(id) }

  /// The messages with a stanza id.
  func sequences(of stanzaID: String) -> [UInt64] { changes.sequences(of: stanzaID) }

  /// A message as it stands.
  func present(_ id: UInt64) -> MessageRecord? { changes.present(id, upTo: durable) ?? messages[id] }

  /// The messages of a conversation up to a record, in their order.
  func history(of jid: String, account: UInt32, upTo sequence: UInt64) -> [(id: UInt64, message: MessageRecord)] {
    messages.filter {
      $0.value.jid == jid && $0.value.account == account && reading.isHere($0.key, in: .init($0.value), at: sequence)
    }
    .map {
      var message = changes.present($0.key, upTo: sequence) ?? $0.value
      message.time = time(of: $0.key, $0.value, at: sequence)
      return (id: $0.key, message: message)
    }
    .sorted {
      ($0.message.time, $0.message.archiveOrder, $0.id) < ($1.message.time, $1.message.archiveOrder, $1.id)
    }
  }
}
