/// The numbers of the strings of libxml2's dictionary in the list of names, keyed by their address: equal strings have equal
/// addresses as long as the parser lives. It outlives stanzas. Open addressing.
struct StringTable {
  private struct Slot {
    /// 0: the slot is empty.
    var identity: UInt = 0
    var name: UInt32 = 0
  }

  private var slots = [Slot](repeating: Slot(), count: 64)
  /// Strings that are known.
  private(set) var count = 0

  /// The name of this identity, which is not 0; nil: it is not known.
  @inline(__always)
  func find(_ identity: UInt) -> UInt32? {
    let slot = slots[position(of: identity)]
    return slot.identity == identity ? slot.name : nil
  }

  /// Makes a name known that is not.
  mutating func insert(_ identity: UInt, _ name: UInt32) {
    if count * 2 >= slots.count { grow() }
    slots[position(of: identity)] = Slot(identity: identity, name: name)
    count += 1
  }

  /// Where this identity is, or would be put.
  @inline(__always)
  private func position(of identity: UInt) -> Int {
    let mask = slots.count - 1
    // Fibonacci hashing: the addresses differ in few bits, the product's upper half in all.
    var position = Int(truncatingIfNeeded: (identity &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    // Nearly always it is there.
    while slots[position].identity != identity, slots[position].identity != 0 { position = (position + 1) & mask }
    return position
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.identity != 0 { slots[position(of: slot.identity)] = slot }
  }
}
