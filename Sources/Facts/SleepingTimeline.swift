import Bytes
import Clocks
import Conversations

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
