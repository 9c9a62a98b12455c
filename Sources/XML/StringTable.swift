/// Which strings of libxml2's dictionary the present stanza has had, keyed by their address: equal strings have equal
/// addresses as long as the parser lives.
///
/// Open addressing. Entries of earlier stanzas count as empty by their stamp, so that forgetting them costs nothing.
struct StringTable {
  private struct Slot {
    var identity: UInt = 0
    var stamp: UInt32 = 0
    var index: Int32 = 0
  }

  private var slots = [Slot](repeating: Slot(), count: 64)
  private var stamp: UInt32 = 1
  private var used = 0

  /// Empties the table.
  mutating func forget() {
    used = 0
    let (next, overflow) = stamp.addingReportingOverflow(1)
    if overflow || slots.count > 4096 {
      slots = [Slot](repeating: Slot(), count: 64)
      stamp = 1
    } else {
      stamp = next
    }
  }

  /// The index that this identity was inserted with; `fresh` where it is inserted now.
  mutating func find(_ identity: UInt, orInsert fresh: Int32) -> Int32 {
    if used * 2 >= slots.count { grow() }
    let position = position(of: identity)
    if slots[position].stamp == stamp { return slots[position].index }
    slots[position] = Slot(identity: identity, stamp: stamp, index: fresh)
    used += 1
    return fresh
  }

  /// Where this identity is, or would be put.
  private func position(of identity: UInt) -> Int {
    let mask = slots.count - 1
    // Fibonacci hashing: the addresses differ in few bits, the product's upper half in all.
    var position = Int(truncatingIfNeeded: (identity &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while slots[position].stamp == stamp, slots[position].identity != identity {
      position = (position + 1) & mask
    }
    return position
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.stamp == stamp { slots[position(of: slot.identity)] = slot }
  }
}
