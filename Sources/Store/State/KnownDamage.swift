import Bytes
package import MessageLog

/// The known damage of the log. Kept in checkpoints, so that it is reported although no start reads the damaged ranges
/// again.
package struct KnownDamage: Sendable, Equatable {
  /// Ranges that cannot be read.
  package private(set) var places = 0
  /// Records that were lost with them.
  package private(set) var records: UInt64 = 0
  /// The first of them.
  package private(set) var first: Place?

  /// The beginning of a damaged range, and the record that should stand there.
  package struct Place: Sendable, Equatable {
    package var segment: SegmentID
    package var offset: UInt64
    package var record: UInt64
  }

  /// This damage and single records that could not be read on demand.
  package func with(_ unreadable: Int) -> KnownDamage {
    var all = self
    all.places += unreadable
    all.records += UInt64(unreadable)
    return all
  }

  /// Takes note of a record whose fields are not sound.
  mutating func noteUnreadable() { self = with(1) }

  /// Takes note of what opening the log found.
  mutating func note(_ report: RecoveryReport) {
    places += report.damageCount
    for damage in report.damage { records += damage.next - min(damage.expected, damage.next) }
    if first == nil {
      first = report.damage.first.map { Place(segment: $0.segment, offset: $0.offset, record: $0.expected) }
    }
  }
}

// In a checkpoint: 1 places, 2 records, 3 the first one's segment, 4 its offset, 5 its record.
extension KnownDamage {
  func write(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(places))
    writer.uint(2, records)
    guard let first else { return }
    writer.uint(3, first.segment.first)
    writer.uint(4, first.offset)
    writer.uint(5, first.record)
  }

  static func read(_ reader: inout FieldReader) throws(FieldError) -> KnownDamage {
    var damage = KnownDamage()
    var first = Place(segment: SegmentID(first: 0), offset: 0, record: 0)
    while let field = try reader.next() {
      switch field {
      case 1: damage.places = Int(try reader.uint(UInt32.self))
      case 2: damage.records = try reader.uint()
      case 3: first.segment = SegmentID(first: try reader.uint())
      case 4: first.offset = try reader.uint()
      case 5: first.record = try reader.uint()
      default: break
      }
    }
    if first.segment.first > 0 { damage.first = first }
    return damage
  }
}
