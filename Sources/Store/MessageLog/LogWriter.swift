package import Bytes

/// Gives records their numbers and frames, and groups them into batches. Pure: what has to be written goes out as a
/// value and comes back as `completed` or `failed`. At most one batch is under way.
///
/// After a failure the segment it happened in is not touched again: `recoverIntoNewSegment` writes all that is not
/// known durable into a new one, or `discardPending` gives it up (Linux marks pages clean whose writing failed).
package struct LogWriter: Sendable {
  package enum State: Equatable, Sendable {
    /// No batch is under way.
    case idle
    /// A batch is under way.
    case writing
    /// A batch failed, and nothing will be written until the caller decides.
    case failed(StorageError)
  }

  package private(set) var state = State.idle
  /// The segments and what of them is durable.
  package private(set) var index: LogIndex
  /// The number that the next record gets.
  package private(set) var nextSequence: UInt64
  /// The UUID that new segments state.
  package let uuid: LogUUID

  /// Batches not yet taken, the last of them open; more than one only where a segment is full.
  private var waiting: [LogBatch] = []
  /// The batch under way, or failed.
  private var underWay: LogBatch?
  /// The end of the last batch in `waiting`, where the next one goes; nil if it begins a new segment.
  private var tail: Tail?
  /// The size of the last batch: the next one is likely to need as much.
  private var capacity = LogBatch.Capacity()
  /// The older segment that the batch under way goes to, or one that failed before it and was not withdrawn.
  private var tainted: LogIndex.Segment?
  /// True if bytes of a failed batch may be on the disk.
  private var isInDoubt = false
  private let segmentSize: UInt64

  private struct Tail {
    var segment: SegmentID
    var ordinal: UInt32
    var offset: UInt32
  }

  /// A writer that goes on behind `index`. With `intoNewSegment` it does not append to the last segment there is.
  init(index: LogIndex, nextSequence: UInt64, intoNewSegment: Bool, uuid: LogUUID, segmentSize: UInt64) {
    (self.index, self.nextSequence, self.uuid, self.segmentSize) = (index, nextSequence, uuid, segmentSize)
    if !intoNewSegment, let last = index.segments.last {
      tail = Tail(segment: last.id, ordinal: last.ordinal, offset: last.end)
    }
  }

  /// The number of the newest durable record; 0 if there is none.
  package var durable: UInt64 { index.lastSequence }

  /// The place behind the newest durable record: what a checkpoint as of now states.
  package var durableEnd: LogLocation { index.end }

  /// A batch has failed, and neither has it been made good nor given up.
  package var isFailed: Bool { if case .failed = state { true } else { false } }

  /// True if a batch waits to be taken.
  package var hasPending: Bool { !waiting.isEmpty }

  /// Bytes not yet known durable.
  package var pendingBytes: Int {
    waiting.reduce(underWay?.byteCount ?? 0) { $0 + $1.byteCount }
  }

  /// Calls `body` with each record not yet known durable, in their order.
  package func forEachPending(_ body: (borrowing LogFrame) -> Void) {
    underWay?.forEachRecord(body)
    for batch in waiting { batch.forEachRecord(body) }
  }

  /// Frames one record, whose fields `body` writes, and returns its number. Allocates nothing but memory for its bytes.
  /// The kind must be one of `LogFormat.recordKinds`, the payload at most `LogFormat.maximumPayload` bytes.
  @discardableResult
  package mutating func append(kind: UInt8, _ body: (inout FieldWriter) -> Void) -> UInt64 {
    precondition(LogFormat.recordKinds.contains(kind), "kind \(kind) is none of a record")
    if waiting.isEmpty { openBatch() }
    waiting[waiting.count - 1].append(kind: kind, body)
    rotateIfFull()
    defer { nextSequence += 1 }
    return nextSequence
  }

  /// The next batch, for the writer's thread; nil if there is nothing to write, one is under way or one has failed.
  package mutating func takeBatch() -> LogBatch? {
    guard state == .idle, !waiting.isEmpty else { return nil }
    var batch = waiting.removeFirst()
    if waiting.isEmpty { tail = Tail(segment: batch.segment, ordinal: batch.ordinal, offset: batch.end) }
    if !batch.createsSegment { tainted = index.segments.last }
    batch.close(durable: index.end, tainted: tainted, isInDoubt: isInDoubt)
    underWay = batch
    state = .writing
    return batch
  }

  /// The batch under way has been written and synced: its records are durable.
  package mutating func completed(_ batch: consuming LogBatch) {
    precondition(state == .writing && batch.first == underWay?.first, "not the batch under way")
    index.extend(
      batch.segment, ordinal: batch.ordinal, end: batch.end, lastSequence: batch.sequences.upperBound - 1)
    underWay = nil
    (tainted, isInDoubt) = (nil, false)
    state = .idle
    capacity = batch.capacityOfNext(isFollowed: hasPending)
  }

  /// Memory is kept for the next batch.
  package var keepsBuffers: Bool { capacity.spent != nil }

  /// None is kept any more.
  package mutating func dropBuffers() { capacity = LogBatch.Capacity() }

  /// The batch under way could not be written or synced; `isWithdrawn` as in `LogBatch.Outcome`.
  package mutating func failed(_ batch: consuming LogBatch, _ error: StorageError, isWithdrawn: Bool = false) {
    precondition(state == .writing && batch.first == underWay?.first, "not the batch under way")
    state = .failed(error)
    isInDoubt = !isWithdrawn
    if isWithdrawn { tainted = nil }
  }

  /// After a failure: a batch that writes what is not known durable into a new segment. Nil if there is nothing; the
  /// next record then begins one. The records keep their numbers.
  package mutating func recoverIntoNewSegment() -> LogBatch? {
    guard case .failed = state else { return nil }
    let frames = CollectionOfOne(underWay).compactMap { $0 } + waiting
    startOver()
    for batch in frames {
      for index in batch.offsets.indices { append(frame: batch.frame(at: index)) }
    }
    return takeBatch()
  }

  /// After a failure: gives up what is not known durable, whose numbers will be used again, in a new segment.
  package mutating func discardPending() {
    guard case .failed = state else { return }
    startOver()
  }

  private mutating func startOver() {
    waiting = []
    underWay = nil
    tail = nil
    nextSequence = index.lastSequence + 1
    state = .idle
  }

  private mutating func append(frame: ArraySlice<UInt8>) {
    if waiting.isEmpty { openBatch() }
    waiting[waiting.count - 1].append(frame: frame)
    rotateIfFull()
    nextSequence += 1
  }

  /// Begins an empty batch for the place behind all others, with record `nextSequence`.
  private mutating func openBatch() {
    if let tail {
      return waiting.append(
        LogBatch(
          segment: tail.segment, ordinal: tail.ordinal, header: [], offset: tail.offset, segmentSize: segmentSize,
          first: nextSequence, capacity: &capacity))
    }
    let ordinal = (waiting.last?.ordinal ?? underWay?.ordinal ?? index.segments.last?.ordinal ?? 0) + 1
    let header = SegmentHeader(ordinal: ordinal, first: nextSequence, uuid: uuid).encoded
    waiting.append(
      LogBatch(
        segment: SegmentID(first: nextSequence), ordinal: ordinal, header: header, offset: 0, segmentSize: segmentSize,
        first: nextSequence, capacity: &capacity))
  }

  /// Moves the last record into a new segment if the present one is too full for it.
  private mutating func rotateIfFull() {
    let last = waiting.count - 1
    guard UInt64(waiting[last].end) > segmentSize else { return }
    let isAlone = waiting[last].offsets.count == 1
    if isAlone && waiting[last].createsSegment { return }
    let frame = waiting[last].removeLast()
    if isAlone { waiting.removeLast() }
    tail = nil
    openBatch()
    waiting[waiting.count - 1].append(frame: frame[...])
  }
}
