import Bytes
import Clocks
import Timelines
import MessageLog

/// The timeline of a long conversation, left in the checkpoint until it is used: the time of a start and the memory of
/// an idle daemon do not grow with the log.
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

  /// The decoded timeline; only the newest message if it is damaged.
  func timeline(gap: Interval) -> Timeline {
    do {
      let segments = try FieldReader.read(try body()) { reader throws(FieldError) in try TimelineSegments.read(&reader)
      }
      if let timeline = Timeline(gap: gap, segments: segments, source: pages), timeline.count == count {
        return timeline
      }
      pages.note(damage: "the timeline of a conversation")
    } catch {
      pages.note(damage: "the timeline of a conversation: \(error)")
    }
    var timeline = Timeline(gap: gap)
    _ = timeline.insert(newest)
    return timeline
  }

  /// True if its content can be read, and has been written.
  func write(_ field: UInt32, into writer: inout FieldWriter) -> Bool {
    do throws(StorageError) {
      let body = try body()
      writer.message(field) { Self.write(count: count, newest: newest, body: body, into: &$0) }
      return true
    } catch {
      pages.note(damage: "the checkpoint: \(error)")
      return false
    }
  }

  private func body() throws(StorageError) -> [UInt8] {
    switch content {
    case .here(let bytes): bytes
    case .left(let part): try part.bytes()
    }
  }

  static func write(count: Int, newest: Entry, body: [UInt8], into writer: inout FieldWriter) {
    writer.uint(1, UInt64(count))
    writer.message(2) { TimelineSegments.write(newest, into: &$0) }
    writer.bytes(3, body)
  }

  /// - Parameter file: the checkpoint that is being read; nil: it is something else, of which nothing is left where it
  ///   is.
  static func read(
    _ reader: inout FieldReader, from pages: IndexPages, in file: (any FileVersion)?
  ) throws(FieldError) -> EvictedTimeline {
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
    guard let newest, count > 0 else { throw .malformed }
    return EvictedTimeline(count: Int(count), newest: newest, content, pages: pages)
  }
}
