import Bytes
import Clocks

/// The conversations of an account, found by their JIDs: those in memory, and those that were evicted to pages, since
/// strangers can begin as many as they like.
package final class ConversationTable {
  /// The conversations in memory, the most recently used ones last.
  private(set) var loaded: [Conversation] = []
  /// The conversations in memory, by JID.
  private var byJID: [String: Conversation] = [:]
  /// A cache of the last look-ups, by a hash that anybody can make collide: most traffic is for few conversations, and
  /// a look-up here takes some 650 instructions less than in the dictionary, 2 % of a message. Each conversation has
  /// two slots next to each other.
  private var cache: [Conversation?] = []
  private static let cacheSize = 1024
  /// All others; nil: there is nowhere to put them.
  let evicted: EvictedConversations?
  /// How many conversations were loaded since the last pass of `dropStored`.
  private var loadedCount = 0
  /// How many conversations all passes of `dropStored` have visited.
  private(set) var dropVisits = 0
  /// The number of contacts' messages after the read positions of all conversations.
  package internal(set) var unread = 0

  private let account: UInt32
  /// Cuts the sections of those that begin.
  private var gap: Interval

  init(of account: UInt32, gap: Interval, _ pages: IndexPages?) {
    (self.account, self.gap) = (account, gap)
    evicted = pages.map { EvictedConversations(in: $0, gap: gap) }
  }

  /// The conversation with a bare JID.
  package subscript(jid: String) -> Conversation? {
    if let known = known(jid) { return known }
    guard let evicted, !evicted.isEmpty else { return nil }
    guard let conversation = evicted.conversation(with: jid) else { return nil }
    conversation.evictionState = .stored
    loadedCount += 1
    // A pass over all loaded conversations must be worth its cost: if few can be dropped, the next load finds no more
    // room.
    if evicted.pages.isOverfull, 4 * loadedCount > loaded.count { dropStored() }
    append(conversation)
    return conversation
  }

  /// The conversation with a bare JID, made where there is none yet.
  func conversation(with jid: String) -> Conversation {
    if let known = self[jid] { return known }
    let made = Conversation(account: account, jid: jid, gap: gap)
    append(made)
    return made
  }

  /// All of them, in no order that means anything; what is done to evicted ones changes nothing.
  package var values: [Conversation] {
    var values = loaded
    evicted?.forEach { if byJID[$0.jid] == nil { values.append($0) } }
    return values
  }

  /// The bare JIDs of all of them, in no order that means anything.
  package var jids: [String] {
    var jids = loaded.map(\.jid)
    evicted?.forEach { if byJID[$0.jid] == nil { jids.append($0.jid) } }
    return jids
  }

  /// Offers the list every conversation that may belong to it; changes to evicted ones are lost.
  package func fill(_ list: inout NewestConversations) {
    for conversation in loaded { list.insert(conversation) }
    evicted?.visitNewest(isEnough: { list.isBeyond($0) }, isWanted: { list.mayWant($0) }) {
      if byJID[$0.jid] == nil { list.insert($0) }
    }
  }

  /// The results of `make` for each conversation with unread messages, in no particular order; changes to evicted
  /// conversations are lost.
  package func mapUnread<Made>(_ make: (Conversation) -> Made?) -> [Made] {
    guard unread > 0 else { return [] }
    var made = loaded.compactMap { $0.unread > 0 ? make($0) : nil }
    evicted?.forEach { if $0.unread > 0, byJID[$0.jid] == nil, let one = make($0) { made.append(one) } }
    return made
  }

  /// Adds one with somebody who has none yet.
  func append(_ conversation: Conversation) {
    loaded.append(conversation)
    byJID[conversation.jid] = conversation
    evicted?.pages.memory.weigh(conversation)
  }

  func changeGap(_ gap: Interval) {
    self.gap = gap
    evicted?.gap = gap
    for conversation in loaded { conversation.changeGap(gap) }
  }

  /// Takes a conversation into memory that stands as a checkpoint has it.
  func adopt(_ conversation: Conversation) {
    append(conversation)
    unread += conversation.unread
    evicted?.pages.memory.changed(conversation, evictable: 0)
  }

  /// Takes what a checkpoint says of evicted conversations; false where it cannot be.
  func restore(_ runs: [Run], unread: Int) -> Bool {
    evicted?.runs.restore(runs)
    self.unread += unread
    return evicted != nil
  }

  /// Changes a conversation, and keeps count of what nobody has read and of what is in memory.
  func change<R>(_ conversation: Conversation, _ body: () -> R) -> R {
    assert(conversation.evictionState != .evicted, "another object is this conversation")
    let (before, unread) = (conversation.evictable, conversation.unread)
    let result = body()
    self.unread += conversation.unread - unread
    evicted?.pages.memory.changed(conversation, evictable: before)
    return result
  }

  /// Changes the conversation with a bare JID, if there is one.
  func change(_ jid: String, _ body: (Conversation) -> Void) {
    if let conversation = self[jid] { change(conversation) { body(conversation) } }
  }

  private func known(_ jid: String) -> Conversation? {
    guard !loaded.isEmpty else { return nil }
    if cache.isEmpty { cache = Array(repeating: nil, count: Self.cacheSize) }
    let bytes = jid.utf8.span
    // The bits that the last bytes change: the nicks of a room's private conversations differ there alone.
    let slot = Int(bytes.cacheHash >> 14)
    if let last = cached(slot, bytes) ?? cached(slot ^ 1, bytes) { return want(last) }
    guard let known = byJID[jid] else { return nil }
    (cache[slot], cache[slot ^ 1]) = (known, cache[slot])
    return want(known)
  }

  private func cached(_ slot: Int, _ jid: Span<UInt8>) -> Conversation? {
    cache[slot].flatMap { $0.isWith(jid) ? $0 : nil }
  }

  private func want(_ conversation: Conversation) -> Conversation {
    conversation.isWanted = true
    return conversation
  }
}

