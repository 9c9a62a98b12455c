import Bytes
import Timelines
/// Records of one kind on pages of the index, in runs (a log-structured merge tree): each batch that leaves memory
/// becomes a run, and neighbouring runs of about one size become one, a step at a time. There are about log4 n runs,
/// and each record is written about as often. A thousand or so records take 40 bytes of memory, and a head's page of 16
/// KiB as long as they are looked up. Confined to the engine's thread.
final class SortedRuns<Record: RunRecord> {
  let pages: IndexPages
  /// Oldest first.
  private(set) var runs: [Run] = []
  /// A run that is being written.
  private var new: (heads: [RunHead], pages: [UInt32])?
  private var merge: Merge?

  /// Pages of one step.
  private static var pagesOfStep: Int { 32 }

  /// Neighbouring runs that become one, head by head: what the new run has leaves the old ones.
  private struct Merge {
    /// The places of the old runs; behind them stands the new one.
    let old: Range<Int>
    var cursor: RunCursor<Record>
    var output = RunWriter<Record>()
    /// Pages that were handed out and that no head of the new run names.
    var unnamed: [UInt32] = []
    var isAtEnd = false

    var new: Int { old.upperBound }
  }

  init(in pages: IndexPages) { self.pages = pages }

  /// The number of records; those that are being merged may be counted twice.
  var count: Int { runs.reduce(0) { $0 + $1.count } }

  /// Pages that are in use and that no checkpoint may name.
  var unnamedPages: [UInt32] { (new?.pages ?? []) + (merge?.unnamed ?? []) }

  // MARK: - Looking

  /// Calls `body` with the records of a key, those of newer runs first, until it returns false. Records on a damaged
  /// page are left out.
  ///
  /// - Parameter first: older runs are not looked at.
  func visit(_ key: UInt64, inRunsFrom first: Int = 0, _ body: (Record) -> Bool) {
    for run in runs[first...].indices.reversed() {
      for place in runs[run].places(of: key).reversed() where !visit(key, place, run, body) { return }
    }
  }

  private func visit(_ key: UInt64, _ place: Int, _ run: Int, _ body: (Record) -> Bool) -> Bool {
    guard let head = bytes(ofHead: place, run), HeadPage.mayHold(key, head) else { return true }
    for leaf in HeadPage.leaves(of: key, head) {
      let goesOn = pages.read(leaf.page) { page throws(FieldError) in try Record.visit(key, on: page, body) }
      if goesOn == false { return false }
    }
    return true
  }

  /// The content of a head's page, which stays in memory from now on; nil if it is damaged.
  private func bytes(ofHead place: Int, _ run: Int) -> [UInt8]? {
    if let bytes = runs[run].heads[place].bytes { return bytes }
    guard let bytes = pages.head(runs[run].heads[place].page) else { return nil }
    if pages.memory.heads >= IndexPages.mostHeads { forgetHeads() }
    pages.memory.heads += 1
    runs[run].heads[place].bytes = bytes
    return bytes
  }

  /// Gives back the memory that pages of heads take.
  func forgetHeads() {
    for run in runs.indices {
      for place in runs[run].heads.indices where runs[run].heads[place].bytes.take() != nil { pages.memory.heads -= 1 }
    }
  }

  /// Calls `body` with each record in their order; of the same ones, with that of the newest run.
  func forEach(_ body: (Record) -> Void) {
    var cursor = RunCursor<Record>(runs)
    var last: Record?
    while let record = cursor.next(pages) {
      if last.map({ !$0.isSame(as: record) }) ?? true { body(record) }
      last = record
    }
  }

  /// Calls `body` with records whose rank may be among the highest of all: pages come about in the order of their
  /// highest rank, until `isEnough` says of that rank that none as low is wanted.
  func visitHighest(isEnough: (Int64) -> Bool, isWanted: (Int64) -> Bool, _ body: (Record) -> Void) {
    let heads = runs.indices.flatMap { run in runs[run].heads.map { (run, $0) } }
    for (run, head) in heads.sorted(by: { $0.1.rank > $1.1.rank }) {
      guard !isEnough(head.rank) else { return }
      for leaf in leaves(of: head).sorted(by: { $0.rank > $1.rank }) {
        if isEnough(leaf.rank) { break }
        let records = pages.read(leaf.page) { page throws(FieldError) in try Record.unpack(page) } ?? []
        for record in records where isWanted(record.rank) && !isReplaced(record, run) { body(record) }
      }
    }
  }

