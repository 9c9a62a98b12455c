import Clocks
import Records
import XML
import XMPPExtensions

/// One way through an archive, page by page: what is asked next, what the present page has brought, and whether it gets
/// anywhere. A value that decides; it asks nobody itself.
struct ArchiveRun {
  /// The direction in which it goes.
  enum Course: Equatable {
    /// From the last known message to the newest.
    case forward
    /// To the newest message alone: is it known?
    case probe
    /// From the newest back: the first time.
    case backward
    /// Fetches the newest message only: if it is the anchor, the archive has nothing after the anchor.
    case check
  }

  /// Bytes of results that are held until the end of their page.
  private static let mostHeld = 4 << 20
  /// Pages of one way. More than that has no honest archive that we were with lately.
  static let mostPages = 20_000
  /// So often it begins anew where the archive no longer keeps what it has just shown.
  static let mostBeginnings = 10

  let course: Course
  /// True if the archive's newest message is not the anchor: if the archive has nothing after the anchor either, it
  /// does not know the anchor.
  private(set) var isChecked = false
  /// Nothing older is asked for.
  let start: Timestamp?
  private(set) var page: ResultSet.Page
  /// The question that is out, which its results are told by.
  var token = ""
  var results = ArchivePage()
  private(set) var places = ArchivePlaces()
  /// True if no page so far was marked as unstable.
  private(set) var isStable = true
  /// Results of a page of older messages, until its end comes.
  private var held: [ArchiveResult] = []
  private var heldBytes = 0
  private var pages = 0
  private var beginnings = 1
  /// It took more than a page.
  var isLong: Bool { pages > 0 }
  private var visited = Visited()

  init(_ course: Course, from page: ResultSet.Page, start: Timestamp? = nil) {
    (self.course, self.page, self.start) = (course, page, start)
  }

  /// Goes on backwards.
  ///
  /// - Parameter limit: when the messages begin here that were fetched before; nil: it is unknown.
  init(before floor: String, start: Timestamp?, limit: Timestamp?) {
    self.init(.backward, from: .before(floor), start: start)
    places = ArchivePlaces(before: limit)
  }

  /// Asks for messages after the anchor.
  ///
  /// - Parameter isChecked: the archive's newest message is another one.
  init(behind anchor: ArchiveRecord.Anchor, isChecked: Bool = false) {
    self.init(.forward, from: .after(anchor.id))
    self.isChecked = isChecked
    places = ArchivePlaces(behind: anchor)
  }

  var query: ArchiveQuery {
    ArchiveQuery(token: token, start: start, page: page, max: isOfOne ? 1 : ArchivePage.size)
  }

  private var isOfOne: Bool { course == .probe || course == .check }

  /// True if all messages of the run came after those that the archive was known to have: after the anchor, or in an
  /// archive that was empty then.
  var bringsNewer: Bool { course == .forward && start == nil }

  /// True if the run asks for messages after the anchor and has received no page yet.
  var isAtAnchor: Bool {
    if case .after = page { return bringsNewer && pages == 0 }
    return false
  }

  /// Keeps a result until the end of its page; false: there are too many, or they are too large.
  mutating func hold(_ result: ArchiveResult) -> Bool {
    heldBytes += result.copy?.message.byteCount ?? 0
    guard held.count < ArchivePage.size, heldBytes <= Self.mostHeld else { return false }
    held.append(result)
    return true
  }

  mutating func takeHeld() -> [ArchiveResult] {
    defer { held = [] }
    return held
  }

  /// The page is asked for once more.
  mutating func repeatPage() {
    results.recount()
    (held, heldBytes) = ([], 0)
  }

  /// The message that came last stands here.
  mutating func passed(_ message: MessageRecord) {
    if let newest = results.newest { places.passed(message, stamp: newest.time) }
  }

  /// The newest message of the present page; `id` where the archive names it.
  func anchor(_ id: String?) -> ArchiveRecord.Anchor? {
    results.newest.map {
      .init(id: id ?? $0.id, time: $0.time.milliseconds, place: places.end?.milliseconds, order: places.endOrder)
    }
  }

  /// By time from where it began: what the next page was to stand behind is not kept any more. Nil where that has been
  /// so often enough, and for a way that did not begin by time.
  var begunAnew: ArchiveRun? {
    guard course == .forward, start != nil, page != .first, beginnings < Self.mostBeginnings else { return nil }
    var run = ArchiveRun(.forward, from: .first, start: start)
    run.beginnings = beginnings + 1
    return run
  }

  /// The next step after a page.
  enum PageOutcome: Equatable {
    /// There is more: ask for it.
    case next
    case complete
    /// It leads nowhere, for this reason.
    case failed(String)
  }

  /// True if the page is empty. Some archives do not mark an empty last page as complete, but an empty page gives no id
  /// to continue from, so it is the end.
  func isEmpty(_ end: ArchiveEnd) -> Bool {
    results.count == 0 && end.bounds?.first == nil && end.bounds?.last == nil
  }

  /// The page has ended.
  mutating func end(_ end: ArchiveEnd) -> PageOutcome {
    isStable = isStable && end.isStable
    if end.isComplete || isEmpty(end) { return .complete }
    guard let id = course == .forward ? end.bounds?.last ?? results.newest?.id : end.bounds?.first else {
      return .failed("the archive says that there is more, but gives no position")
    }
    pages += 1
    guard visited.insert(id), page != .after(id), page != .before(id) else {
      return .failed("the archive repeats the same pages")
    }
    guard pages < Self.mostPages else { return .failed("the archive has more pages than the limit") }
    page = course == .forward ? .after(id) : .before(id)
    repeatPage()
    if course != .forward {
      places.turnBack(before: results.oldest)
      results = ArchivePage()
    }
    return .next
  }
}

/// Detects a circle of page ids with memory for two names (R. P. Brent): it remembers one id, and another one after
/// ever more steps; a circle meets it again.
private struct Visited {
  private var remembered = ""
  private var steps = 0
  private var patience = 1

  /// False where the way has been there.
  mutating func insert(_ place: String) -> Bool {
    if place == remembered { return false }
    steps += 1
    if steps == patience {
      (remembered, steps, patience) = (place, 0, patience * 2)
    }
    return true
  }
}
