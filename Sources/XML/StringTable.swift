/// Which strings of libxml2's dictionary are known, keyed by their address: equal strings have equal addresses as long as
/// the parser lives. It outlives stanzas, and counts the strings of the present one.
///
/// Open addressing.
struct StringTable {
  private struct Slot {
    var identity: UInt = 0
    /// The stanza that had it last; 0: the slot is empty.
    var stanza: UInt64 = 0
    var index: Int32 = 0
  }

  private var slots = [Slot](repeating: Slot(), count: 64)
  private var stanza: UInt64 = 1
  private var filled = 0
  /// Distinct strings of the present stanza.
  private(set) var used = 0

  /// The strings stay known; the present stanza has had none of them.
  mutating func beginStanza() {
    stanza += 1
    used = 0
  }

  /// The index that this identity was inserted with; `fresh` where it is inserted now.
  mutating func find(_ identity: UInt, orInsert fresh: Int32) -> Int32 {
    if filled * 2 >= slots.count { grow() }
    let position = position(of: identity)
    if slots[position].stanza == stanza { return slots[position].index }
    used += 1
    if slots[position].stanza == 0 {
      filled += 1
      slots[position] = Slot(identity: identity, stanza: stanza, index: fresh)
    } else {
      slots[position].stanza = stanza
    }
    return slots[position].index
  }

  /// Where this identity is, or would be put.
  private func position(of identity: UInt) -> Int {
    let mask = slots.count - 1
    // Fibonacci hashing: the addresses differ in few bits, the product's upper half in all.
    var position = Int(truncatingIfNeeded: (identity &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while slots[position].stanza != 0, slots[position].identity != identity {
      position = (position + 1) & mask
    }
    return position
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.stanza != 0 { slots[position(of: slot.identity)] = slot }
  }
}
