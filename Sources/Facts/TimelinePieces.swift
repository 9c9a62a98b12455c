import Bytes
import Clocks
import Conversations

/// The form that a timeline's pieces have in a checkpoint: field 3 entries, field 8 a chunk on a page.
enum TimelinePieces {
  static let held: UInt32 = 3
  static let stored: UInt32 = 8

  static func write(_ pieces: [Timeline.Piece], into writer: inout FieldWriter) {
    for piece in pieces {
      switch piece {
      case .held(let entries): writer.message(held) { for entry in entries { write(entry, into: &$0) } }
      case .stored(let chunk): writer.message(stored) { write(chunk, into: &$0) }
      }
    }
  }

  /// All pieces of such fields.
  static func read(_ reader: inout FieldReader) throws(FieldError) -> [Timeline.Piece] {
    var pieces: [Timeline.Piece] = []
    while let field = try reader.next() {
      if let piece = try piece(field, &reader) { pieces.append(piece) }
    }
    return pieces
  }

  /// The piece in a field; nil where it has none.
  static func piece(_ field: UInt32, _ reader: inout FieldReader) throws(FieldError) -> Timeline.Piece? {
    switch field {
    case held: .held(try reader.message { inner throws(FieldError) in try readEntries(&inner) })
    case stored: .stored(try reader.message { inner throws(FieldError) in try readChunk(&inner) })
    default: nil
    }
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

  private static func write(_ chunk: StoredChunk, into writer: inout FieldWriter) {
    writer.uint(1, UInt64(chunk.page.number))
    writer.uint(2, UInt64(chunk.page.checksum))
    writer.uint(3, UInt64(chunk.count))
    writer.int(4, chunk.first.time.milliseconds)
    writer.uint(5, chunk.first.id)
    if chunk.first.archiveOrder != 0 { writer.uint(6, UInt64(chunk.first.archiveOrder)) }
    write(chunk.last, 7, after: chunk.first.place, into: &writer)
    writer.uint(9, UInt64(chunk.steps.others))
    for step in chunk.steps.known {
      writer.uint(10, UInt64(step.offset))
      write(step.from, 11, after: chunk.first.place, into: &writer)
      write(step.to, 13, after: step.from, into: &writer)
    }
  }

  /// Writes two fields: how much later a message is than another, and by how much its id differs.
  private static func write(
    _ place: Entry.Place, _ field: UInt32, after other: Entry.Place, into writer: inout FieldWriter
  ) {
    writer.int(field, (place.time - other.time).milliseconds)
    writer.int(field + 1, Int64(bitPattern: place.id &- other.id))
  }

  private static func readChunk(_ reader: inout FieldReader) throws(FieldError) -> StoredChunk {
    let nowhere = Entry.Place(time: Timestamp(milliseconds: 0), id: 0)
    var step = InnerSteps.Step(offset: 0, from: nowhere, to: nowhere)
    var chunk = StoredChunk(
      page: IndexPage(number: 0, checksum: 0), count: 0, first: Entry.Key(time: nowhere.time, id: 0),
      last: nowhere, steps: InnerSteps(known: [], others: .max))
    while let field = try reader.next() {
      switch field {
      case 1: chunk.page.number = try reader.uint(UInt32.self)
      case 2: chunk.page.checksum = try reader.uint(UInt32.self)
      case 3: chunk.count = try reader.uint(UInt16.self)
      case 4: chunk.first.time = Timestamp(milliseconds: try reader.int())
      case 5: chunk.first.id = try reader.uint()
      case 6: chunk.first.archiveOrder = try reader.uint(UInt32.self)
      case 7: chunk.last.time = chunk.first.time.advanced(by: .milliseconds(try reader.int()))
      case 8: chunk.last.id = chunk.first.id &+ UInt64(bitPattern: try reader.int())
      case 9: chunk.steps.others = try reader.uint(UInt32.self)
      case 10: step.offset = try reader.uint(UInt16.self)
      case 11: step.from.time = chunk.first.time.advanced(by: .milliseconds(try reader.int()))
      case 12: step.from.id = chunk.first.id &+ UInt64(bitPattern: try reader.int())
      case 13: step.to.time = step.from.time.advanced(by: .milliseconds(try reader.int()))
      case 14:
        step.to.id = step.from.id &+ UInt64(bitPattern: try reader.int())
        chunk.steps.known.append(step)
      default: break
      }
    }
    return chunk
  }
}

/// What a checkpoint says of a long conversation, kept as it stands there until somebody asks for it: a start takes the
/// same time, and an idle daemon the same memory, however much is stored.
final class SleepingTimeline {
  let count: Int
  let newest: Entry
  /// Its pieces, as `TimelinePieces` writes them.
  let body: [UInt8]
  let pages: IndexPages

  init(count: Int, newest: Entry, body: [UInt8], pages: IndexPages) {
    (self.count, self.newest, self.body, self.pages) = (count, newest, body, pages)
  }

  /// What it says; nil where it says nothing that there can be.
  func timeline(of conversation: Conversation, gap: Interval) -> Timeline? {
    let pieces = try? FieldReader.read(body) { reader throws(FieldError) in try TimelinePieces.read(&reader) }
    guard let pieces,
      let timeline = Timeline(gap: gap, pieces: pieces, source: ConversationPages(pages, of: conversation)),
      timeline.count == count
    else { return nil }
    return timeline
  }

  func write(into writer: inout FieldWriter) { Self.write(count: count, newest: newest, body: body, into: &writer) }

  static func write(count: Int, newest: Entry, body: [UInt8], into writer: inout FieldWriter) {
    writer.uint(1, UInt64(count))
    writer.message(2) { TimelinePieces.write(newest, into: &$0) }
    writer.bytes(3, body)
  }

  /// Nil where it is none.
  static func read(_ reader: inout FieldReader, from pages: IndexPages) throws(FieldError) -> SleepingTimeline? {
    var (count, newest, body): (UInt32, Entry?, [UInt8]) = (0, nil, [])
    while let field = try reader.next() {
      switch field {
      case 1: count = try reader.uint(UInt32.self)
      case 2: newest = try reader.message { inner throws(FieldError) in try TimelinePieces.readEntries(&inner) }.last
      case 3: body = try reader.bytes()
      default: break
      }
    }
    guard let newest, count > 0 else { return nil }
    return SleepingTimeline(count: Int(count), newest: newest, body: body, pages: pages)
  }
}
