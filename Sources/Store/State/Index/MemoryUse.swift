/// Memory of all accounts that could go to pages.
package struct MemoryUse {
  /// How many entries could leave memory.
  package private(set) var entries = 0
  /// The conversations that have them.
  private(set) var holders: [Conversation] = []
  /// How many bytes conversations take, about.
  private(set) var conversations = 0
  /// There are more message ids in memory than should be, or more runs.
  var wantsMessageIDs = false
  /// Head pages of message ids that are in memory.
  var heads = 0

  /// A conversation was changed, of which so many entries could leave memory before.
  mutating func changed(_ conversation: Conversation, evictable before: Int) {
    let after = conversation.evictable
    if after != before { entries = max(0, entries + after - before) }
    if before == 0, after > 0 { holders.append(conversation) }
    conversation.evictionState = .changed
    weigh(conversation)
  }

  /// A conversation is in memory, and takes as much of it as it does now.
  mutating func weigh(_ conversation: Conversation) {
    let weight = conversation.weight
    conversations += weight - conversation.weighed
    conversation.weighed = weight
  }

  /// A conversation has left memory.
  mutating func left(_ conversation: Conversation) { conversations -= conversation.weighed }

  /// The conversation that had the first turn has the last one next time.
  mutating func rotateHolders() {
    if let first = holders.first { holders = Array(holders.dropFirst()) + [first] }
  }

  mutating func dropFormerHolders() { holders.removeAll { $0.evictable == 0 } }
}
