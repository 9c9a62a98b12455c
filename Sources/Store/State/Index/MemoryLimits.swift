/// How much of what goes to pages may be in memory before some of it does.
package struct MemoryLimits: Sendable {
  /// Entries; those of short tails come on top.
  package let entries: Int
  /// Entries that stay while nothing much happens.
  package let restingEntries: Int
  /// Message ids of an account, 28 bytes each.
  package let messageIDs: Int
  /// Bytes that conversations take, about.
  package let conversations: Int

  /// 1 MiB of entries, and 4 MiB of conversations.
  package static let usual = MemoryLimits(
    entries: 32_768, restingEntries: 2_048, messageIDs: 32_768, conversations: 4 << 20)
}

extension MemoryLimits {
  /// Fewer, for tests.
  package init(entries: Int) {
    self.init(
      entries: entries, restingEntries: entries / 64, messageIDs: max(64, entries / 2), conversations: 32 * entries)
  }
}
