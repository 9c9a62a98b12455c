import Clocks
import Timelines
import State
import MessageLog
import Records
import TestSupport
import Testing

/// A daemon reduced to its log, its state and what is derived from them: it hears messages, in bursts, some of them late,
/// some of them its own, whose states change long after they left memory.
final class Story {
  static let gap = Interval.hours(1)
  static let heldLimit = 300

  let storage: any LogStorage
  let uuid: LogUUID
  let opened: OpenState
  private var writer: LogWriter
  private var random: SplitMix
  private var clock: Int64
  /// Those of mine, to be acknowledged.
  private var mine: [DeliveryRecord] = []
  /// The most entries that were in memory behind a batch.
  private(set) var mostHeld = 0

  var state: State { opened.state }
  var pages: IndexPages? { state.pages }
  /// How many entries are in memory that could leave it.
  var held: Int { pages?.memory.entries ?? 0 }

  init(on storage: any LogStorage, seed: UInt64 = 1) throws {
    self.storage = storage
    uuid = try #require(LogUUID(random: Array(repeating: 7, count: 16)))
    opened = try OpenState(storage, of: uuid, gap: Self.gap, limits: MemoryLimits(entries: Self.heldLimit))
    writer = opened.log.makeWriter(uuid: uuid)
    random = SplitMix(seed: seed &+ writer.nextSequence)
    clock = Int64(writer.nextSequence) * 60_000
    if state.accounts.byNumber.isEmpty { try write([.account(AccountRecord(number: 1, name: "home", jid: "me@a"))]) }
  }

  /// Hears `bursts` bursts of 60 messages, with a checkpoint after each tenth.
  func go(_ bursts: Int) throws {
    for burst in 1...bursts {
      try write((0..<60).map { _ in next() })
      try storePages()
      mostHeld = max(mostHeld, held)
      if burst % 10 == 0 { try takeSnapshot() }
    }
  }

  func takeSnapshot() throws {
    guard let snapshot = Snapshot(state, of: uuid, upTo: writer.durable, writer.durableEnd) else {
      return
    }
    let outcome = snapshot.perform(on: storage)
    state.pages?.snapshotStored(snapshot.checkpoint.sequence, outcome)
    if case .failed(let error, _) = outcome { throw error }
  }

  func storePages() throws(StorageError) {
    while let batch = state.eviction?.takePages() {
      do throws(StorageError) {
        try batch.perform(on: storage)
        state.eviction?.stored(true)
      } catch {
        state.eviction?.stored(false)
        throw error
      }
    }
  }

  /// A state that takes the place of a damaged one: filled from the log, and with pages of its own.
  func madeAnew() throws -> State {
    let state = state.replacement(withPages: true)
    let reader = LogReader(storage: storage)
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    try reader.read(&cursor, in: writer.index) { frame in
      state.apply(frame)
      state.eviction?.evictExcess()
      return true
    }
    #expect(state.indexDamage == nil)
    return state
  }

  func write(_ records: [Record]) throws {
    for record in records { writer.append(kind: record.kind) { record.encode(into: &$0) } }
    while let batch = writer.takeBatch() {
      try batch.perform(on: storage)
      writer.completed(batch)
      batch.forEachRecord { state.apply($0) }
    }
  }

  private func next() -> Record {
    clock += random.next() % 50 == 0 ? 7_200_000 : 1000
    switch random.next() % 20 {
    case 0: return .message(message(at: clock - Int64(random.next() % 3_000_000)))
    case 1, 2:
      guard var delivery = mine.randomElement(using: &random) else { break }
      // Its room has shown others before it.
      if random.next() % 3 == 0 { (delivery.state, delivery.standsAt) = (.delivered, clock) }
      return .delivery(delivery)
    case 3:
      let jid = Self.jid(random.next())
      return .read(ReadRecord(account: 1, jid: jid, time: clock - Int64(random.next() % 900_000), id: 1))
    case 4:
      var back = ReadRecord(
        account: 1, jid: Self.jid(random.next()), time: clock - Int64(random.next() % 3_000_000), id: 1)
      back.movedBackAt = clock
      return .read(back)
    case 5: return .settings(settings())
    default: break
    }
    return .message(message(at: clock))
  }