  private func leaves(of head: RunHead) -> [HeadPage.Leaf] {
    (head.bytes ?? pages.head(head.page)).map(HeadPage.leaves) ?? []
  }

  /// True if a newer run has a record with the same subject.
  private func isReplaced(_ record: Record, _ run: Int) -> Bool {
    var isReplaced = false
    visit(record.key, inRunsFrom: run + 1) {
      isReplaced = $0.isSame(as: record)
      return !isReplaced
    }
    return isReplaced
  }

  private func removeHead(_ place: Int, ofRun run: Int) {
    let head = runs[run].heads.remove(at: place)
    if head.bytes != nil { pages.memory.heads -= 1 }
    for leaf in leaves(of: head) { pages.release(leaf.page) }
    pages.release(head.page)
  }
}

// MARK: - Runs

extension SortedRuns {
  /// The number of runs that are too many, even while much else is going on.
  static var manyRuns: Int { 12 }

  /// Pages of a new run with these records, which come in their order; must be answered by `stored`. Empty if there are
  /// none.
  func write(_ records: [Record]) -> [WrittenPage] {
    var output = RunWriter<Record>()
    output.fill(records, &pages.allocator)
    let written = output.take()
    if !written.isEmpty { new = (output.heads, written.map(\.page.number)) }
    return written
  }

  /// Notes that the pages of `write` or `takeStep` were written, or could not be.
  func stored(_ isStored: Bool) {
    guard let (heads, written) = new.take() else { return stepped(isStored) }
    if isStored { return runs.append(Run(heads: heads)) }
    for page in written { pages.allocator.giveBack(page) }
  }

  /// True if runs are to be merged now.
  func isMergeDue(in pause: Eviction.Pause?) -> Bool {
    pause == .last ? false : merge != nil || (pause == .long || runs.count > Self.manyRuns) && mergeable != nil
  }

  /// The next pages of the run that others become; must be answered by `stored`. Empty if there are none.
  func takeStep() -> [WrittenPage] {
    if merge == nil {
      runs.removeAll { $0.heads.isEmpty }
      guard let old = mergeable else { return [] }
      merge = Merge(old: old, cursor: RunCursor(runs[old]))
      runs.insert(Run(), at: old.upperBound)
    }
    guard var next = merge.take() else { return [] }
    while !next.isAtEnd, next.output.full.count < Self.pagesOfStep {
      if let record = next.cursor.next(pages) {
        next.output.append(record, &pages.allocator)
      } else {
        next.isAtEnd = true
        next.output.close(&pages.allocator)
      }
    }
    let step = next.output.take()
    next.unnamed += step.map(\.page.number)
    merge = next
    guard pages.damage == nil else { return [] }
    if !step.isEmpty { return step }
    stepped(true)
    return takeStep()
  }

  /// A step has been written, or could not be: then the runs stay as they are.
  private func stepped(_ isStored: Bool) {
    guard isStored, var next = merge.take() else { return abandonMerge() }
    let output = next.output
    runs[next.new].heads += output.heads[runs[next.new].heads.count...]
    next.unnamed = output.unnamed
    for run in next.old {
      while !runs[run].heads.isEmpty, next.isAtEnd || runs[run].keys(of: 0).upperBound < output.end {
        removeHead(0, ofRun: run)
      }
    }
    if next.isAtEnd { runs.removeSubrange(next.old) } else { merge = next }
  }

  /// Each record is in one of the runs, and no run is as it should be.
  private func abandonMerge() {
    for page in merge.take()?.unnamed ?? [] { pages.allocator.giveBack(page) }
  }

  /// The newest neighbours that are about as large, each, as the one behind it. Many at once: each record is written
  /// less often.
  private var mergeable: Range<Int>? {
    let counts = runs.map(\.count)
    let joins = { counts[$0] < 4 * counts[$0 + 1] }
    guard let newest = counts.indices.dropLast().last(where: joins) else { return nil }
    let apart = counts[..<newest].indices.last { !joins($0) }
    return max(apart.map { $0 + 1 } ?? 0, newest + 1 - Self.manyRuns)..<newest + 2
  }
}

// MARK: - Checkpoints

extension SortedRuns {
  /// Writes each run as a field.
  func write(_ field: UInt32, into writer: inout FieldWriter) {
    for run in runs where !run.heads.isEmpty { writer.message(field) { run.write(into: &$0) } }
  }

  /// Takes the runs of a checkpoint.
  func restore(_ runs: [Run]) { self.runs = runs }
}
