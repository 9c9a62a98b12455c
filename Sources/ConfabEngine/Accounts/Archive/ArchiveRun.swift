import Clocks
import Records
import XMPPExtensions

/// One way through an archive, page by page: what is asked next, what the present page has brought, and whether it gets
/// anywhere. A value that decides; it asks nobody itself.
struct ArchiveRun {
  /// Which way it goes.
  enum Course: Equatable {
    /// From what is known to the newest.
    case forward
    /// To the newest message alone: is it known?
    case probe
    /// From the newest back: the first time.
    case backward
    /// Fetches the newest message only: if it is the anchor, the archive has nothing after the anchor.
    case check
  }

  /// Results that one page may have.
  static let pageSize = 250
  /// Pages of one way. More than that has no honest archive that we were with lately.
  static let mostPages = 20_000
  /// So often it begins anew where the archive no longer keeps what it has just shown.
  static let mostBeginnings = 10

  let course: Course
  /// Whether the anchor is known not to be the newest message: if the archive has nothing after the anchor either, it
  /// does not know the anchor.
  private(set) var isChecked = false
  /// Nothing older is asked for.
  let start: Timestamp?
  /// The last record when it began: what is newer came while it was under way.
  let began: UInt64
  private(set) var page: ResultSet.Page
  /// The question that is out, which its results are told by.
  var token = ""
  /// Of the present page.
  private(set) var results = 0
  private(set) var newest: (id: String, time: Timestamp)?
  private(set) var oldest: Timestamp?
  /// When what came before stands here, in the archive's order.
  private(set) var previous: Timestamp?
  /// When the last one of each conversation that it came by stands, and its order there.
  private var lasts: [String: (time: Timestamp, order: UInt32)] = [:]
  /// All conversations are there of which it has shown something at the time of what came before.
  private var knowsAll = true
  /// The first of the page before, on the way back: nothing stands behind that.
  private var limit: Timestamp?
  /// Of all pages so far.
  private(set) var isStable = true
  private var pages = 0
  private var beginnings = 1
  /// It took more than a page.
  var isLong: Bool { pages > 0 }
  private var visited = Visited()

  init(_ course: Course, from page: ResultSet.Page, start: Timestamp? = nil, behind place: Int64? = nil, began: UInt64)
  {
    (self.course, self.page, self.start, self.began) = (course, page, start, began)
    if let place { (previous, knowsAll) = (Timestamp(milliseconds: place), false) }
  }

  var query: ArchiveQuery {
    ArchiveQuery(token: token, start: start, page: page, max: isOfOne ? 1 : Self.pageSize)
  }

  private var isOfOne: Bool { course == .probe || course == .check }

  /// Asks again for messages after the anchor, when the archive's newest message is another one.
  static func checked(behind anchor: ArchiveRecord.Anchor, began: UInt64) -> ArchiveRun {
    var run = ArchiveRun(.forward, from: .after(anchor.id), behind: anchor.place, began: began)
    run.isChecked = true
    return run
  }

  /// Whether the run asks for messages after the anchor and has received no page yet.
  var isAtAnchor: Bool {
    if case .after = page { return course == .forward && start == nil && pages == 0 }
    return false
  }

  /// A result came; false where there are more than were asked for.
  mutating func note(_ id: String, stamp: Timestamp?) -> Bool {
    results += 1
    newest = (id, stamp ?? newest?.time ?? Timestamp(milliseconds: 0))
    oldest = oldest ?? stamp
    return results <= Self.pageSize
  }

  /// The message that came last stands here at this time. Where that is not about its stamp, as of what I wrote long
  /// before it left, it tells nothing of those that follow; in its own conversation it tells more.
  mutating func passed(_ message: MessageRecord) {
    let time = Timestamp(milliseconds: message.time)
    guard let newest, time - newest.time <= MessageOrder.searchMargin else { return }
    let isLater = previous.map { time > $0 } ?? true
    if isLater, time - newest.time <= MessageOrder.delay { (previous, knowsAll) = (time, true) }
    let last = lasts[message.jid] ?? (time, 0)
    guard time >= last.time else { return }
    lasts[message.jid] = (time, time == last.time ? max(last.order, message.archiveOrder) : message.archiveOrder)
    if lasts.count > Self.pageSize { (lasts, knowsAll) = ([:], false) }
  }

  /// The last order of a conversation at this time that the archive has shown, 0 where it has shown none; nil: nobody
  /// knows.
  func order(of jid: String, at time: Timestamp) -> UInt32? {
    if let last = lasts[jid], last.time == time { return last.order }
    return knowsAll || previous != time ? 0 : nil
  }

  /// When a message with this stamp is to stand: behind what comes before it.
  func place(of stamp: Timestamp, in jid: String) -> Timestamp {
    var time = stamp
    if let previous, previous > time, previous - stamp <= MessageOrder.delay { time = previous }
    if let last = lasts[jid]?.time, last > time, last - stamp <= MessageOrder.searchMargin { time = last }
    return max(stamp, limit.map { min($0, time) } ?? time)
  }

  /// The newest message of the present page; `id` where the archive names it.
  func anchor(_ id: String?) -> ArchiveRecord.Anchor? {
    newest.map { .init(id: id ?? $0.id, time: $0.time.milliseconds, place: previous?.milliseconds) }
  }

  /// By time from where it began: what the next page was to stand behind is not kept any more. Nil where that has been so
  /// often enough, and for a way that did not begin by time.
  var begunAnew: ArchiveRun? {
    guard course == .forward, start != nil, page != .first, beginnings < Self.mostBeginnings else { return nil }
    var run = ArchiveRun(.forward, from: .first, start: start, began: began)
    run.beginnings = beginnings + 1
    return run
  }

  /// The page is asked for once more.
  mutating func repeatPage() { results = 0 }

  /// What follows from the end of a page.
  enum Step: Equatable {
    /// There is more: ask for it.
    case next
    case complete
    /// It leads nowhere, for this reason.
    case astray(String)
  }

  /// Whether the page is empty. Some archives do not mark an empty last page as complete, but an empty page gives no id
  /// to continue from, so it is the end.
  func isEmpty(_ end: ArchiveEnd) -> Bool {
    results == 0 && end.bounds?.first == nil && end.bounds?.last == nil
  }

  /// The page has ended.
  mutating func end(_ end: ArchiveEnd) -> Step {
    isStable = isStable && end.isStable
    if end.isComplete || isEmpty(end) { return .complete }
    guard let id = course == .forward ? end.bounds?.last ?? newest?.id : end.bounds?.first else {
      return .astray("the archive says that there is more, but gives no position")
    }
    pages += 1
    guard visited.insert(id), page != .after(id), page != .before(id) else {
      return .astray("the archive repeats the same pages")
    }
    guard pages < Self.mostPages else { return .astray("the archive has more pages than the limit") }
    page = course == .forward ? .after(id) : .before(id)
    results = 0
    // Pages of a way back do not follow upon one another.
    if course != .forward { (limit, newest, oldest, previous, lasts) = (oldest, nil, nil, nil, [:]) }
    return .next
  }
}

/// Whether a way comes by the same place again, in two names' memory (R. P. Brent): a place is remembered, after ever
/// more steps another one, and a circle comes by it.
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