  private func settings() -> SettingsRecord {
    var settings = SettingsRecord(account: 1, jid: Self.jid(random.next()))
    (settings.isPinned, settings.isArchived) = (random.next() % 2 == 0, random.next() % 2 == 0)
    if random.next() % 2 == 0 { settings.setNotify(.never, until: random.next() % 2 == 0 ? clock : nil) }
    return settings
  }

  private func message(at time: Int64) -> MessageRecord {
    let jid = Self.jid(random.next())
    var message = MessageRecord(account: 1, jid: jid, peer: jid + "/x", time: time)
    message.text = "text"
    message.author = random.next() % 3 == 0 ? .thisDevice : .person
    message.stanzaID = Self.stanzaID(time)
    if random.next() % 2 == 0 { message.archiveID = Self.archiveID(jid, time) }
    return message
  }

  /// The ids that a message of some time has; a second one of that time has them too.
  fileprivate static func stanzaID(_ time: Int64) -> String { "s\(time)" }
  fileprivate static func archiveID(_ jid: String, _ time: Int64) -> String { "\(jid) \(time)" }

  /// One has half of all.
  private static func jid(_ number: UInt64) -> String { ["a@b", "a@b", "c@d", "e@f"][Int(number % 4)] }

  /// What a message may be found by, and what no message has.
  fileprivate static func messageIDs(of entry: Entry, _ jid: String) -> [(MessageIDKind, UInt64)] {
    let time = entry.time.milliseconds
    let (name, archived) = (stanzaID(time), archiveID(jid, time))
    return [
      (.archiveID, MessageIDHash.of(archived)), (.copy, MessageIDHash.of((jid + "/x", name))),
      (.stanzaID, MessageIDHash.of(name)), (.stanzaID, MessageIDHash.of(archived)),
    ]
  }

  /// A message of mine was acknowledged: as far as the log knows it.
  func learn() throws {
    mine = []
    let reader = LogReader(storage: storage)
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    try reader.read(&cursor, in: writer.index) { frame in
      if case .message(let message)? = Record(reading: frame), message.author.isMe {
        var sent = DeliveryRecord(account: 1, jid: message.jid, time: message.time, id: frame.sequence, state: .sent)
        sent.isOfOutbox = frame.sequence % 2 == 0
        mine.append(sent)
      }
      return true
    }
  }
}

/// What can be asked of a conversation.
struct Answer: Equatable {
  var jid: String
  var entries: [Entry]
  var sections: [Section]
  var wide: [Section]
  var unread: Int
  var read: UInt64
  var movedBack: Conversation.MovedBack?
  var settings: SettingsRecord?
  /// What the ids of some of the messages lead to.
  var messageIDs: [[UInt64]] = []

  init(_ conversation: Conversation) {
    let timeline = conversation.timeline
    jid = conversation.jid
    entries = (0..<timeline.count).map { timeline[$0] }
    sections = timeline.sections(limit: .max)
    wide = timeline.sections(gap: .hours(3), limit: .max)
    (unread, read, movedBack) = (conversation.unread, conversation.read, conversation.movedBack)
  }

  /// Of all conversations.
  static func all(_ state: State) -> [Answer] {
    guard let account = state.accounts[1] else { return [] }
    return account.conversations.values.map { conversation in
      var answer = Answer(conversation)
      answer.settings = account.settings[answer.jid]
      for entry in answer.entries where entry.id % 13 == 0 {
        answer.messageIDs += Story.messageIDs(of: entry, answer.jid).map { account.messageIDs.ids($0, $1) }
      }
      return answer
    }
    .sorted { $0.jid < $1.jid }
  }

  /// The same by the log alone, with everything in memory.
  static func all(inLogOf storage: any LogStorage) throws -> [Answer] {
    var recovery = try Recovery(of: storage, log: nil, mode: .readOnly)
    let state = State(gap: Story.gap)
    _ = try recovery.run { state.apply($0) }
    return all(state)
  }
}
