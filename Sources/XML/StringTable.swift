/// Where the strings of libxml2's dictionary stand among the names of tapes, keyed by their address: equal strings have
/// equal addresses as long as the parser lives. It outlives stanzas, and counts the strings of the present one.
///
/// Open addressing.
struct StringTable {
  private struct Slot {
    /// 0: the slot is empty.
    var identity: UInt = 0
    /// The stanza that had it last.
    var stanza: UInt64 = 0
    var name = Tape.Name.none
  }

  private var slots = [Slot](repeating: Slot(), count: 64)
  private var stanza: UInt64 = 1
  /// Strings that are known.
  private(set) var count = 0
  /// Distinct strings of the present stanza.
  private(set) var used = 0

  /// The strings stay known; the present stanza has had none of them.
  mutating func beginStanza() {
    stanza += 1
    used = 0
  }

  /// The name of this identity, which is not 0; nil: it is not known.
  mutating func find(_ identity: UInt) -> Tape.Name? {
    let position = position(of: identity)
    let slot = slots[position]
    guard slot.identity == identity else { return nil }
    if slot.stanza != stanza {
      slots[position].stanza = stanza
      used += 1
    }
    return slot.name
  }

  /// Makes a name known that is not.
  mutating func insert(_ identity: UInt, _ name: Tape.Name) {
    if count * 2 >= slots.count { grow() }
    slots[position(of: identity)] = Slot(identity: identity, stanza: stanza, name: name)
    count += 1
    used += 1
  }

  /// Where this identity is, or would be put.
  private func position(of identity: UInt) -> Int {
    let mask = slots.count - 1
    // Fibonacci hashing: the addresses differ in few bits, the product's upper half in all.
    var position = Int(truncatingIfNeeded: (identity &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while slots[position].identity != 0, slots[position].identity != identity {
      position = (position + 1) & mask
    }
    return position
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.identity != 0 { slots[position(of: slot.identity)] = slot }
  }
}
