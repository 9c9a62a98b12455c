import Conversations
import MessageLog
import Records

// Conversations leave memory when there are too many: those that nobody has asked for lately go to pages, and stay in
// memory until these are written. Nothing waits for that, and where it fails they just stay.
extension State {
  /// An account's conversations of which pages are being written.
  enum Settling {
    /// Evicted conversations: a new run.
    case evict(AccountState, [RunHead], pages: [UInt32])
    /// Some of a run that others become.
    case merge(AccountState)
  }

  /// Bytes that conversations in memory may take, about, before some are evicted.
  private var loadedLimit: Int {
    guard let most = pages?.limits.conversations else { return .max }
    return isResting ? most / 4 : most
  }

  /// More is in memory than should be, or runs are to become one.
  var wantsEviction: Bool { (pages?.loadedWeight ?? 0) > loadedLimit || merging != nil }

  /// Pages that are in use and that no checkpoint may name.
  var unnamedPages: [UInt32] {
    var settled: [UInt32] = []
    if case .evict(_, _, let pages) = settling { settled = pages }
    let merged = accounts.values.flatMap { $0.conversations.evicted?.runs.unnamedPages ?? [] }
    let messageIDs = accounts.values.flatMap { $0.messageIDs.unnamedPages }
    return underWay.map(\.page.number) + settled + merged + messageIDs
  }

  /// The pages to be written next of conversations; empty where there are none.
  func takeEvicted() -> [WrittenPage] {
    guard let pages, settling == nil else { return [] }
    for _ in 0..<2 where pages.loadedWeight > loadedLimit {
      guard let account = accounts.values.max(by: { $0.isSmaller(than: $1) }),
        let evicted = account.conversations.evicted
      else { break }
      let records = account.conversations.chooseEvicted(weighing: pages.loadedWeight - loadedLimit / 2)
      var output = evicted.makeRun(records)
      let written = output.take()
      guard !written.isEmpty else { continue }
      settling = .evict(account, output.heads, pages: written.map(\.page.number))
      return written
    }
    while let account = merging, let runs = account.conversations.evicted?.runs {
      let step = runs.takeStep()
      settling = step.isEmpty ? nil : .merge(account)
      if !step.isEmpty { return step }
    }
    return []
  }

  /// The first account of which runs are to become one.
  private var merging: AccountState? {
    accounts.values.filter { $0.conversations.evicted?.runs.isMergeDue(in: presentPause) ?? false }
      .min { $0.number < $1.number }
  }

  /// What `takeEvicted` gave has been written, or could not be.
  func evictionEnded(_ isStored: Bool) {
    guard let pages, let settled = settling.take() else { return }
    switch settled {
    case .evict(let account, let heads, let written):
      account.conversations.evictionEnded(isStored)
      if isStored {
        account.conversations.evicted?.runs.append(heads)
      } else {
        for page in written { pages.allocator.giveBack(page) }
      }
    case .merge(let account): account.conversations.evicted?.runs.stepped(isStored)
    }
  }

  /// Takes a conversation into memory that stands as a checkpoint has it.
  func adopt(_ conversation: Conversation, into account: AccountState) {
    account.conversations.append(conversation)
    account.conversations.unread += conversation.unread
    held += conversation.evictable
    if conversation.evictable > 0 { holding.append(conversation) }
  }
}

extension AccountState {
  /// Has fewer conversations in memory.
  fileprivate func isSmaller(than other: AccountState) -> Bool {
    (conversations.loaded.count, number) < (other.conversations.loaded.count, other.number)
  }
}
