import State
import MessageLog
package import Records

extension LogQueue {
  /// Records that have just become durable.
  package struct Committed {
    package private(set) var entries: [Entry]
    private var batch: LogBatch?

    init(entries: [Entry], batch: LogBatch?) { (self.entries, self.batch) = (entries, batch) }

    /// Takes out what is kept of one: what is looked at in its place is copied.
    package mutating func takeContent(at place: Int) -> Content {
      var content = Content.taken
      swap(&content, &entries[place].content)
      return content
    }

    /// Nothing is left of it.
    mutating func takeEntries() -> [Entry] {
      var taken: [Entry] = []
      swap(&taken, &entries)
      taken.removeAll(keepingCapacity: true)
      batch = nil
      return taken
    }

    /// They begin a segment behind others, and there is more to it than who has which number.
    package var beginsSegment: Bool {
      guard let batch, batch.beginsLaterSegment else { return false }
      return entries.contains { if case .record(.account) = $0.content { false } else { true } }
    }

    /// The packed location of one of them in the log.
    package func location(of sequence: UInt64) -> UInt64 { batch?.location(of: sequence).packed ?? 0 }

    /// Calls `body` with one that is a message, where it stands in the batch.
    package func withMessage(_ sequence: UInt64, _ body: (borrowing MessageView) -> Void) {
      batch?.withRecord(sequence) { _ = MessageView.read($0, body) }
    }
  }
}
