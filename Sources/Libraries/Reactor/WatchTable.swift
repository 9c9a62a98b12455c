import Syscalls

/// Names one watched descriptor of a loop; never used twice, so a stale one is harmless.
package struct Watch: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32

  /// The value that epoll carries for it.
  var tag: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

  init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  init(tag: UInt64) {
    self.init(slot: UInt32(truncatingIfNeeded: tag), generation: UInt32(truncatingIfNeeded: tag >> 32))
  }
}

/// The watched descriptors with their handlers, in slots that are used again under a new generation.
struct WatchTable {
  struct Entry {
    let fd: CInt
    var interest: Epoll.Readiness
    let handler: (Epoll.Readiness) -> Void
  }

  private var entries: [Entry?] = []
  private var generations: [UInt32] = []
  private var free: [UInt32] = []

  /// How many descriptors are watched.
  var count: Int { entries.count - free.count }

  mutating func insert(_ entry: Entry) -> Watch {
    if let slot = free.popLast() {
      entries[Int(slot)] = entry
      return Watch(slot: slot, generation: generations[Int(slot)])
    }
    entries.append(entry)
    generations.append(1)
    return Watch(slot: UInt32(entries.count - 1), generation: 1)
  }

  /// The entry, unless it was removed.
  subscript(watch: Watch) -> Entry? {
    get {
      guard watch.slot < entries.count, generations[Int(watch.slot)] == watch.generation else { return nil }
      return entries[Int(watch.slot)]
    }
    set {
      guard watch.slot < entries.count, generations[Int(watch.slot)] == watch.generation else { return }
      entries[Int(watch.slot)] = newValue
    }
  }

  /// Removes the entry; later reports of the kernel for it are ignored.
  mutating func remove(_ watch: Watch) -> Entry? {
    guard let entry = self[watch] else { return nil }
    entries[Int(watch.slot)] = nil
    generations[Int(watch.slot)] &+= 1
    free.append(watch.slot)
    return entry
  }
}
