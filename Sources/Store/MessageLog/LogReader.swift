/// A reader's position in a log: before the record with this number.
package struct LogCursor: Hashable, Sendable {
  /// The number of the record to read next.
  package var sequence: UInt64
  /// The place to go on at.
  package var location: LogLocation

  package init(sequence: UInt64, location: LogLocation) {
    (self.sequence, self.location) = (sequence, location)
  }
}

/// Why one record cannot be read.
package enum LogReadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no durable, sound record at that place.
  case noRecord(LogLocation)
  case storage(StorageError)

  package var description: String {
    switch self {
    case .noRecord(let location): "no sound record at \(location)"
    case .storage(let error): error.description
    }
  }
}

/// Reads durable records: one by its place, or many in their order. Every checksum is checked. Not thread-safe; cheap
/// enough for each thread to have its own.
package final class LogReader {
  let storage: any LogStorage
  private let window: SegmentWindow
  /// The position of the segment that a record was read from last.
  private var lastPosition = 0

  /// Bytes that most records have at most, with their frames.
  package static let usualRecord = 1024

  /// A reader that reads `chunk` bytes of a segment at a time.
  ///
  /// - Parameter passesOver: whether what the disk cannot read of a segment is passed over as damage is; else that is
  ///   an error, which may go by.
  package init(
    storage: any LogStorage, chunk: Int = 64 << 10, passesOver: @escaping (SegmentID) -> Bool = { _ in false }
  ) {
    self.storage = storage
    window = SegmentWindow(storage: storage, chunk: chunk, passesOver: passesOver)
  }

  private init(_ window: SegmentWindow, of storage: any LogStorage) { (self.window, self.storage) = (window, storage) }

  /// A reader of the same log, for reads while this one lends a record.
  package func another() -> LogReader { LogReader(window.another(), of: storage) }

  /// Calls `body` with record `number`, which is to stand at `location`: what stands there under another number,
  /// however sound it is, is not that record.
  package func record<R>(
    _ number: UInt64, at location: LogLocation, in index: LogIndex, _ body: (borrowing LogFrame) -> R
  ) throws(LogReadError) -> R {
    var result: R?
    try read(number, at: location, in: index) { result = body($0) }
    guard let result else { throw .noRecord(location) }
    return result
  }

  /// Calls `body` with record `number`, without a result.
  ///
  /// - Parameters:
  ///   - number: nil: any record at `location`.
  ///   - ahead: bytes to read at once if records that will be asked for next follow closely.
  package func read(
    _ number: UInt64?, at location: LogLocation, ahead: Int = usualRecord, in index: LogIndex,
    _ body: (borrowing LogFrame) -> Void
  ) throws(LogReadError) {
    guard let position = position(of: location.ordinal, in: index) else { throw .noRecord(location) }
    let walk = walk(at: position, in: index, offset: UInt64(location.offset), sequence: number ?? 0)
    var isFound = false
    do throws(StorageError) {
      isFound = try walk.one(ahead: ahead, body)
    } catch {
      if error.cause == .missing { throw .noRecord(location) }
      // It may be what stands behind it that the disk cannot read.
      guard error.cause == .unreadable, try isThere(walk.over(lenientWindow()), body) else { throw .storage(error) }
      return
    }
    guard isFound else { throw .noRecord(location) }
  }

  private func isThere(_ walk: SegmentWalk, _ body: (borrowing LogFrame) -> Void) throws(LogReadError) -> Bool {
    do throws(StorageError) { return try walk.one(ahead: 0, body) } catch { throw .storage(error) }
  }

  /// One for which there are zeros in the place of what the disk cannot read.
  func lenientWindow() -> SegmentWindow { SegmentWindow(storage: storage, chunk: 64 << 10) { _ in true } }

  /// The position in an index of a segment, which is mostly that of the last one asked for.
  func position(of ordinal: UInt32, in index: LogIndex) -> Int? {
    if lastPosition < index.segments.count, index.segments[lastPosition].ordinal == ordinal { return lastPosition }
    guard let position = index.position(ofOrdinal: ordinal) else { return nil }
    lastPosition = position
    return position
  }

  /// Calls `body` with the records from `cursor` on until it returns false, `limit` bytes have been read or there are
  /// no more durable ones; moves `cursor` behind the last one, also if the disk fails behind that: a repetition hands
  /// out no record twice. Damaged ranges are passed over.
  package func read(
    _ cursor: inout LogCursor, in index: LogIndex, limit: Int = .max, _ body: (borrowing LogFrame) -> Bool
  ) throws(StorageError) {
    var budget = limit
    var isEnough = false
    while !isEnough, budget > 0, cursor.sequence <= index.lastSequence, let position = place(&cursor, in: index) {
      var walk = walk(at: position, in: index, offset: UInt64(cursor.location.offset), sequence: cursor.sequence)
      defer { (cursor.sequence, cursor.location.offset) = (walk.sequence, UInt32(walk.offset)) }
      let stop = try walk.run { frame in
        budget -= frame.frameSize
        if LogFormat.recordKinds.contains(frame.kind) { isEnough = !body(frame) }
        return !isEnough && budget > 0
      }
      if case .bad = stop, try !isSoundWhenReread(walk), try !walk.passOver() {
        walk.sequence = index.sequenceLimit(at: position)
      }
      if stop == .end { walk.sequence = index.sequenceLimit(at: position) }
    }
  }

  /// True if a bad frame is sound when it is read again. While another process writes, the window may have been filled
  /// before the frame was written.
  private func isSoundWhenReread(_ walk: SegmentWalk) throws(StorageError) -> Bool {
    guard try walk.isSound(in: storage) else { return false }
    window.forget()
    return true
  }

  /// The position from which to read record `sequence` and all after it; behind the last durable record if `sequence`
  /// is not there yet. Takes a few short reads in a segment and no memory: records are about as long as their
  /// neighbours.
  package func locate(_ sequence: UInt64, in index: LogIndex) throws(StorageError) -> LogCursor {
    guard sequence <= index.lastSequence else {
      return LogCursor(sequence: index.lastSequence + 1, location: index.end)
    }
    guard let position = index.position(ofSequence: sequence) else { return start(of: index) }
    let segment = index.segments[position]
    var low = walk(at: position, in: index, offset: UInt64(LogFormat.headerSize), sequence: segment.id.first)
    var high = (offset: UInt64(segment.end), sequence: index.sequenceLimit(at: position))
    var isGuess = true
    while high.offset > low.offset, high.offset - low.offset > Self.shortWay {
      let place = isGuess ? guess(sequence, low, high) : low.offset + (high.offset - low.offset) / 2
      var probe = low
      // Frames before `high` have no higher number than the one there.
      probe.sequenceLimit = min(low.sequenceLimit, max(high.sequence, high.sequence &+ 1))
      let isSound = try findCertain(&probe, from: place)
      probe.sequenceLimit = low.sequenceLimit
      // A guess that is wrong by much is followed by halving: no log makes this longer than twice that.
      isGuess.toggle()
      if isSound, probe.sequence <= sequence {
        low = probe
      } else {
        high = (place, isSound ? probe.sequence : high.sequence)
      }
    }
    return try forward(low, to: sequence)
  }

  /// Distance in bytes that is read from end to end.
  private static let shortWay: UInt64 = 32 << 10

  /// Looks for the next frame behind a place with another one behind it: among texts, one place in four billion looks
  /// like a frame by chance, and none is looked at as often as here.
  private func findCertain(_ walk: inout SegmentWalk, from place: UInt64) throws(StorageError) -> Bool {
    var place = place
    while true {
      var found = walk
      guard try found.resynchronize(from: place) else { return false }
      var next = found
      var count = 0
      let stop = try next.run { _ in
        count += 1
        return count < 2
      }
      if case .bad = stop, count < 2 {
        place = found.offset + 1
        continue
      }
      walk = found
      return true
    }
  }

  /// The estimated offset of a record between two positions, if all records were of one length; rather before it than
  /// behind, and never at either position.
  private func guess(
    _ sequence: UInt64, _ low: SegmentWalk, _ high: (offset: UInt64, sequence: UInt64)
  ) -> UInt64 {
    let records = max(1, high.sequence - min(low.sequence, high.sequence - 1))
    let share = Double(sequence - min(low.sequence, sequence)) / Double(records)
    let distance = UInt64(min(1, share) * Double(high.offset - low.offset))
    let margin = Self.shortWay / 4
    return low.offset + min(max(distance, 2 * margin) - margin, high.offset - low.offset - margin)
  }

  /// Goes from `walk` to record `sequence`, or to the first sound one behind it.
  private func forward(_ walk: SegmentWalk, to sequence: UInt64) throws(StorageError) -> LogCursor {
    var walk = walk
    let end = walk.sequenceLimit
    walk.sequenceLimit = sequence
    while case .bad = try walk.run({ _ in true }) {
      if try isSoundWhenReread(walk) { continue }
      walk.sequenceLimit = end
      guard try walk.passOver() else { break }
      walk.sequenceLimit = max(sequence, walk.sequence)
    }
    return LogCursor(
      sequence: max(walk.sequence, sequence),
      location: LogLocation(ordinal: walk.ordinal, offset: UInt32(walk.offset)))
  }

  /// The position of the segment that `cursor` stands in, which is moved to the next one where it has come to the end.
  private func place(_ cursor: inout LogCursor, in index: LogIndex) -> Int? {
    guard let position = index.position(ofSequence: cursor.sequence) else {
      cursor = start(of: index)
      return index.segments.isEmpty ? nil : 0
    }
    let ordinal = index.segments[position].ordinal
    if cursor.location.ordinal != ordinal {
      cursor.location = LogLocation(ordinal: ordinal, offset: UInt32(LogFormat.headerSize))
    }
    return position
  }

  /// Before the first record that there is.
  private func start(of index: LogIndex) -> LogCursor {
    guard let first = index.segments.first else { return LogCursor(sequence: 1, location: index.end) }
    return LogCursor(
      sequence: first.id.first, location: LogLocation(ordinal: first.ordinal, offset: UInt32(LogFormat.headerSize)))
  }

  func walk(at position: Int, in index: LogIndex, offset: UInt64, sequence: UInt64) -> SegmentWalk {
    let segment = index.segments[position]
    return SegmentWalk(
      window: window, segment: segment.id, ordinal: segment.ordinal, end: UInt64(segment.end),
      sequenceLimit: index.sequenceLimit(at: position), offset: offset, sequence: sequence)
  }
}
