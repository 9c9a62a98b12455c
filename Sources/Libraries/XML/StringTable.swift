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
    var position = place(of: identity)
    while true {
      let slot = slots[position & (slots.count - 1)]
      if slot.identity == identity { return slot.name }
      if slot.identity == 0 { return nil }
      position += 1
    }
  }

  /// Makes a name known that is not.
  mutating func insert(_ identity: UInt, _ name: UInt32) {
    if count * 2 >= slots.count { grow() }
    slots[free(for: identity)] = Slot(identity: identity, name: name)
    count += 1
  }

  /// Returns the free slot for a new identity.
  private func free(for identity: UInt) -> Int {
    var position = place(of: identity)
    while slots[position & (slots.count - 1)].identity != 0 { position += 1 }
    return position & (slots.count - 1)
  }

  /// The first slot to look in for an identity, before it is reduced to the size of the table. Fibonacci hashing: the
  /// addresses differ in few bits, the product's upper half in all.
  @inline(__always)
  private func place(of identity: UInt) -> Int { Int(truncatingIfNeeded: (identity &* 0x9E37_79B9_7F4A_7C15) >> 32) }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.identity != 0 { slots[free(for: slot.identity)] = slot }
  }
}
