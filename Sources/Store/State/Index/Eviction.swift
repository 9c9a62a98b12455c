import Timelines
import MessageLog

/// Lets go of what need not be in memory when there is too much of it: entries, conversations that nobody has asked for
/// lately, and message ids. All of it goes to pages, and stays in memory until these are written. Nothing waits for
/// that, and where it fails it just stays.
package final class Eviction {
  let pages: IndexPages
  private let accounts: AccountTable
  private var entries: EntryEviction
  /// The conversations, and the message ids, whose pages are being written.
  private var leavingConversations: ConversationTable?
  private var leavingMessageIDs: MessageIDIndex?
  /// Less than the limit is to stay in memory.
  package private(set) var isResting = false
  /// The last pause that was said to be.
  private var pause = Pause.long
  /// Pages could not be written while the log was read.
  private var cannotWrite = false

  init(of accounts: AccountTable, to pages: IndexPages) {
    (self.accounts, self.pages, entries) = (accounts, pages, EntryEviction(pages))
  }

  /// When there is more in memory than has to stay there.
  package enum Pause {
    /// A burst is over, and others may come: what it left is written, and put in order later.
    case betweenBursts
    /// Nothing has come for a while.
    case long
    /// All is over: nothing is put in order any more, and no entry stays that need not, so that the next start finds
    /// every conversation evicted.
    case last
  }

  /// The pause that is made use of; nil: much is going on.
  private var presentPause: Pause? { isResting || pause == .last ? pause : nil }

  /// From now on less stays in memory, until nothing is left to be written.
  package func rest(_ pause: Pause) { (isResting, self.pause) = (true, pause) }

  /// A long pause has ended: what it has not put in order is left for the next one.
  package func interruptRest() { if pause == .long { pause = .betweenBursts } }

  /// Pages are being written.
  package var isStoring: Bool { !entries.leaving.isEmpty || leavingConversations != nil || leavingMessageIDs != nil }

  /// Much more is in memory than should be.
  package var isOverfull: Bool {
    pages.memory.entries > 2 * pages.limits.entries || pages.isOverfull
      || accounts.byNumber.values.contains { $0.messageIDs.isOverfull }
  }

  /// Pages that a checkpoint made now would not name.
  var freePages: PageAllocator.Free {
    var unnamed = entries.leaving.map(\.page.number)
    for account in accounts.byNumber.values {
      unnamed += account.messageIDs.unnamedPages + (account.conversations.evicted?.runs.unnamedPages ?? [])
    }
    return pages.allocator.free(with: unnamed)
  }

  // MARK: - Writing

  /// The next pages to be written, where too much is in memory; must be answered by `stored`.
  package func takePages() -> PageBatch? {
    guard !isStoring, pages.damage == nil else { return nil }
    var written = takeEntries()
    if written.isEmpty { written = takeConversations() }
    if written.isEmpty { written = takeMessageIDs() }
    guard !written.isEmpty else {
      isResting = false
      return nil
    }
    var parts = written.map { (IndexFormat.offset(ofPage: $0.page.number), $0.bytes) }
    if !pages.isHeaderCurrent {
      parts.insert((0, IndexFormat.header(of: pages.log, serving: (pages.durableCheckpoint, 0))), at: 0)
    }
    return PageBatch(parts: parts)
  }

  /// The batch has been written, or could not be.
  package func stored(_ isStored: Bool) {
    if isStored { pages.isHeaderCurrent = true } else { isResting = false }
    leavingConversations.take()?.evictionEnded(isStored)
    leavingMessageIDs.take()?.stored(isStored)
    entries.stored(isStored)
  }

  /// Evicts what is over the limits while the log is being read, and nothing else is going on.
  package func evictExcess() {
    guard pages.memory.entries > pages.limits.entries || pages.memory.wantsMessageIDs || wantsConversations,
      !cannotWrite, let batch = takePages()
    else { return }
    do throws(StorageError) {
      try batch.perform(on: pages.storage)
      stored(true)
    } catch {
      stored(false)
      cannotWrite = true
    }
  }

  private func takeEntries() -> [WrittenPage] {
    let most = isResting ? pages.limits.restingEntries : pages.limits.entries
    return pages.memory.entries > (pause == .last ? 0 : most) ? entries.take() : []
  }

  private func takeMessageIDs() -> [WrittenPage] {
    guard isResting || pages.memory.wantsMessageIDs else { return [] }
    for account in accounts.all {
      let written = account.messageIDs.takePages(in: presentPause)
      guard written.isEmpty else {
        leavingMessageIDs = account.messageIDs
        return written
      }
    }
    pages.memory.wantsMessageIDs = false
    return []
  }

  // MARK: - Conversations

  /// Bytes that conversations in memory may take, about, before some are evicted.
  private var conversationLimit: Int { pages.limits.conversations / (isResting ? 4 : 1) }

  /// More conversations are in memory than should be, or runs are to become one.
  private var wantsConversations: Bool { pages.memory.conversations > conversationLimit || merging != nil }

  /// The first account of which runs are to become one.
  private var merging: AccountState? {
    accounts.byNumber.values.filter { $0.conversations.evicted?.runs.isMergeDue(in: presentPause) ?? false }
      .min { $0.number < $1.number }
  }

  private func takeConversations() -> [WrittenPage] {
    for _ in 0..<2 where pages.memory.conversations > conversationLimit {
      guard let account = accounts.byNumber.values.max(by: { $0.isSmaller(than: $1) }) else { break }
      let written = account.conversations.evict(weighing: pages.memory.conversations - conversationLimit / 2)
      guard written.isEmpty else {
        leavingConversations = account.conversations
        return written
      }
    }
    while let account = merging, let step = account.conversations.evicted?.runs.takeStep(), pages.damage == nil {
      guard step.isEmpty else {
        leavingConversations = account.conversations
        return step
      }
    }
    return []
  }
}

extension AccountState {
  /// Has fewer conversations in memory.
  fileprivate func isSmaller(than other: AccountState) -> Bool {
    (conversations.loaded.count, number) < (other.conversations.loaded.count, other.number)
  }
}
