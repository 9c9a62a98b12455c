import Bytes
import Clocks
import Timelines
/// The form of stored chunks in a checkpoint: numbers without tags, in a fixed order, most of them differences from
/// those before. A long conversation has thousands of chunks, and a client waits while they are loaded.
enum ChunkRun {
  static func write(_ run: [StoredChunk], into writer: inout FieldWriter) {
    var (page, previous) = (UInt32(0), Entry.Place(time: Timestamp(milliseconds: 0), id: 0))
    writer.untagged(UInt64(run.count))
    for chunk in run {
      writer.untagged(Int64(chunk.page.number) - Int64(page))
      writer.untagged(UInt64(chunk.page.checksum))
      writer.untagged(UInt64(chunk.count))
      write(chunk.first.place, after: previous, into: &writer)
      writer.untagged(UInt64(chunk.first.archiveOrder))
      write(chunk.last, after: chunk.first.place, into: &writer)
      write(chunk.timeGaps, after: chunk.first.place, into: &writer)
      (page, previous) = (chunk.page.number, chunk.last)
    }
  }

  private static func write(_ timeGaps: InnerTimeGaps, after first: Entry.Place, into writer: inout FieldWriter) {
    writer.untagged(UInt64(timeGaps.others))
    writer.untagged(UInt64(timeGaps.known.count))
    for timeGap in timeGaps.known {
      writer.untagged(UInt64(timeGap.offset))
      write(timeGap.from, after: first, into: &writer)
      write(timeGap.to, after: timeGap.from, into: &writer)
    }
  }

  /// Writes how much later a message is than another, and by how much its id differs.
  private static func write(_ place: Entry.Place, after other: Entry.Place, into writer: inout FieldWriter) {
    writer.untagged(place.time.milliseconds &- other.time.milliseconds)
    writer.untagged(Int64(bitPattern: place.id &- other.id))
  }

  static func read(_ reader: inout FieldReader) throws(FieldError) -> [StoredChunk] {
    var run: [StoredChunk] = []
    var (page, previous) = (UInt32(0), Entry.Place(time: Timestamp(milliseconds: 0), id: 0))
    let count = try reader.untagged()
    run.reserveCapacity(Int(clamping: min(count, UInt64(reader.bytesLeft))))
    for _ in 0..<count {
      page &+= UInt32(truncatingIfNeeded: try reader.untaggedInt())
      let checksum = UInt32(truncatingIfNeeded: try reader.untagged())
      let count = UInt16(clamping: try reader.untagged())
      let first = try readPlace(&reader, after: previous)
      let order = UInt32(truncatingIfNeeded: try reader.untagged())
      previous = try readPlace(&reader, after: first)
      run.append(
        StoredChunk(
          page: IndexPage(number: page, checksum: checksum), count: count,
          first: Entry.Key(time: first.time, id: first.id, archiveOrder: order), last: previous,
          timeGaps: try readTimeGaps(&reader, after: first)))
    }
    return run
  }

  private static func readTimeGaps(
    _ reader: inout FieldReader, after first: Entry.Place
  ) throws(FieldError) -> InnerTimeGaps {
    var timeGaps = InnerTimeGaps(known: [], others: UInt32(clamping: try reader.untagged()))
    for _ in 0..<(try reader.untagged()) {
      let offset = UInt16(clamping: try reader.untagged())
      let from = try readPlace(&reader, after: first)
      timeGaps.known.append(InnerTimeGaps.TimeGap(offset: offset, from: from, to: try readPlace(&reader, after: from)))
    }
    return timeGaps
  }

  private static func readPlace(
    _ reader: inout FieldReader, after other: Entry.Place
  ) throws(FieldError) -> Entry.Place {
    let time = Timestamp(milliseconds: other.time.milliseconds &+ (try reader.untaggedInt()))
    return Entry.Place(time: time, id: other.id &+ UInt64(bitPattern: try reader.untaggedInt()))
  }
}
