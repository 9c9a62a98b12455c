package import Clocks
package import State
package import MessageLog
package import Records

/// The engine's way into the log: records go in with a sequence number each, and come out, still in order, when a sync
/// covers them. Only the caller that appended a record knows of it in between.
package struct LogQueue {
  /// A record on its way to the disk.
  package struct Entry {
    package let sequence: UInt64
    var content: Content
  }

  /// The content of an entry: thousands may be pending, and most are messages, which the batch has whole.
  package enum Content {
    case record(Record)
    case message(MessageSummary)
    /// It was taken out.
    case taken

    /// A function and no initialiser, which would get a record of its own.
    static func of(_ record: Record) -> Content {
      if case .message(let message) = record, let fact = MessageSummary.of(message) { return .message(fact) }
      return .record(record)
    }
  }

  private var writer: LogWriter
  private var schedule = CommitSchedule()
  /// Appended, and in no batch yet, oldest first.
  private var entries: [Entry] = []
  /// Earlier entries, in the batch being written.
  private var inFlight: [Entry] = []
  /// Room for entries to come.
  private var spare: [Entry] = []
  private var batch: LogBatch?
  private var isExpecting = false
  /// The last batch failed, and nothing is written for now.
  private var isHeld = false
  /// The newest sequence number that a sync covers.
  package private(set) var durable: UInt64
  /// The newest sequence number given out.
  package private(set) var last: UInt64

  /// Takes the writer of a recovered log.
  package init(_ writer: LogWriter) {
    self.writer = writer
    durable = writer.durable
    last = writer.durable
  }

  /// The locations of the durable records.
  package var index: LogIndex { writer.index }

  /// The place behind the newest durable record.
  var durableEnd: LogLocation { writer.durableEnd }

  /// Nothing waits for the disk.
  package var isClean: Bool { entries.isEmpty && inFlight.isEmpty }

  /// Bytes that wait for the disk; beyond a bound the links stop reading.
  package var backlog: Int { writer.pendingBytes }

  /// Something is to be written that will be appended when the batch is made: as much of it as there is by then.
  mutating func expect() {
    isExpecting = true
    schedule.appended(urgent: false)
  }

  /// The messages of an account that wait for the disk, oldest first.
  func pendingMessages(of account: UInt32) -> [(sequence: UInt64, message: MessageRecord)] {
    var messages: [(sequence: UInt64, message: MessageRecord)] = []
    writer.forEachPending { frame in
      guard case .message(let message)? = Record(reading: frame), message.account == account else { return }
      messages.append((frame.sequence, message))
    }
    return messages
  }

  /// The messages of a conversation that wait for the disk.
  func pendingMessages(of account: UInt32, in jid: String) -> [(sequence: UInt64, message: MessageRecord)] {
    pendingMessages(of: account).filter { $0.message.jid == jid }
  }

  /// A record that waits for the disk.
  func pendingRecord(_ number: UInt64) -> Record? {
    var found: Record?
    writer.forEachPending { frame in
      if frame.sequence == number { found = Record(reading: frame) }
    }
    return found
  }

  /// The messages that wait for the disk and have this stanza's id in a conversation, newest first.
  func pendingMessages(
    of account: UInt32, in jid: String, named stanzaID: String
  ) -> [(sequence: UInt64, record: Record)] {
    var found: [(sequence: UInt64, record: Record)] = []
    writer.forEachPending { frame in
      guard frame.kind == RecordKind.message.rawValue else { return }
      var isCandidate = false
      MessageView.read(frame) { view in isCandidate = view.account == account && view.isNamed(stanzaID) }
      guard isCandidate, let record = Record(reading: frame), record.isNamed(stanzaID, in: jid) else { return }
      found.append((frame.sequence, record))
    }
    return found.reversed()
  }

  /// When the next batch should start, if one waits for its time.
  package func nextStart(at now: Instant) -> Instant? {
    isHeld || entries.isEmpty && !isExpecting ? nil : schedule.nextStart(at: now)
  }

  /// A batch is about to be made: what was expected is to be appended now.
  package mutating func isDue(at now: Instant) -> Bool {
    guard let start = nextStart(at: now), start <= now else { return false }
    isExpecting = false
    return true
  }

  /// Appends a record; `urgent` if a front end waits for it (`CommitSchedule`).
  @discardableResult
  mutating func append(_ record: Record, urgent: Bool) -> UInt64 {
    let sequence = writer.append(kind: record.kind) { record.encode(into: &$0) }
    entries.append(Entry(sequence: sequence, content: .of(record)))
    last = sequence
    schedule.appended(urgent: urgent)
    return sequence
  }

  /// Much memory is kept for what comes next.
  var keepsBuffers: Bool { writer.keepsBuffers || max(spare.capacity, entries.capacity) > Self.fewSpare }

  /// A burst is over: none is kept any more.
  mutating func dropBuffers() {
    writer.dropBuffers()
    spare = []
    if entries.isEmpty { entries = [] }
  }

  /// Commits appended records soon: a caller waits for them.
  package mutating func hurry() {
    if durable < last { schedule.appended(urgent: true) }
  }

  /// The next batch, where it is time for one; it must be answered by `completed` or `failed`.
  package mutating func takeBatch(at now: Instant) -> LogBatch? {
    guard let start = nextStart(at: now), start <= now,
      let batch = writer.isFailed ? writer.recoverIntoNewSegment() : writer.takeBatch()
    else { return nil }
    inFlight = takeEntries(batch.sequences.count)
    self.batch = batch
    schedule.started(at: now)
    // A batch ends with its segment: entries that did not fit have waited long enough. Entries that come while it is
    // written have not.
    if !entries.isEmpty { schedule.appended(urgent: true) }
    return batch
  }

  /// The batch in flight is durable: its records, oldest first, and where they stand in the log.
  package mutating func completed(at now: Instant) -> Committed {
    guard let batch = batch.take() else { return Committed(entries: [], batch: nil) }
    schedule.completed(at: now)
    let committed = Committed(entries: inFlight, batch: batch)
    inFlight = []
    writer.completed(batch)
    durable = writer.durable
    return committed
  }

  /// The oldest entries; all of them without copying, which is the rule.
  private mutating func takeEntries(_ count: Int) -> [Entry] {
    guard count < entries.count else {
      defer {
        entries = []
        swap(&entries, &spare)
      }
      return entries
    }
    defer { entries.removeFirst(count) }
    return Array(entries[..<count])
  }

  /// All of it is state: its memory is for what comes.
  package mutating func recycle(_ committed: inout Committed) {
    spare = committed.takeEntries()
    if spare.capacity > Self.mostSpare { spare = [] }
  }

  /// For no more entries than that memory is kept.
  private static let mostSpare = 16_384
  /// The memory of no more than that is not worth a look.
  private static let fewSpare = 256

  // MARK: - Where the disk fails

  /// The batch in flight failed: nothing is written before `retry` or `giveUp`. `isWithdrawn` as in `LogBatch.Outcome`.
  mutating func failed(_ error: StorageError, isWithdrawn: Bool) {
    guard let batch = batch.take() else { return }
    writer.failed(batch, error, isWithdrawn: isWithdrawn)
    entries = inFlight + entries
    inFlight = []
    isHeld = true
    schedule = CommitSchedule()
  }

  /// Writes what is not durable into a new segment, under the same numbers, at once.
  mutating func retry() {
    isHeld = false
    schedule.appended(urgent: true)
  }

  /// Gives up everything that is not durable, as if it had never been appended: the next batch begins a new segment.
  mutating func giveUp() {
    writer.discardPending()
    entries.removeAll()
    isExpecting = false
    schedule = CommitSchedule()
    last = durable
  }
}
