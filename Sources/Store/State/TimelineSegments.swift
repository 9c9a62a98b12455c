import Bytes
import Clocks
import Timelines
/// The form that a timeline's segments have in a checkpoint: field 3 entries, field 8 chunks on pages (`ChunkRun`), field
/// 14 the times of messages that have moved.
enum TimelineSegments {
  static let held: UInt32 = 3
  static let stored: UInt32 = 8
  static let moved: UInt32 = 14

  static func write(_ segments: [Timeline.Segment], into writer: inout FieldWriter) {
    for segment in segments {
      switch segment {
      case .held(let entries): writer.message(held) { for entry in entries { write(entry, into: &$0) } }
      case .stored(let run): writer.message(stored) { ChunkRun.write(run, into: &$0) }
      case .moved(let times): writer.message(moved) { write(times, into: &$0) }
      }
    }
  }

  /// All segments of such fields.
  static func read(_ reader: inout FieldReader) throws(FieldError) -> [Timeline.Segment] {
    var segments: [Timeline.Segment] = []
    while let field = try reader.next() {
      if let segment = try segment(field, &reader) { segments.append(segment) }
    }
    return segments
  }

  /// The segment in a field; nil where it has none.
  static func segment(_ field: UInt32, _ reader: inout FieldReader) throws(FieldError) -> Timeline.Segment? {
    switch field {
    case held: .held(try reader.message { inner throws(FieldError) in try readEntries(&inner) })
    case stored: .stored(try reader.message { inner throws(FieldError) in try ChunkRun.read(&inner) })
    case moved: .moved(try reader.message { inner throws(FieldError) in try readTimes(&inner) })
    default: nil
    }
  }

  private static func write(_ times: [UInt64: Timestamp], into writer: inout FieldWriter) {
    for (id, time) in times.sorted(by: { $0.key < $1.key }) {
      writer.uint(1, id)
      writer.int(2, time.milliseconds)
    }
  }

  private static func readTimes(_ reader: inout FieldReader) throws(FieldError) -> [UInt64: Timestamp] {
    var (times, id): ([UInt64: Timestamp], UInt64) = ([:], 0)
    while let field = try reader.next() {
      switch field {
      case 1: id = try reader.uint()
      case 2: times[id] = Timestamp(milliseconds: try reader.int())
      default: break
      }
    }
    return times
  }

  static func write(_ entry: Entry, into writer: inout FieldWriter) {
    writer.fixed64(1, UInt64(bitPattern: entry.time.milliseconds))
    writer.uint(2, entry.id)
    writer.uint(3, entry.location)
    writer.uint(4, UInt64(entry.archiveOrder))
    writer.uint(5, UInt64(entry.flags.rawValue))
  }

  static func readEntries(_ reader: inout FieldReader) throws(FieldError) -> [Entry] {
    var entries: [Entry] = []
    var entry = Entry(time: Timestamp(milliseconds: 0), id: 0, location: 0)
    while let field = try reader.next() {
      switch field {
      case 1: entry.time = Timestamp(milliseconds: Int64(bitPattern: try reader.fixed64()))
      case 2: entry.id = try reader.uint()
      case 3: entry.location = try reader.uint()
      case 4: entry.archiveOrder = try reader.uint(UInt32.self)
      case 5:
        entry.flags = EntryFlags(rawValue: try reader.uint(UInt16.self))
        entries.append(entry)
      default: break
      }
    }
    return entries
  }
}
