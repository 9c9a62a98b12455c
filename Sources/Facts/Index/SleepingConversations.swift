import Bytes
import Clocks
import Conversations
import MessageLog

/// An account's conversations that are not in memory, on pages, in runs: each time many go to sleep they are a new run, and
/// runs of about one size become one, a step at a time. So what strangers began costs some bytes of memory for each page.
final class SleepingConversations {
  let account: UInt32
  let pages: IndexPages
  /// Cuts the sections of those that wake up.
  var gap: Interval
  /// Oldest first: of what several say of one conversation, the newest holds.
  private(set) var runs: [SleepingRun] = []
  /// Those that were on pages that are damaged, as the log has them.
  private var found: [Conversation] = []
  private var merge: Merge?

  /// Two neighbouring runs that become one.
  private struct Merge {
    /// The place of the older one.
    let place: Int
    var cursor: SleepingCursor
    var output: SleepingPages
    /// The pages of the new run that are written, or being written.
    var pages: [SleepingPage] = []
    var isAtEnd = false
  }

  /// Pages of one step.
  private static let pagesOfStep = 32

  init(account: UInt32, in pages: IndexPages, gap: Interval) {
    (self.account, self.pages, self.gap) = (account, pages, gap)
  }

  /// Takes what a checkpoint says.
  func restore(_ runs: [SleepingRun]) { self.runs = runs }

  /// Pages that are in use and that no checkpoint may name.
  var unnamedPages: [UInt32] { merge?.pages.map(\.page.number) ?? [] }

  // MARK: - Looking

  /// The conversation with a JID, by itself: what is done to it changes nothing here.
  func conversation(with jid: String) -> Conversation? {
    let key = SleepingRecord.key(of: jid, in: pages.log)
    guard let record = record(key, Array(jid.utf8), inRunsFrom: 0) else { return nil }
    return conversation(of: record)
  }

  /// Hands out what was found in the log because its page is damaged: it belongs into memory.
  func takeFound() -> [Conversation] {
    defer { found = [] }
    return found
  }

  /// Shows each one, those of `awake` and those that a newer run has left out.
  func forEach(_ body: (Conversation) -> Void) {
    var cursor = SleepingCursor(runs)
    while let record = cursor.next(records) { if let conversation = conversation(of: record) { body(conversation) } }
  }

  /// Visits evicted conversations whose newest message may be among the newest of all. Pages come in the order of their
  /// newest time until `isEnough` says of that time that nothing as old is wanted; in a page, a conversation is visited
  /// if `isWanted` accepts its newest time.
  func visitNewest(
    isEnough: (Timestamp) -> Bool, isWanted: (Timestamp) -> Bool, _ body: (Conversation) -> Void
  ) {
    let places = runs.indices.flatMap { run in runs[run].pages.map { (run, $0) } }.sorted { $0.1.newest > $1.1.newest }
    for (run, page) in places where page.newest != .min {
      guard !isEnough(Timestamp(milliseconds: page.newest)) else { return }
      for record in records(of: page) where isWanted(Timestamp(milliseconds: record.newest)) {
        guard self.record(record.key, record.jid, inRunsFrom: run + 1) == nil else { continue }
        if let conversation = conversation(of: record) { body(conversation) }
      }
    }
  }

  private func conversation(of record: SleepingRecord) -> Conversation? {
    let read = try? FieldReader.read(record.body) { reader throws(FieldError) in
      try Conversation.read(&reader, gap: gap, pages: pages)
    }
    if let conversation = read ?? nil { return conversation }
    find(record.key...record.key)
    return nil
  }

  private func record(_ key: UInt64, _ jid: [UInt8], inRunsFrom first: Int) -> SleepingRecord? {
    for run in runs[first...].reversed() {
      for place in run.places(of: key) {
        guard let bytes = bytes(of: run.pages[place]) else { continue }
        if let record = run.pages[place].record(bytes, key: key, jid: jid) { return record }
      }
    }
    return nil
  }

  private func records(of page: SleepingPage) -> [SleepingRecord] {
    bytes(of: page).flatMap { page.records($0) } ?? []
  }

  // MARK: - Damage

  /// What is on a page; nil where it is not what it should be: then the log is asked, and the page is not used any more.
  private func bytes(of page: SleepingPage) -> [UInt8]? {
    if let bytes = pages.bytes(of: page.page) { return bytes }
    for run in runs.indices {
      guard let place = runs[run].pages.firstIndex(where: { $0.page == page.page }) else { continue }
      let next = place + 1 < runs[run].pages.count ? runs[run].pages[place + 1].first : .max
      runs[run].pages.remove(at: place)
      pages.release(page.page)
      find(page.first...max(page.first, next))
    }
    return nil
  }

  private func find(_ keys: ClosedRange<UInt64>) { found += pages.sleepers(account, keys) }

  // MARK: - Runs

  /// Pages for conversations that are to sleep, in no order.
  func makeRun(_ records: [SleepingRecord]) -> SleepingPages {
    var output = SleepingPages(for: records.count)
    for record in records.sorted(by: { $0.precedes($1) }) { output.append(record, &pages.ledger) }
    output.close(&pages.ledger)
    return output
  }

  /// A run has been written.
  func append(_ run: SleepingRun) { if !run.pages.isEmpty { runs.append(run) } }

  /// Two runs are to become one, or are becoming it.
  var isMerging: Bool { merge != nil || mergeable != nil }

  /// The older one of the newest two neighbours that are about as large.
  private var mergeable: Int? {
    let counts = runs.map(\.count)
    return counts.indices.dropLast().last { counts[$0] < 2 * counts[$0 + 1] }
  }

  /// The next pages of the run that two others become; must be answered by `stepped`. Empty where there is none.
  func takeStep() -> [(page: SleepingPage, bytes: [UInt8])] {
    if merge == nil, let place = mergeable {
      let both = runs[place...place + 1]
      merge = Merge(
        place: place, cursor: SleepingCursor(both), output: SleepingPages(for: both.reduce(0) { $0 + $1.count }))
    }
    guard var merge = merge.take() else { return [] }
    while !merge.isAtEnd, merge.output.full.count < Self.pagesOfStep {
      if let record = merge.cursor.next(records) {
        merge.output.append(record, &pages.ledger)
      } else {
        merge.isAtEnd = true
        merge.output.close(&pages.ledger)
      }
    }
    let step = merge.output.take()
    merge.pages += step.map(\.page)
    self.merge = merge
    return step
  }

  /// A step has been written, or could not be: then the runs stay as they are.
  func stepped(_ isStored: Bool) {
    guard let merge, merge.isAtEnd || !isStored else { return }
    self.merge = nil
    guard isStored else { return merge.pages.forEach { pages.ledger.giveBack($0.page.number) } }
    for page in runs[merge.place...merge.place + 1].flatMap(\.pages) { pages.release(page.page) }
    let run = SleepingRun(pages: merge.pages, filter: merge.output.filter)
    runs.replaceSubrange(merge.place...merge.place + 1, with: run.pages.isEmpty ? [] : [run])
  }
}
