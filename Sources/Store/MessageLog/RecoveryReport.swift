/// The end of the log that was being written when the machine stopped: nothing that was ever acknowledged.
package struct TornTail: Equatable, Sendable {
  package var segment: SegmentID
  /// The offset of its first byte.
  package var offset: UInt64
  /// Bytes up to the last one that is not zero.
  package var bytes: UInt64
}

/// A range of the log that was durable and cannot be read any more.
package struct Damage: Equatable, Sendable, CustomStringConvertible {
  package var segment: SegmentID
  package var offset: UInt64
  /// Bytes that were passed over.
  package var length: UInt64
  /// The record that should have stood there.
  package var expected: UInt64
  /// The first record that could be read again: those from `expected` up to it are lost.
  package var next: UInt64
  package var reason: BadFrame

  package var description: String {
    let lost =
      switch next - min(expected, next) {
      case 0: "no record lost"
      case 1: "record \(expected) lost"
      default: "records \(expected) to \(next - 1) lost"
      }
    return "\(segment), offset \(offset), record \(expected): \(reason); \(length) bytes passed over, \(lost)"
  }
}

/// The findings of opening a log.
package struct RecoveryReport: Equatable, Sendable {
  /// Records and bytes that were read.
  package var records: UInt64 = 0
  package var bytes: UInt64 = 0
  /// The torn tail, if there was one; cut off if the log was opened for writing.
  package var torn: TornTail?
  /// The first damaged places, in their order.
  package var damage: [Damage] = []
  /// How many damaged places there are in all.
  package var damageCount = 0
  /// Segments of which the disk could not read something.
  package var unreadable: Set<SegmentID> = []
  /// Why a checkpoint that is there was not used.
  package var checkpointIgnored: String?

  /// No more damaged places than this are listed.
  static let listedDamage = 1000

  mutating func add(_ damage: Damage) {
    damageCount += 1
    if self.damage.count < Self.listedDamage { self.damage.append(damage) }
  }
}

/// A log that is ready to be read, and appended to if it was opened so.
package struct RecoveredLog: Sendable {
  package let report: RecoveryReport
  /// The log's segments and their ends.
  package let index: LogIndex
  /// The number that the next record gets. It may be above the last one's by more than one where records were lost.
  package let nextSequence: UInt64
  /// The number of the log's last record, or of the last one before damage in the middle. If the log's end is missing,
  /// `nextSequence` is larger by more than one.
  package let lastFound: UInt64
  let mode: Recovery.Mode
  /// The header of the segment that may be appended to; nil if the next record must begin a new one.
  let appendable: SegmentHeader?

  /// A writer that goes on where the log ends. The log must have been opened for writing.
  package func makeWriter(uuid: LogUUID, segmentSize: UInt64 = LogFormat.segmentSize) -> LogWriter {
    precondition(mode == .readWrite, "the log was opened for reading only")
    let fits =
      appendable.map { ($0.uuid, $0.major, $0.minor) == (uuid, LogFormat.major, LogFormat.minor) } ?? false
    return LogWriter(
      index: index, nextSequence: nextSequence, intoNewSegment: !fits, uuid: uuid, segmentSize: segmentSize)
  }
}

extension TornTail: CustomStringConvertible {
  package var description: String {
    "\(segment), offset \(offset): \(bytes) bytes at the end that were never acknowledged"
  }
}
