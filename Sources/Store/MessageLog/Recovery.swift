/// Why a log cannot be opened at all. Damage is no such reason: it is reported, and what is around it is served.
package enum RecoveryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A segment has a format that this program does not read.
  case unknownFormat(SegmentID, major: UInt16)
  case storage(StorageError)

  package var description: String {
    switch self {
    case .unknownFormat(let segment, let major):
      "\(segment) has log format \(major), and this version of Confab reads formats \(LogFormat.readable.lowerBound) to "
        + "\(LogFormat.major)" + (major > LogFormat.major ? ": a newer version wrote it" : "")
    case .storage(let error): error.description
    }
  }
}

/// Opens a log: finds its segments and its checkpoint, then streams the records after the checkpoint, telling a torn
/// tail from damage (docs/LOG-FORMAT.md, "Recovery").
///
///     var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite) if let checkpoint = recovery.checkpoint,
///     !engine.restore(checkpoint.body) { recovery.ignoreCheckpoint("…") } let log = try recovery.run { frame in
///     engine.apply(frame) } var writer = log.makeWriter(uuid: uuid)
package struct Recovery {
  package enum Mode: Sendable {
    /// Nothing is changed: a torn tail is reported and stays.
    case readOnly
    /// A torn tail is cut, and everything that was read is made durable.
    case readWrite
  }

  /// A segment with what its header says.
  struct Segment {
    var file: SegmentFile
    var ordinal: UInt32
    /// Nil if it cannot be read.
    var header: SegmentHeader?
    /// The offset behind the last byte.
    var end: UInt64 { min(file.size, UInt64(UInt32.max) >> 1) }

    /// - Parameter header: the header read from the file; nil if it has none.
    init(_ file: SegmentFile, _ header: SegmentHeader?, behind previous: Segment?) {
      let expected = (previous?.ordinal ?? 0) + 1
      let isLikely = header.map { $0.first == file.id.first && $0.ordinal >= expected } ?? false
      (self.file, self.header) = (file, isLikely ? header : nil)
      ordinal = self.header?.ordinal ?? expected
    }

    func indexed(upTo end: UInt64) -> LogIndex.Segment {
      LogIndex.Segment(id: file.id, ordinal: ordinal, end: UInt32(end))
    }
  }

  let storage: any LogStorage
  let mode: Mode
  let window: SegmentWindow
  var segments: [Segment] = []
  /// A last segment of which nothing was ever durable: its creation was interrupted.
  var dropped: SegmentFile?
  var report = RecoveryReport()
  /// A checkpoint of this log, or of the one that it is a copy of, whether or not its body is of use: what it states
  /// was durable.
  var witness: Checkpoint?
  private let log: LogUUID?

  /// The state to start from; nil for an empty one.
  package private(set) var checkpoint: Checkpoint?

  /// Reads the headers and the checkpoint. Without `log`, or for a log of another UUID, the checkpoint is not used.
  package init(of storage: any LogStorage, log: LogUUID?, mode: Mode) throws(RecoveryError) {
    (self.storage, self.mode, self.log) = (storage, mode, log)
    window = SegmentWindow(storage: storage, chunk: 256 << 10) { _ in true }
    do throws(StorageError) {
      // Before the segments: beside a daemon it may be replaced by one that has seen more.
      if log != nil { try readCheckpoint() }
      try findSegments()
      judgeWitness()
      try settleEnd()
    } catch { throw .storage(error) }
    for segment in segments {
      guard let major = segment.header?.major, !LogFormat.readable.contains(major) else { continue }
      throw .unknownFormat(segment.file.id, major: major)
    }
    do throws(StorageError) {
      if try dropTornSegment() { try settleEnd() }
      try chooseCheckpoint()
    } catch { throw .storage(error) }
  }

  /// Refuses a log that has another format, before anything in its directory is changed.
  package static func checkFormat(of storage: any LogStorage) throws(RecoveryError) {
    _ = try Recovery(of: storage, log: nil, mode: .readOnly)
  }

  /// Starts from nothing instead: the body of the checkpoint is of no use, for `reason`.
  package mutating func ignoreCheckpoint(_ reason: String) {
    checkpoint = nil
    report.checkpointIgnored = reason
  }

  /// Hands out every record after the checkpoint in its order, and makes the log ready to be read and appended to.
  package mutating func run(_ body: (borrowing LogFrame) -> Void) throws(RecoveryError) -> RecoveredLog {
    do throws(StorageError) {
      var scan = RecoveryScan(self)
      try scan.run(body)
      if mode == .readWrite { try scan.makeDurable() }
      return scan.result()
    } catch { throw .storage(error) }
  }

  /// The locations of records as far as the headers tell: enough to read some records without reading all.
  package var outline: LogIndex {
    LogIndex(
      segments: segments.map { $0.indexed(upTo: $0.end) }, lastSequence: UInt64.max >> 1)
  }

  private mutating func findSegments() throws(StorageError) {
    segments = []
    for file in try storage.segments().sorted(by: { $0.id < $1.id }) where file.id != dropped?.id {
      let size = min(LogFormat.headerSize, Int(clamping: file.size))
      let bytes = try unsafe window.bytes(of: file.id, at: 0, wanted: size, end: UInt64(size))
      segments.append(Segment(file, SegmentHeader(decoding: unsafe Array(bytes)), behind: segments.last))
    }
    window.forget()
  }

  /// Makes durable what a killed process may have left in memory, then looks again: what is read from now on is on the
  /// disk.
  private mutating func settleEnd() throws(StorageError) {
    guard mode == .readWrite, let last = segments.last else { return }
    if let trouble = last.file.trouble { throw trouble }
    let isInLast = witness?.log == log && witness?.location.ordinal == last.ordinal
    try storage.settle(last.file.id, from: isInLast ? UInt64(witness?.location.offset ?? 0) : 0)
    try findSegments()
  }

  /// Takes out a last segment whose header was not yet durable when the machine stopped. The header is in one sector
  /// with the first batch frame, so that where that is sound, a batch says that others stood before it, or the
  /// checkpoint has seen a record of it, an unreadable header is damage.
  private mutating func dropTornSegment() throws(StorageError) -> Bool {
    try readHeaderAnew()
    let torn = try tornSegment()
    // The header may have been written since, if another process writes.
    try readHeaderAnew()
    guard let torn, let last = segments.last, last.header == nil else { return false }
    if torn.bytes > 0 { report.torn = torn }
    dropped = last.file
    segments.removeLast()
    return true
  }

  /// The whole last segment as a torn tail, if it has no header and was never durable; otherwise nil.
  private func tornSegment() throws(StorageError) -> TornTail? {
    guard let last = segments.last, last.header == nil, witness?.sequence ?? 0 < last.file.id.first else { return nil }
    var walk = walk(over: last, limit: nil, from: UInt64(LogFormat.headerSize), sequence: last.file.id.first)
    if try walk.run({ _ in false }) == .enough { return nil }
    if try walk.lastBatch(before: last.end) != nil { return nil }
    walk.offset = 0
    let end = try walk.lastNonZero().map { $0 + 1 } ?? 0
    if last.file.trouble != nil || window.isUnreadable(last.file.id, from: 0) { return nil }
    return TornTail(segment: last.file.id, offset: 0, bytes: end)
  }

  /// Reads the last segment's header again if it had none: a writer may have just made it.
  private mutating func readHeaderAnew() throws(StorageError) {
    guard mode == .readOnly, let last = segments.last, last.header == nil else { return }
    window.forget()
    let size = min(LogFormat.headerSize, Int(clamping: last.file.size))
    let bytes = try unsafe window.bytes(of: last.file.id, at: 0, wanted: size, end: UInt64(size))
    let found = Segment(last.file, SegmentHeader(decoding: unsafe Array(bytes)), behind: segments.dropLast().last)
    window.forget()
    if found.header != nil { segments[segments.count - 1] = found }
  }

  private mutating func readCheckpoint() throws(StorageError) {
    switch try Checkpoint.read(from: storage) {
    case .none: break
    case .ignored(let reason): report.checkpointIgnored = reason
    case .found(let found): witness = found
    }
  }

  /// Another log's checkpoint is of no use, but for what it states of a segment that was that log's: this is a copy of
  /// it, or a copy of a copy.
  private mutating func judgeWitness() {
    guard let found = witness, found.log != log else { return }
    report.checkpointIgnored = "it belongs to the log \(found.log)"
    let ancestors = LogIdentity.read(from: storage)?.ancestors ?? []
    let older = ancestors.firstIndex(of: found.log).map { ancestors[...$0] } ?? [found.log]
    let isCopied = segments.contains { segment in
      segment.ordinal == found.location.ordinal && segment.header.map { older.contains($0.uuid) } ?? false
    }
    witness?.pieces = []
    if !isCopied { witness = nil }
  }

  /// Starts from the checkpoint if the log holds the place that it states, and its last record ends there.
  private mutating func chooseCheckpoint() throws(StorageError) {
    guard let witness, witness.log == log else { return }
    guard let segment = segments.first(where: { isThere(witness, in: $0) }) else {
      report.checkpointIgnored = "the log ends before it"
      return
    }
    let walk = walk(
      over: segment, limit: nil, from: UInt64(witness.location.offset), sequence: witness.sequence + 1)
    // Behind a header that no record stands behind there is none of it.
    if witness.sequence >= segment.file.id.first, try !walk.followsRecord() {
      report.checkpointIgnored = "its last record is not where it says"
    } else {
      checkpoint = witness
    }
  }

  private func isThere(_ witness: Checkpoint, in segment: Segment) -> Bool {
    segment.ordinal == witness.location.ordinal && segment.end >= UInt64(witness.location.offset)
      && segment.file.id.first <= witness.sequence + 1 && witness.location.offset >= LogFormat.headerSize
  }

  /// A walk over `segment`; without a limit the numbers may go on for as long as any log could.
  func walk(over segment: Segment, limit: UInt64?, from offset: UInt64, sequence: UInt64) -> SegmentWalk {
    let (furthest, overflow) = sequence.addingReportingOverflow(1 << 40)
    return SegmentWalk(
      window: window, segment: segment.file.id, ordinal: segment.ordinal, end: segment.end,
      sequenceLimit: limit ?? (overflow ? .max : furthest), offset: offset, sequence: sequence)
  }
}
