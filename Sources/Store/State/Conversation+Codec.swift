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
    if let read {
      writer.int(4, read.time.milliseconds)
      writer.uint(5, read.id)
      writer.uint(13, UInt64(read.archiveOrder))
    }
    if readThrough > 0 { writer.uint(15, readThrough) }
    if !draft.isEmpty { writer.string(6, draft) }
    writer.uint(7, UInt64(unread))
    if let movedBack {
      writer.int(10, movedBack.furthest.time.milliseconds)
      writer.uint(11, movedBack.furthest.id)
      writer.uint(14, UInt64(movedBack.furthest.archiveOrder))
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
    var readTime: Int64 = 0
    var read: Entry.Key?
    var furthest = Entry.Key(time: Timestamp(milliseconds: 0), id: 0)
    var movedBack: MovedBack?
    var (unread, draft, readThrough) = (0, "", UInt64(0))
    var evicted: EvictedTimeline?
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: jid = try reader.string()
      case 4: readTime = try reader.int()
      case 5: read = .init(time: Timestamp(milliseconds: readTime), id: try reader.uint())
      case 6: draft = try reader.string()
      case 7: unread = Int(try reader.uint(UInt32.self))
      case 10: furthest.time = Timestamp(milliseconds: try reader.int())
      case 13: read?.archiveOrder = try reader.uint(UInt32.self)
      case 14: furthest.archiveOrder = try reader.uint(UInt32.self)
      case 11: furthest.id = try reader.uint()
      case 15: readThrough = try reader.uint()
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
    (conversation.draft, conversation.movedBack, conversation.readThrough) = (draft, movedBack, readThrough)
    guard conversation.restore(segments, evicted, unread: unread, read: read, from: pages) else { throw .malformed }
    return conversation
  }
}
