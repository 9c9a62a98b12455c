/// The pass over the records of a log that `Recovery.run` makes.
struct RecoveryScan {
  private let recovery: Recovery
  private let window: SegmentWindow
  private var report: RecoveryReport
  private var found: [LogIndex.Segment] = []
  /// The number that the next record should have.
  private var sequence: UInt64
  /// The number after the last record found.
  private var foundEnd: UInt64 = 0
  /// The last number that was handed out.
  private var lastGiven: UInt64 = 0
  /// The offset of the last segment's last batch, before which all was durable; 0: there is none, nil: not searched,
  /// because no bad frame was met.
  private var lastBatch: UInt64?
  /// The offset in the last segment at which records may be appended; nil if they must not.
  private var appendAt: UInt64?

  init(_ recovery: Recovery) {
    self.recovery = recovery
    window = recovery.window
    report = recovery.report
    // No record has the number 0, whatever a file is called.
    sequence = recovery.checkpoint.map { $0.sequence + 1 } ?? max(1, recovery.segments.first?.file.id.first ?? 1)
  }

  /// Reads all segments from the checkpoint on.
  mutating func run(_ body: (borrowing LogFrame) -> Void) throws(StorageError) {
    let start = recovery.checkpoint?.location
    noteLostBeginning()
    for (position, segment) in recovery.segments.enumerated() {
      if let start, segment.ordinal < start.ordinal {
        found.append(segment.indexed(upTo: segment.end))
        continue
      }
      let offset = segment.ordinal == start?.ordinal ? start?.offset ?? 0 : UInt32(LogFormat.headerSize)
      try read(segment, at: position, from: UInt64(offset), body)
    }
    report.unreadable = window.unreadableSegments
    try checkEnd()
    foundEnd = sequence
    noteLostEnd()
  }

  /// Refuses to write if the disk cannot read a part of the last segment: its end is unknown then, and nothing may be
  /// cut off or overwritten.
  private func checkEnd() throws(StorageError) {
    guard recovery.mode == .readWrite, let last = recovery.segments.last?.file.id, report.unreadable.contains(last)
    else { return }
    throw StorageError(
      .unreadable,
      "the disk cannot read all of \(last), the newest part of the log, and nothing is written behind what may be there: "
        + "see REPAIR, \"A damaged log\"")
  }

  /// Cuts the torn tail off. All records read are durable: `Recovery` settled the segment before.
  mutating func makeDurable() throws(StorageError) {
    let storage = recovery.storage
    if let dropped = recovery.dropped { try storage.remove(dropped.id) }
    if let appendAt, let last = recovery.segments.last, report.torn?.segment == last.file.id {
      try storage.truncate(last.file.id, to: appendAt)
      try storage.sync(last.file.id)
    }
    if recovery.dropped != nil || !recovery.segments.isEmpty { try storage.syncDirectory() }
  }

  func result() -> RecoveredLog {
    RecoveredLog(
      report: report, index: LogIndex(segments: found, lastSequence: sequence - 1), nextSequence: sequence,
      lastFound: foundEnd - 1, mode: recovery.mode, appendable: appendAt == nil ? nil : recovery.segments.last?.header)
  }

  private mutating func read(
    _ segment: Recovery.Segment, at position: Int, from offset: UInt64, _ body: (borrowing LogFrame) -> Void
  ) throws(StorageError) {
    let isLast = position + 1 == recovery.segments.count
    let limit = isLast ? nil : recovery.segments[position + 1].file.id.first
    if sequence < segment.file.id.first { sequence = segment.file.id.first }
    var walk = recovery.walk(over: segment, limit: limit, from: offset, sequence: sequence)
    if segment.header == nil {
      let reason = segment.file.trouble == nil ? BadFrame.header : .unreadable
      addDamage(in: segment.file.id, from: 0, to: 64, expected: sequence, next: sequence, reason)
    }
    while true {
      let before = walk
      let stop = try pass(&walk, body)
      report.records += walk.sequence - before.sequence
      report.bytes += walk.offset - before.offset
      guard let bad = bad(stop, in: walk, isLast: isLast) else { break }
      let end = isLast ? try judge(walk) : nil
      if end == .nothing { break }
      if try isSoundWhenReread(walk) { continue }
      if case .torn(let tail) = end {
        if try !isGrowing(segment, behind: tail) { report.torn = tail }
        break
      }
      if try !passOver(&walk, bad, in: segment, limit: limit) {
        found.append(segment.indexed(upTo: segment.end))
        sequence = limit ?? walk.sequence
        return
      }
    }
    sequence = walk.sequence
    found.append(segment.indexed(upTo: walk.offset))
    if isLast, segment.header != nil { appendAt = walk.offset }
  }

