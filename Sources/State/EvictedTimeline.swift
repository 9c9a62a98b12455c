import Bytes
import Clocks
import Conversations
import MessageLog

/// What a checkpoint says of a long conversation, left as it stands there until somebody asks for it: a start takes the
/// same time, and an idle daemon the same memory, however much is stored.
final class EvictedTimeline {
  let count: Int
  let newest: Entry
  let pages: IndexPages
  /// Its segments, as `TimelineSegments` writes them.
  private let content: Content

  private enum Content {
    case here([UInt8])
    case left(CheckpointPart)
  }

  private init(count: Int, newest: Entry, _ content: Content, pages: IndexPages) {
    (self.count, self.newest, self.content, self.pages) = (count, newest, content, pages)
  }

  /// What it says; nil where it says nothing that there can be.
  func timeline(of conversation: Conversation, gap: Interval) -> Timeline? {
    guard let body = body() else { return nil }
    let segments = try? FieldReader.read(body) { reader throws(FieldError) in try TimelineSegments.read(&reader) }
    guard let segments,
      let timeline = Timeline(gap: gap, segments: segments, source: ConversationPages(pages, of: conversation)),
      timeline.count == count
    else { return nil }
    return timeline
  }

  /// True where what it says can be read, and has been written.
  func write(_ field: UInt32, into writer: inout FieldWriter) -> Bool {
    guard let body = body() else { return false }
    writer.message(field) { Self.write(count: count, newest: newest, body: body, into: &$0) }
    return true
  }

  /// Nil where it cannot be read any more. What is found in the log instead is for those who ask: a checkpoint is not made
  /// of it, since the disk may not have given all of that either.
  private func body() -> [UInt8]? {
    switch content {
    case .here(let bytes): return bytes
    case .left(let part):
      let bytes = part.bytes
      if bytes == nil { pages.isSuspect = true }
      return bytes
    }
  }

  static func write(count: Int, newest: Entry, body: [UInt8], into writer: inout FieldWriter) {
    writer.uint(1, UInt64(count))
    writer.message(2) { TimelineSegments.write(newest, into: &$0) }
    writer.bytes(3, body)
  }

  /// Nil where it is none.
  ///
  /// - Parameter file: the checkpoint that is being read; nil: it is something else, of which nothing is left where it is.
  static func read(
    _ reader: inout FieldReader, from pages: IndexPages, in file: (any FileVersion)?
  ) throws(FieldError) -> EvictedTimeline? {
    var (count, newest, content): (UInt32, Entry?, Content) = (0, nil, .here([]))
    while let field = try reader.next() {
      switch field {
      case 1: count = try reader.uint(UInt32.self)
      case 2: newest = try reader.message { inner throws(FieldError) in try TimelineSegments.readEntries(&inner) }.last
      case 3:
        if let file {
          content = .left(try CheckpointPart(reader, of: file))
        } else {
          content = .here(try reader.bytes())
        }
      default: break
      }
    }
    guard let newest, count > 0 else { return nil }
    return EvictedTimeline(count: Int(count), newest: newest, content, pages: pages)
  }
}
