import Bytes
import Clocks
import Timelines
import MessageLog

/// The conversations of an account that are not in memory: on pages, in sorted runs. Confined to the engine's thread.
final class EvictedConversations {
  let runs: SortedRuns<EvictedRecord>
  /// Cuts the sections of those that are loaded.
  var gap: Interval

  init(in pages: IndexPages, gap: Interval) {
    self.gap = gap
    runs = SortedRuns(in: pages)
  }

  var pages: IndexPages { runs.pages }

  /// There is none.
  var isEmpty: Bool { runs.runs.isEmpty }

  /// The conversation with a JID, by itself: what is done to it changes nothing here.
  func conversation(with jid: String) -> Conversation? {
    var found: EvictedRecord?
    let bytes = Array(jid.utf8)
    runs.visit(EvictedRecord.key(of: jid, in: pages.log)) {
      if $0.jid == bytes { found = $0 }
      return found == nil
    }
    return found.flatMap { conversation(of: $0) }
  }

  /// Shows each one, also those that are in memory.
  func forEach(_ body: (Conversation) -> Void) {
    runs.forEach { record in if let conversation = conversation(of: record) { body(conversation) } }
  }

  /// Visits conversations whose newest message may be among the newest of all: `isEnough` says of a time that no
  /// message as old is wanted, `isWanted` whether a conversation with this newest time is.
  func visitNewest(
    isEnough: (Timestamp) -> Bool, isWanted: (Timestamp) -> Bool, _ body: (Conversation) -> Void
  ) {
    runs.visitHighest(
      isEnough: { $0 == .min || isEnough(Timestamp(milliseconds: $0)) },
      isWanted: { $0 != .min && isWanted(Timestamp(milliseconds: $0)) },
      { record in if let conversation = conversation(of: record) { body(conversation) } })
  }

  private func conversation(of record: EvictedRecord) -> Conversation? {
    do throws(FieldError) {
      return try FieldReader.read(record.body) { reader throws(FieldError) in
        try Conversation.read(&reader, gap: gap, pages: pages)
      }
    } catch {
      pages.note(damage: "a conversation on a page: \(error)")
      return nil
    }
  }
}
