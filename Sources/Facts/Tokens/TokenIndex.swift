import Bytes
import Conversations
import MessageLog

/// Finds the records that carry a token (an id of our archive, a sender's id, a key), whatever their number: the newest in
/// memory, all others on pages, in runs. Only hashes are kept, so what is found must be confirmed by reading it.
///
/// When there are many in memory they become a run; runs of about one size become one, a step at a time, when nothing else is
/// going on. So there are never more than some log4 of them, and each token is written about as often. Of ten thousand tokens
/// on pages 32 bytes stay in memory. Confined to the engine's thread.
package final class TokenIndex {
  private let account: UInt32
  /// Nil: all stay in memory.
  private let pages: IndexPages?
  private let seed: UInt64
  private var recent = RecentTokens()
  /// Those that are being written.
  private var leaving: Leaving?
  /// What a checkpoint says of recent ones, as long as nobody has asked for any.
  private var asleep: [UInt8] = []
  /// Oldest first.
  private(set) var runs: [TokenRun] = []
  private var merge: TokenMerge?

  private struct Leaving {
    var tokens: RecentTokens
    let run: TokenRun
    let pages: [UInt32]
  }

  /// Pages of one step.
  private static let pagesOfStep = 32
  /// So much less is in memory at rest.
  private static let restingPart = 32

  init(account: UInt32, in pages: IndexPages?) {
    (self.account, self.pages) = (account, pages)
    seed = pages?.log.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } ?? 0
  }

  /// How many are in memory and counted.
  var recentCount: Int { recent.count }

  // MARK: - Looking

  /// The newest record that may carry a token with this hash.
  package func newest(_ kind: TokenKind, _ hash: UInt64) -> UInt64? { ids(kind, hash).first }

  /// The records that may have this hash, the newest first; at most `Token.mostOfKey`.
  package func ids(_ kind: TokenKind, _ hash: UInt64) -> [UInt64] {
    let key = Token.key(kind, hash, seed: seed)
    wake()
    var ids: [UInt64] = []
    recent.collect(key, into: &ids)
    leaving?.tokens.collect(key, into: &ids)
    for run in runs.indices.reversed() { collect(key, inRun: run, into: &ids) }
    guard ids.count > 1 else { return ids }
    return Array(Set(ids).sorted(by: >).prefix(Token.mostOfKey))
  }

  func insert(_ kind: TokenKind, _ hash: UInt64, id: UInt64) {
    wake()
    recent.insert(Token(key: Token.key(kind, hash, seed: seed), id: id))
    if let pages, recent.count > pages.limits.tokens { pages.wantsTokens = true }
  }

  private func collect(_ key: UInt64, inRun run: Int, into ids: inout [UInt64]) {
    guard let place = runs[run].place(of: key) else { return }
    if let bytes = bytes(ofHead: place, inRun: run) {
      guard TokenHeadPage.mayHold(key, bytes), let leaf = TokenHeadPage.leaf(of: key, bytes) else { return }
      if pages?.bytes(of: leaf).map({ TokenLeaf.collect(key, in: $0, into: &ids) }) ?? false { return }
    }
    mend(place, inRun: run)
    recent.collect(key, into: &ids)
  }

  /// What is on a head page, which stays in memory from now on; nil where it is not what it should be.
  private func bytes(ofHead place: Int, inRun run: Int) -> [UInt8]? {
    if let bytes = runs[run].heads[place].bytes { return bytes }
    guard let pages, let bytes = pages.bytes(of: runs[run].heads[place].page) else { return nil }
    if pages.heads >= IndexPages.mostHeads { forgetHeads() }
    pages.heads += 1
    runs[run].heads[place].bytes = bytes
    return bytes
  }

  private func wake() {
    guard !asleep.isEmpty else { return }
    let bytes = asleep
    asleep = []
    // A checkpoint is known by its checksum.
    _ = recent.unpack(bytes)
  }

  // MARK: - Damage

  /// A head, or one of its leaves, is not what it should be: the log is asked, and its pages are not used any more.
  private func mend(_ place: Int, inRun run: Int) {
    guard let pages else { return }
    abandonMerge()
    let (keys, ids) = (runs[run].keys(of: place), runs[run].ids)
    removeHead(place, ofRun: run)
    for (kind, hash, id) in pages.tokens(account, ids) {
      let token = Token(key: Token.key(kind, hash, seed: seed), id: id)
      if keys.contains(token.key) { recent.insert(token) }
    }
    if recent.count > pages.limits.tokens { pages.wantsTokens = true }
  }
}

// MARK: - Runs

// Like conversations that sleep: written while they stay in memory, and where that fails they just stay.
extension TokenIndex {
  /// Pages that are in use and that no checkpoint may name.
  var unnamedPages: [UInt32] { (leaving?.pages ?? []) + (merge?.unnamed ?? []) }

  /// There are many more in memory than should be.
  var isOverfull: Bool { pages.map { recent.count > 2 * $0.limits.tokens } ?? false }