  /// Hands out the records up to the next stop, each number once and in order, whatever a forged log says.
  private mutating func pass(
    _ walk: inout SegmentWalk, _ body: (borrowing LogFrame) -> Void
  ) throws(StorageError) -> SegmentWalk.Stop {
    var last = lastGiven
    defer { lastGiven = last }
    return try walk.run { frame in
      guard LogFormat.recordKinds.contains(frame.kind), frame.sequence > last else { return true }
      last = frame.sequence
      body(frame)
      return true
    }
  }

  /// The fault at which the walk has stopped; nil if it has come to the end.
  private func bad(_ stop: SegmentWalk.Stop, in walk: SegmentWalk, isLast: Bool) -> BadFrame? {
    switch stop {
    case .limit, .enough: nil
    case .end: isLast ? nil : .missing
    case .bad(let bad): bad
    }
  }

  /// The end of the log: whole, or a torn tail.
  private enum End: Equatable {
    case nothing, torn(TornTail)
  }

  /// Decides about the last segment's bad frame, where `walk` stands: `.nothing` if only zeros follow, or a torn tail.
  /// Nil if the frame was durable once: the checkpoint covers its record, or a later batch was written.
  private mutating func judge(_ walk: SegmentWalk) throws(StorageError) -> End? {
    if let lastBatch, lastBatch >= walk.offset { return nil }
    let last = try walk.lastNonZero()
    if window.isUnreadable(walk.segment, from: walk.offset) { return nil }
    if let witness = recovery.witness, witness.sequence >= walk.sequence { return nil }
    guard let last else { return .nothing }
    if lastBatch == nil {
      // A batch frame's payload may end with zeros, so the search extends 8 bytes further.
      lastBatch = try walk.lastBatch(before: last + 8) ?? 0
      if lastBatch ?? 0 >= walk.offset { return nil }
    }
    return .torn(TornTail(segment: walk.segment, offset: walk.offset, bytes: last + 1 - walk.offset))
  }

  /// True if the frame at which `walk` stands is sound when it is read again. While another process writes, the window
  /// may hold older bytes of the frame than of those behind it, on which the verdict rests.
  private func isSoundWhenReread(_ walk: SegmentWalk) throws(StorageError) -> Bool {
    guard recovery.mode == .readOnly else { return false }
    window.forget()
    return try walk.isSound(in: recovery.storage)
  }

  /// True if another process is still writing the apparent torn tail.
  private func isGrowing(_ segment: Recovery.Segment, behind tail: TornTail) throws(StorageError) -> Bool {
    guard recovery.mode == .readOnly else { return false }
    let files = try recovery.storage.segments()
    let end = files.contains { $0.id > segment.file.id } ? .max : files.first { $0.id == segment.file.id }?.size ?? 0
    if end > segment.file.size { return true }
    let limit = sequence.addingReportingOverflow(1 << 40).partialValue
    let walk = recovery.walk(over: segment, limit: limit, from: tail.offset, sequence: sequence)
    return try walk.lastNonZero().map { $0 + 1 - tail.offset } != tail.bytes
  }

  /// Goes on behind a damaged range; false if nothing of the segment can be read behind it.
  private mutating func passOver(
    _ walk: inout SegmentWalk, _ bad: BadFrame, in segment: Recovery.Segment, limit: UInt64?
  ) throws(StorageError) -> Bool {
    let (from, expected) = (walk.offset, walk.sequence)
    let isFound = try walk.passOver()
    addDamage(
      in: segment.file.id, from: from, to: isFound ? walk.offset : segment.end, expected: expected,
      next: isFound ? walk.sequence : limit ?? expected, bad)
    return isFound
  }

  /// The first record of a log is number 1: where all is to be read, and no segment begins with it, those before are
  /// lost.
  private mutating func noteLostBeginning() {
    guard recovery.checkpoint == nil, let first = recovery.segments.first?.file.id, first.first > 1 else { return }
    addDamage(in: first, from: 0, to: 0, expected: 1, next: first.first, .beginning)
  }

  /// A checkpoint that has seen more than the log holds: those records are lost, and their numbers not used again.
  private mutating func noteLostEnd() {
    guard let witness = recovery.witness, witness.sequence >= sequence else { return }
    let segment = recovery.segments.last?.file
    addDamage(
      in: segment?.id ?? SegmentID(first: sequence), from: segment?.size ?? 0, to: segment?.size ?? 0,
      expected: sequence, next: witness.sequence + 1, .missing)
    sequence = witness.sequence + 1
    appendAt = nil
  }

  private mutating func addDamage(
    in segment: SegmentID, from: UInt64, to end: UInt64, expected: UInt64, next: UInt64, _ reason: BadFrame
  ) {
    let reason = window.isUnreadable(segment, from: from, to: end) ? .unreadable : reason
    report.add(
      Damage(
        segment: segment, offset: from, length: end - min(from, end), expected: expected, next: next, reason: reason))
  }
}
