/// The conversations of an account, in the order in which they began, found by their JIDs: some 20 bytes for each, since
/// strangers can begin as many as they like.
package struct ConversationTable {
  /// In the order in which they began.
  package private(set) var values: [Conversation] = []
  /// Open addressing with linear probing, by a hash that nobody outside can know: in each slot 0, or the place in
  /// `values` plus 1. Their number is a power of two, and at least a quarter of them is empty.
  private var slots: [UInt32] = []

  /// The conversation with a bare JID.
  package subscript(jid: String) -> Conversation? {
    guard !slots.isEmpty else { return nil }
    let place = slots[slot(of: jid)]
    return place == 0 ? nil : values[Int(place) - 1]
  }

  /// Adds one with somebody who has none yet.
  mutating func append(_ conversation: Conversation) {
    values.append(conversation)
    if values.count * 4 > slots.count * 3 { return grow() }
    slots[slot(of: conversation.jid)] = UInt32(values.count)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: max(8, slots.count * 2))
    for (place, conversation) in values.enumerated() { slots[slot(of: conversation.jid)] = UInt32(place + 1) }
  }

  /// The slot that holds a JID, or the empty one where it belongs.
  private func slot(of jid: String) -> Int {
    var slot = jid.hashValue & (slots.count - 1)
    while slots[slot] != 0, values[Int(slots[slot]) - 1].jid != jid { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }
}