// Eviction.
extension ConversationTable {
  /// Chooses conversations that were not used lately, enough to free about `wanted` bytes. Those already on a page
  /// leave memory at once.
  ///
  /// - Returns: the pages to be written; must be answered by `evictionEnded`.
  func evict(weighing wanted: Int) -> [WrittenPage] {
    guard let evicted else { return [] }
    var records: [EvictedRecord] = []
    var left = wanted
    var (later, spared, chosen): ([Conversation], [Conversation], [Conversation]) = ([], [], [])
    for conversation in loaded {
      guard left > 0 else {
        later.append(conversation)
        continue
      }
      guard conversation.evictable == 0, !conversation.takeWanted() else {
        spared.append(conversation)
        continue
      }
      left -= conversation.weight
      if conversation.evictionState != .stored {
        let record = EvictedRecord(conversation, key: EvictedRecord.key(of: conversation.jid, in: evicted.pages.log))
        guard record.size <= EvictedRecord.longest else {
          spared.append(conversation)
          continue
        }
        records.append(record)
        conversation.evictionState = .leaving
        chosen.append(conversation)
      } else {
        drop(conversation)
      }
    }
    loaded = later + spared + chosen
    return evicted.runs.write(records.sorted { $0.precedes($1) })
  }

  /// Notes that runs were written, or could not be. Conversations that changed since stay in memory.
  func evictionEnded(_ isStored: Bool) {
    evicted?.runs.stored(isStored)
    for conversation in loaded where conversation.evictionState == .leaving {
      if isStored { drop(conversation) } else { conversation.evictionState = .changed }
    }
    loaded.removeAll { $0.evictionState == .evicted }
  }

  /// Drops conversations from memory that a page already holds unchanged.
  private func dropStored() {
    (loadedCount, dropVisits) = (0, dropVisits + loaded.count)
    for conversation in loaded where conversation.evictionState == .stored && !conversation.takeWanted() {
      drop(conversation)
    }
    loaded.removeAll { $0.evictionState == .evicted }
  }

  private func drop(_ conversation: Conversation) {
    evicted?.pages.memory.left(conversation)
    byJID[conversation.jid] = nil
    cache = []
    conversation.evictionState = .evicted
  }
}
