import Bytes
import Conversations
package import MessageLog
package import Records

// Entries leave memory when there are too many: the oldest of them all go to pages, and stay in memory until these are
// written. Nothing waits for that, and where it fails they just stay.
extension State {
  /// Pages of one batch: 1 MiB.
  private static let pagesOfBatch = 64

  /// Changes a conversation, and keeps count of what nobody has read and of what is in memory.
  func changing<R>(_ conversation: Conversation, of account: AccountState, _ body: () -> R) -> R {
    assert(conversation.standing != .evicted, "another object is this conversation")
    let (before, unread) = (conversation.evictable, conversation.unread)
    let result = body()
    account.conversations.unread += conversation.unread - unread
    guard pages != nil else { return result }
    let after = conversation.evictable
    if after != before { held = max(0, held + after - before) }
    if before == 0, after > 0 { holding.append(conversation) }
    conversation.standing = .changed
    account.conversations.weigh(conversation)
    return result
  }

  /// Changes a conversation where there is one.
  func change(_ account: UInt32, _ conversation: Conversation?, _ body: (Conversation) -> Void) {
    guard let conversation, let account = accounts[account] else { return }
    changing(conversation, of: account) { body(conversation) }
  }

  /// The next pages to be written, where too much is in memory; must be answered by `pagesStored`.
  package func takePages() -> PageBatch? {
    guard let pages, !isStoring, pages.damage == nil else { return nil }
    var parts = takeEntries()
    if parts.isEmpty { parts = takeEvicted().map { (IndexFormat.offset(ofPage: $0.page.number), $0.bytes) } }
    if parts.isEmpty { parts = takeMessageIDs().map { (IndexFormat.offset(ofPage: $0.page.number), $0.bytes) } }
    guard !parts.isEmpty else {
      isResting = false
      return nil
    }
    if !pages.isHeaderCurrent {
      parts.insert((0, IndexFormat.header(of: pages.log, serving: (pages.durableCheckpoint, 0))), at: 0)
    }
    return PageBatch(parts: parts)
  }

  /// Chunks to be written, and where, where too many are in memory.
  private func takeEntries() -> [(offset: UInt64, bytes: [UInt8])] {
    guard let pages else { return [] }
    let most = isResting ? pages.limits.restingEntries : pages.limits.entries
    guard held > (pause == .last ? 0 : most) else { return [] }
    collect(sealingTails: false)
    if underWay.isEmpty { collect(sealingTails: true) }
    let parts = underWay.map { (IndexFormat.offset(ofPage: $0.page.number), $0.bytes) }
    // What is kept of them from here on is where they go.
    for index in underWay.indices { underWay[index].bytes = [] }
    return parts
  }

  /// Pages are being written.
  package var isStoring: Bool { !underWay.isEmpty || settling != nil || writtenMessageIDs != nil }

  /// Much more is in memory than should be.
  package var isOverfull: Bool {
    pages.map { held > 2 * $0.limits.entries || $0.isOverfull } ?? false
      || accounts.values.contains { $0.messageIDs.isOverfull }
  }

  /// When there is more in memory than has to stay there.
  package enum Pause {
    /// A burst is over, and others may come: what it left is written, and put in order later.
    case betweenBursts
    /// Nothing has come for a while.
    case long
    /// All is over: nothing is put in order any more, and no entry stays that need not, so that the next start finds every
    /// conversation evicted.
    case last
  }

  /// The pause that is made use of; nil: much is going on.
  var presentPause: Pause? { isResting || pause == .last ? pause : nil }

  /// From now on less stays in memory, until nothing is left to be written.
  package func rest(_ pause: Pause) { (isResting, self.pause) = (pages != nil, pause) }

  /// A long pause has ended: what it has not put in order is left for the next one.
  package func interruptRest() { if pause == .long { pause = .betweenBursts } }

  /// The batch has been written, or could not be.
  package func pagesStored(_ isStored: Bool) {
    guard let pages else { return }
    if isStored { pages.isHeaderCurrent = true } else { isResting = false }
    evictionEnded(isStored)
    writtenMessageIDs.take()?.stored(isStored)
    for chunk in underWay {
      var isLeft = false
      if isStored {
        change(chunk.conversation.account, chunk.conversation) {
          isLeft = $0.move {
            $0.leave(chunk.entries, on: chunk.page, in: pages)
          }
        }
      }
      if !isLeft { pages.allocator.giveBack(chunk.page.number) }
    }
    underWay = []
    holding.removeAll { $0.evictable == 0 }
  }

