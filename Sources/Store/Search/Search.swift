import Bytes
import Timelines
import State
import MessageLog
import Records

/// One search under way: the newest messages first, a range of the log at a time. Holds one more message than are
/// wanted at most.
struct Search {
  private let query: SearchQuery
  private let index: LogIndex
  private let forgotten: [UInt32: Forgotten]
  private let filter: MessageFilter
  private let matcher: TextMatcher
  /// Ranges still to be read, the newest last.
  private var timeRanges: [LogRange]
  /// Fragments to look for from the second range on: most searches end in the first, and its bytes show which fragments
  /// are rare.
  private var fragments: FragmentSet?
  /// Bytes of the log of which that was learnt.
  private var learnt = 0
  /// Newest first.
  private var found: [SearchHit] = []
  /// Bytes that the disk could not read, or that are gone.
  private var unreadable = 0

  init(_ query: SearchQuery, _ scope: SearchScope) {
    self.query = query
    (index, forgotten) = (scope.index, scope.forgotten)
    filter = MessageFilter(query)
    matcher = TextMatcher(query.text)
    timeRanges = scope.timeRanges.filter(query.admits).sorted {
      ($0.latest, $0.ordinal, $0.first) < ($1.latest, $1.ordinal, $1.first)
    }
  }

  /// Reads the next range; the outcome where that was the last.
  mutating func step(_ storage: any LogStorage, _ reader: LogRangeReader) -> SearchOutcome? {
    do throws(StorageError) {
      guard let next = timeRanges.popLast(), mayHold(next) else { return try outcome(storage) }
      try read(next, reader)
      if !timeRanges.isEmpty { reader.withSample { learn(from: $0) } }
      return timeRanges.isEmpty ? try outcome(storage) : nil
    } catch {
      return SearchOutcome(failure: error)
    }
  }

  /// Chooses what is looked for from now on, where there is more to learn from than there was, or what was chosen is
  /// met often.
  private mutating func learn(from sample: RawSpan) {
    guard sample.byteCount >= learnt else { return }
    let much = sample.byteCount / 32
    if sample.byteCount == learnt, fragments?.burden(in: sample, most: much) ?? 0 < much { return }
    learnt = sample.byteCount
    fragments = matcher.fragments.best(for: sample)
  }

  /// True if a range may hold a message newer than the oldest one found, or if more are wanted.
  private func mayHold(_ logRange: LogRange) -> Bool {
    guard found.count > query.limit, let last = found.last else { return true }
    return logRange.latest >= last.key.time
  }

  private mutating func read(_ logRange: LogRange, _ reader: LogRangeReader) throws(StorageError) {
    var found = self.found
    self.found = []
    defer { self.found = found }
    unreadable += try reader.scan(
      ordinal: logRange.ordinal, from: logRange.first, to: logRange.last, in: index, for: fragments
    ) { frame in
      guard let (account, key) = filter.candidate(frame), isAmongNewest(key, frame.sequence, in: found),
        filter.holds(frame, matcher),
        !isHidden(frame)
      else { return }
      let hit = SearchHit(account: account, key: key, number: frame.sequence, location: frame.location.packed)
      insert(hit, into: &found)
    }
  }

  private func isHidden(_ frame: borrowing LogFrame) -> Bool {
    guard !forgotten.isEmpty else { return false }
    let message: MessageRecord
    switch Record(reading: frame) {
    case .message(let found)?, .change(let found)?: message = found
    default: return false
    }
    let id = frame.sequence
    return forgotten[message.account]?.hides(id, of: message.jid) ?? false
  }

  /// True if a message is among the newest that are wanted.
  private func isAmongNewest(_ key: Entry.Key, _ number: UInt64, in found: [SearchHit]) -> Bool {
    guard found.count > query.limit, let last = found.last else { return true }
    return last.precedes(key, number)
  }

  private func insert(_ hit: SearchHit, into found: inout [SearchHit]) {
    var (low, high) = (0, found.count)
    while low < high {
      let middle = (low + high) / 2
      if found[middle].precedes(hit.key, hit.number) { high = middle } else { low = middle + 1 }
    }
    // The newest record of a message replaces older ones.
    if low > 0, found[low - 1].key == hit.key { return }
    if low < found.count, found[low].key == hit.key { found.remove(at: low) }
    found.insert(hit, at: low)
    if found.count > query.limit + 1 { found.removeLast() }
  }

  /// All results, with the matches in their texts.
  private func outcome(_ storage: any LogStorage) throws(StorageError) -> SearchOutcome {
    let reader = LogReader(storage: storage, chunk: 4096) { _ in true }
    var outcome = SearchOutcome(hasMore: found.count > query.limit)
    outcome.unreadable = unreadable
    for hit in found.prefix(query.limit) { outcome.hits.append(try located(hit, reader)) }
    return outcome
  }

  private func located(_ hit: SearchHit, _ reader: LogReader) throws(StorageError) -> SearchHit {
    var hit = hit
    do throws(LogReadError) {
      let record = try reader.record(hit.number, at: LogLocation(packed: hit.location), in: index) {
        Record(reading: $0)
      }
      switch record {
      case .message(let message)?, .change(let message)?: hit.ranges = matcher.hits(in: message.text)
      default: break
      }
    } catch {
      if case .storage(let error) = error { throw error }
    }
    return hit
  }
}

extension SearchHit {
  /// True if this hit comes before another record in the answer: by the order of the messages, and for one message by
  /// the record's number.
  fileprivate func precedes(_ key: Entry.Key, _ number: UInt64) -> Bool {
    self.key == key ? self.number < number : self.key < key
  }
}
