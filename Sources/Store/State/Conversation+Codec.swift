import Bytes
import Clocks
import Timelines
import MessageLog

// A conversation as a checkpoint has it, and as it lies on a page while it is not in memory.
extension Conversation {
  /// Writes all that `read` takes.
  func write(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.string(2, jid)
    writeTimeline(into: &writer)
    if read > 0 { writer.uint(5, read) }
    if !draft.isEmpty { writer.string(6, draft) }
    writer.uint(7, UInt64(unread))
    if ignored > 0 { writer.uint(13, UInt64(ignored)) }
    if let movedBack {
      writer.uint(11, movedBack.furthest)
      writer.int(12, movedBack.at.milliseconds)
    }
  }

  /// A conversation from such fields; an error if there can be none such.
  ///
  /// - Parameter file: the checkpoint that they are from, where they are from one that stays.
  static func read(
    _ reader: inout FieldReader, gap: Interval, pages: IndexPages?, in file: (any FileVersion)? = nil
  ) throws(FieldError) -> Conversation {
    var (account, jid): (UInt32, String) = (0, "")
    var segments: [Timeline.Segment] = []
    var (read, furthest) = (UInt64(0), UInt64(0))
    var movedBack: MovedBack?
    var (unread, ignored, draft) = (0, 0, "")
    var evicted: EvictedTimeline?
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: jid = try reader.string()
      case 5: read = try reader.uint()
      case 6: draft = try reader.string()
      case 7: unread = Int(try reader.uint(UInt32.self))
      case 13: ignored = Int(try reader.uint(UInt32.self))
      case 11: furthest = try reader.uint()
      case 12: movedBack = MovedBack(furthest: furthest, at: Timestamp(milliseconds: try reader.int()))
      case 9:
        guard let pages else { throw .malformed }
        evicted = try reader.message { inner throws(FieldError) in
          try EvictedTimeline.read(&inner, from: pages, in: file)
        }
      default:
        if let segment = try TimelineSegments.segment(field, &reader) { segments.append(segment) }
      }
    }
    let conversation = Conversation(account: account, jid: jid, gap: gap)
    (conversation.draft, conversation.read, conversation.movedBack) = (draft, read, movedBack)
    conversation.ignored = ignored
    guard conversation.restore(segments, evicted, unread: unread, from: pages) else { throw .malformed }
    return conversation
  }
}