  /// Makes room while the log is being read, where nothing else is going on.
  package func makeRoom() {
    guard let pages, held > pages.limits.entries || pages.wantsMessageIDs || wantsEviction, !hasNoRoom,
      let batch = takePages()
    else { return }
    do throws(StorageError) {
      try batch.perform(on: pages.storage)
      pagesStored(true)
    } catch {
      pagesStored(false)
      hasNoRoom = true
    }
  }

  /// A snapshot would let much of the disk be used again.
  package var wantsSnapshot: Bool { pages?.wantsCheckpoint ?? false }

  /// The pages can be relied on.
  private var isReliable: Bool { pages.map { !$0.isSuspect && $0.damage == nil } ?? true }

  /// The state as of now, to be written; must be answered by `snapshotStored`. Nil where the pages cannot be relied on.
  ///
  /// - Parameters:
  ///   - location: the place behind that record.
  ///   - durable: the accounts' records that are durable; nil: all.
  package func takeSnapshot(
    of log: LogUUID, upTo sequence: UInt64, _ location: LogLocation, accounts durable: [UInt32: AccountRecord]?
  ) -> Snapshot? {
    guard isReliable else { return nil }
    let checkpoint = Checkpoint(
      log: log, sequence: sequence, location: location, pieces: checkpointPieces(of: durable))
    // What a conversation's part of the last one said could not be read.
    guard isReliable else { return nil }
    sinceSnapshot = 0
    guard let pages, pages.allocator.isUsed else { return Snapshot(checkpoint: checkpoint, header: nil) }
    pages.allocator.checkpointBegins()
    return Snapshot(
      checkpoint: checkpoint,
      header: IndexFormat.header(of: pages.log, serving: (sequence, pages.durableCheckpoint)))
  }

  /// The snapshot of `sequence` has been stored, or could not be.
  package func snapshotStored(_ sequence: UInt64, _ outcome: Snapshot.Outcome) {
    guard let pages else { return }
    switch outcome {
    case .done:
      pages.durableCheckpoint = sequence
      pages.isHeaderCurrent = true
      pages.allocator.checkpointEnds(isDurable: true)
    case .failed(_, let pagesAreSuspect):
      pages.isSuspect = pages.isSuspect || pagesAreSuspect
      pages.allocator.checkpointEnds(isDurable: false)
    }
  }

  /// Takes chunks of the conversations that have had some in memory for longest.
  private func collect(sealingTails: Bool) {
    guard let pages else { return }
    for conversation in holding where conversation.evictable > 0 && underWay.count < Self.pagesOfBatch {
      var chunks: [[Entry]] = []
      change(conversation.account, conversation) {
        chunks = $0.move { $0.heldChunks(limit: Self.pagesOfBatch - underWay.count, sealsTail: sealingTails) }
      }
      for (entries, bytes) in chunks.flatMap({ fitting($0, conversation) }) {
        let page = IndexPage(number: pages.allocator.take(), checksum: CRC32C.checksum(bytes))
        underWay.append(StoredPage(conversation: conversation, entries: entries, page: page, bytes: bytes))
      }
    }
    // Who had the first turn has the last one next time.
    if let first = holding.first { holding = Array(holding.dropFirst()) + [first] }
  }

  /// A chunk and what its page says; of one that fits on no page, two chunks that do.
  private func fitting(_ entries: [Entry], _ conversation: Conversation) -> [([Entry], [UInt8])] {
    if let bytes = IndexFormat.page(entries) { return [(entries, bytes)] }
    change(conversation.account, conversation) { $0.move { $0.halve(entries) } }
    let half = entries.count / 2
    return fitting(Array(entries[..<half]), conversation) + fitting(Array(entries[half...]), conversation)
  }

  /// A chunk whose page is being written.
  struct StoredPage {
    let conversation: Conversation
    let entries: [Entry]
    let page: IndexPage
    var bytes: [UInt8]
  }
}