  /// The next pages to be written; empty where there are none. Must be answered by `stored`.
  ///
  /// - Parameter pause: few stay in memory in one, and runs are merged in a long one; nil: much else is going on.
  func takePages(in pause: Facts.Pause?) -> [(page: IndexPage, bytes: [UInt8])] {
    guard let pages, leaving == nil else { return [] }
    let most = pause != nil ? pages.limits.tokens / Self.restingPart : pages.limits.tokens
    if pause != nil { forgetHeads() }
    if asleep.count > most * RecentTokens.packedSize { wake() }
    if recent.count > most { return takeRecent() }
    guard pause != .last, pause == .long || runs.count > TokenMerge.manyRuns else { return [] }
    return takeStep()
  }

  /// What `takePages` gave has been written, or could not be.
  func stored(_ isStored: Bool) {
    guard let pages else { return }
    if let leaving = leaving.take() {
      pages.wantsTokens = runs.count >= TokenMerge.manyRuns
      if isStored { return runs.append(leaving.run) }
      let newer = recent
      recent = leaving.tokens
      for token in newer.list { recent.insert(token) }
      for page in leaving.pages { pages.ledger.giveBack(page) }
    } else if isStored {
      stepped()
    } else {
      abandonMerge()
    }
  }

  private func takeRecent() -> [(page: IndexPage, bytes: [UInt8])] {
    guard let pages else { return [] }
    var output = TokenPages()
    output.fill(recent.sorted, &pages.ledger)
    let written = output.take()
    leaving = Leaving(tokens: recent, run: output.run, pages: written.map(\.page.number))
    recent = RecentTokens()
    return written
  }

  private func takeStep() -> [(page: IndexPage, bytes: [UInt8])] {
    guard let pages else { return [] }
    if merge == nil { runs.removeAll { $0.heads.isEmpty } }
    if merge == nil, let next = TokenMerge(of: runs) {
      merge = next
      runs.insert(TokenRun(heads: [], ids: 0...0), at: next.new)
    }
    guard var next = merge.take() else { return [] }
    next.fill(pages: Self.pagesOfStep, &pages.ledger, pages.bytes)
    let step = next.output.take()
    next.unnamed += step.map(\.page.number)
    merge = next
    if let damaged = next.cursor.damaged {
      mend(damaged)
      return takeStep()
    }
    guard step.isEmpty else { return step }
    stepped()
    return takeStep()
  }

  private func mend(_ head: TokenHead) {
    for run in runs.indices {
      if let place = runs[run].heads.firstIndex(where: { $0.page == head.page }) { return mend(place, inRun: run) }
    }
  }

  /// What a step made is part of the new run, and what that has is not needed of the old ones.
  private func stepped() {
    guard var next = merge.take() else { return }
    let output = next.output.run
    runs[next.new].heads += output.heads[runs[next.new].heads.count...]
    runs[next.new].ids = output.ids
    next.unnamed = next.output.unnamed
    for run in next.old {
      while !runs[run].heads.isEmpty, next.isAtEnd || runs[run].keys(of: 0).upperBound < next.output.end {
        removeHead(0, ofRun: run)
      }
    }
    if next.isAtEnd { runs.removeSubrange(next.old) } else { merge = next }
  }

  /// The runs stay as they are: each token is in one of them, and none is as it should be.
  private func abandonMerge() {
    for page in merge.take()?.unnamed ?? [] { pages?.ledger.giveBack(page) }
  }

  private func removeHead(_ place: Int, ofRun run: Int) {
    guard let pages else { return }
    let head = runs[run].heads.remove(at: place)
    if head.bytes != nil { pages.heads -= 1 }
    // The leaves of a head that cannot be read stay where they are until the index is made anew.
    for leaf in (head.bytes ?? pages.bytes(of: head.page)).flatMap(TokenHeadPage.leaves) ?? [] {
      pages.release(leaf.page)
    }
    pages.release(head.page)
  }

  /// Gives back the memory that head pages take.
  private func forgetHeads() {
    for run in runs.indices {
      for place in runs[run].heads.indices where runs[run].heads[place].bytes.take() != nil { pages?.heads -= 1 }
    }
  }
}

// MARK: - Checkpoints

// Field 2: the tokens in memory; 3 (many): a run.
extension TokenIndex {
  func write(into writer: inout FieldWriter) {
    var (bytes, last) = (asleep, UInt64(0))
    leaving?.tokens.pack(into: &bytes, after: &last)
    recent.pack(into: &bytes, after: &last)
    if !bytes.isEmpty { writer.bytes(2, bytes) }
    for run in runs where !run.heads.isEmpty { writer.message(3) { run.write(into: &$0) } }
  }

  /// Takes what `write` wrote, before anything else is inserted; false where it is not that.
  func restore(_ recent: [UInt8], _ runs: [TokenRun]) -> Bool {
    (asleep, self.runs) = (recent, runs)
    return pages != nil || runs.isEmpty
  }
}
