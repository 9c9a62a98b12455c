import Bytes
import Conversations
package import MessageLog

// Entries leave memory when there are too many: the oldest of them all go to pages, and stay in memory until these are
// written. Nothing waits for that, and where it fails they just stay.
extension Facts {
  /// Pages of one batch: 1 MiB.
  private static let pagesOfBatch = 64

  /// Changes a conversation, and keeps count of what is in memory.
  func changing<R>(_ conversation: Conversation, _ body: () -> R) -> R {
    guard pages != nil else { return body() }
    let before = conversation.evictable
    let result = body()
    let after = conversation.evictable
    held = max(0, held + after - before)
    if before == 0, after > 0 { holding.append(conversation) }
    return result
  }

  /// The next pages to be written, where too much is in memory; must be answered by `pagesStored`.
  package func takePages() -> PageBatch? {
    guard let pages, underWay.isEmpty else { return nil }
    for mended in pages.takeMended() { takeBack(mended.account, mended.jid, mended.page) }
    guard held > (isResting ? pages.restLimit : pages.heldLimit) else {
      isResting = false
      return nil
    }
    collect(sealingTails: false)
    if underWay.isEmpty { collect(sealingTails: true) }
    guard !underWay.isEmpty else { return nil }
    var parts = underWay.map { (IndexFormat.offset(ofPage: $0.page.number), $0.bytes) }
    if !pages.isHeaderCurrent {
      parts.insert((0, IndexFormat.header(of: pages.log, serving: (pages.durableCheckpoint, 0))), at: 0)
    }
    // What is kept of them from here on is where they go.
    for index in underWay.indices { underWay[index].bytes = [] }
    return PageBatch(parts: parts)
  }

  /// Pages are being written.
  package var isStoring: Bool { !underWay.isEmpty }

  /// Much more is in memory than should be.
  package var isOverfull: Bool { pages.map { held > 2 * $0.heldLimit } ?? false }

  /// A burst is over: what it left in memory is more than has to stay there.
  package func rest() { isResting = pages != nil }

  /// The batch has been written, or could not be.
  package func pagesStored(_ isStored: Bool) {
    guard let pages else { return }
    if isStored { pages.isHeaderCurrent = true } else { isResting = false }
    for chunk in underWay {
      let isLeft =
        isStored
        && changing(chunk.conversation) {
          chunk.conversation.move {
            $0.leave(chunk.entries, on: chunk.page, in: $0.source ?? ConversationPages(pages, of: chunk.conversation))
          }
        }
      if !isLeft { pages.ledger.giveBack(chunk.page.number) }
    }
    underWay = []
    holding.removeAll { $0.evictable == 0 }
  }

  /// Makes room while the log is being read, where nothing else is going on.
  package func makeRoom() {
    guard let pages, held > pages.heldLimit, !hasNoRoom, let batch = takePages() else { return }
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

  /// The facts as of now, to be written; must be answered by `snapshotStored`. Nil where the pages cannot be relied on.
  ///
  /// - Parameters:
  ///   - location: the place behind that record.
  ///   - durable: the accounts whose record is durable; nil: all.
  package func takeSnapshot(
    of log: LogUUID, upTo sequence: UInt64, _ location: LogLocation, accounts durable: Set<UInt32>?
  ) -> Snapshot? {
    guard pages?.isSuspect != true else { return nil }
    let checkpoint = Checkpoint(
      log: log, sequence: sequence, location: location, pieces: checkpointPieces(of: durable))
    sinceSnapshot = 0
    guard let pages, pages.ledger.isUsed else { return Snapshot(checkpoint: checkpoint, header: nil) }
    pages.ledger.checkpointBegins()
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
      pages.ledger.checkpointEnds(isDurable: true)
    case .failed(_, let pagesAreSuspect):
      pages.isSuspect = pages.isSuspect || pagesAreSuspect
      pages.ledger.checkpointEnds(isDurable: false)
    }
  }

  /// Takes chunks of the conversations that have had some in memory for longest.
  private func collect(sealingTails: Bool) {
    guard let pages else { return }
    for conversation in holding where underWay.count < Self.pagesOfBatch {
      let chunks = changing(conversation) {
        conversation.move { $0.heldChunks(limit: Self.pagesOfBatch - underWay.count, sealsTail: sealingTails) }
      }
      for entries in chunks {
        let bytes = IndexFormat.page(entries)
        let page = IndexPage(number: pages.ledger.take(), checksum: CRC32C.checksum(bytes))
        underWay.append(StoredPage(conversation: conversation, entries: entries, page: page, bytes: bytes))
      }
    }
    // Who had the first turn has the last one next time.
    if let first = holding.first { holding = Array(holding.dropFirst()) + [first] }
  }

  private func takeBack(_ account: UInt32, _ jid: String, _ page: IndexPage) {
    guard let conversation = existingConversation(account, jid) else { return }
    changing(conversation) { conversation.move { $0.takeBack(page) } }
  }

  /// A chunk whose page is being written.
  struct StoredPage {
    let conversation: Conversation
    let entries: [Entry]
    let page: IndexPage
    var bytes: [UInt8]
  }
}
