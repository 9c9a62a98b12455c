package import MessageLog
import Synchronization

/// A `LogStorage` that keeps what a disk would: writes are durable only after a sync, names only after the directory's.
///
/// It can fail at any call, and then gives an image of what a crash at that moment may leave: of what was not synced, each
/// sector of 512 bytes is there, missing, zero or garbled, and each name is the old or the new one, as a seed decides.
/// After a failed sync, what it should have made durable is still read back but no longer written by a later sync, as Linux
/// does it. Thread-safe.
package final class CrashingStorage: LogStorage {
  /// What becomes of a sector that was not synced.
  package enum Fate: CaseIterable, Sendable { case kept, dropped, garbled, mixed }

  fileprivate struct File {
    /// What every crash leaves.
    var durable: [UInt8] = []
    /// What is read now.
    var current: [UInt8] = []
    /// What was done since the last sync.
    var pending: [Change] = []
    /// What failed syncs left undone: a crash may drop it even after later syncs.
    var given: [Change] = []
  }

  fileprivate enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(Int)
  }

  private struct State {
    var files: [Int: File] = [:]
    var names: [SegmentID: Int] = [:]
    var durableNames: [SegmentID: Int] = [:]
    var small: [String: [UInt8]] = [:]
    /// Files of pages.
    var pages: [String: File] = [:]
    var pendingSmall: (name: String, bytes: [UInt8])?
    var calls: [String] = []
    var failAt: Int?
    var failsForEver = true
    var cause = StorageError.Cause.failed
    /// The reads that fail, by what is read.
    var readFaults: [ReadTarget: ReadFault] = [:]
  }

  /// What is read.
  package enum ReadTarget: CaseIterable, Sendable { case segments, pages, files }

  private struct ReadFault {
    /// So many reads do not fail yet.
    var skipped: Int
    /// So many fail then, one after the other.
    var count: Int
  }

  private let state: Mutex<State>

  package init(_ content: MemoryStorage.Content = MemoryStorage.Content()) {
    var state = State()
    for (number, (id, bytes)) in content.segments.enumerated() {
      state.files[number] = File(durable: bytes, current: bytes)
      state.names[id] = number
    }
    state.durableNames = state.names
    for (name, bytes) in content.files {
      if ["index", EpochKeyFile.name].contains(name) {
        state.pages[name] = File(durable: bytes, current: bytes)
      } else {
        state.small[name] = bytes
      }
    }
    self.state = Mutex(state)
  }

  /// The changing calls so far.
  package var calls: [String] { state.withLock { $0.calls } }

  /// Makes changing call number `call` (from 1, counted from the beginning) fail after it has been begun; with `forEver`,
  /// all after it too: the machine has stopped. Nil: nothing fails any more.
  package func fail(at call: Int?, forEver: Bool = true, cause: StorageError.Cause = .failed) {
    state.withLock { state in
      state.failAt = call
      state.failsForEver = forEver
      state.cause = cause
    }
  }

  /// Makes `count` reads fail, one after the other, behind the next `skipped` ones; none with 0.
  package func failReads(of target: ReadTarget, skipping skipped: Int = 0, count: Int) {
    state.withLock { $0.readFaults[target] = count == 0 ? nil : ReadFault(skipped: skipped, count: count) }
  }

  /// How many reads are still to fail.
  package func failingReads(of target: ReadTarget) -> Int { state.withLock { $0.readFaults[target]?.count ?? 0 } }

  private func failRead(of target: ReadTarget, _ call: @autoclosure () -> String) throws(StorageError) {
    let fails = state.withLock { state in
      guard var fault = state.readFaults[target] else { return false }
      if fault.skipped > 0 {
        fault.skipped -= 1
        state.readFaults[target] = fault
        return false
      }
      fault.count -= 1
      state.readFaults[target] = fault.count == 0 ? nil : fault
      return true
    }
    if fails { throw StorageError(.unreadable, "read \(call()): Input/output error") }
  }

  /// What a process finds that starts after this one was killed: everything that was written.
  package var killImage: MemoryStorage.Content {
    state.withLock { state in
      var content = MemoryStorage.Content()
      for (id, number) in state.names { content.segments[id] = state.files[number]?.current ?? [] }
      content.files = state.small
      for (name, file) in state.pages { content.files[name] = file.current }
      return content
    }
  }

  /// What a machine finds that starts after it stopped.
  package func crashImage(seed: UInt64, fate: Fate = .mixed) -> MemoryStorage.Content {
    state.withLock { state in
      var random = SplitMix(seed: seed)
      var content = MemoryStorage.Content()
      for id in Set(state.names.keys).union(state.durableNames.keys).sorted() {
        let isNew = fate == .kept || (fate == .mixed && Bool.random(using: &random))
        guard let number = isNew ? state.names[id] : state.durableNames[id], let file = state.files[number] else {
          continue
        }
        content.segments[id] = file.afterCrash(fate, &random)
      }
      content.files = state.small
      if let (name, bytes) = state.pendingSmall, Bool.random(using: &random) { content.files[name] = bytes }
      for (name, file) in state.pages { content.files[name] = file.afterCrash(fate, &random) }
      return content
    }
  }

  package func segments() throws(StorageError) -> [SegmentFile] {
    state.withLock { state in
      state.names.map { SegmentFile(id: $0.key, size: UInt64(state.files[$0.value]?.current.count ?? 0)) }
    }
  }

  package func read(
    _ segment: SegmentID, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    try failRead(of: .segments, "\(segment)")
    let bytes = state.withLock { state in state.names[segment].flatMap { state.files[$0]?.current } }
    guard let bytes else { throw StorageError(.missing, "read \(segment)") }
    guard offset < UInt64(bytes.count) else { return 0 }
    let count = min(buffer.count, bytes.count - Int(offset))
    unsafe buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count])
    return count
  }

  package func create(_ segment: SegmentID, preallocating size: UInt64) throws(StorageError) {
    try perform("create \(segment)") { state, _ in
      let number = state.files.count
      state.files[number] = File()
      state.names[segment] = number
    }
  }

  package func write(_ bytes: [UInt8], to segment: SegmentID, at offset: UInt64) throws(StorageError) {
    try change("write \(segment) \(offset)+\(bytes.count)", segment, .write(offset: Int(offset), bytes: bytes))
  }

  package func truncate(_ segment: SegmentID, to size: UInt64) throws(StorageError) {
    try change("truncate \(segment) \(size)", segment, .truncate(Int(size)))
  }

  package func sync(_ segment: SegmentID) throws(StorageError) {
    try perform("sync \(segment)") { state, fails in
      guard let number = state.names[segment] else { return }
      state.files[number]?.sync(fails: fails)
    }
  }

  package func settle(_ segment: SegmentID, from offset: UInt64) throws(StorageError) {
    try perform("settle \(segment)") { state, fails in
      guard let number = state.names[segment] else { return }
      state.files[number]?.sync(fails: fails)
      if !fails { state.files[number]?.forgetGiven() }
    }
  }

  package func syncDirectory() throws(StorageError) {
    try perform("syncDirectory") { state, fails in if !fails { state.durableNames = state.names } }
  }

  package func remove(_ segment: SegmentID) throws(StorageError) {
    try perform("remove \(segment)") { state, _ in state.names[segment] = nil }
  }

  package func readFile(_ name: String, limit: Int) throws(StorageError) -> [UInt8]? {
    try failRead(of: .files, name)
    let bytes = state.withLock { $0.small[name] }
    if let bytes, bytes.count > limit { throw StorageError(.tooLarge, "read \(name)") }
    return bytes
  }

  package func size(ofPages name: String) throws(StorageError) -> UInt64? {
    state.withLock { ($0.pages[name]?.current.count).map(UInt64.init) }
  }

  package func readPages(
    _ name: String, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    try failRead(of: .pages, name)
    guard let bytes = state.withLock({ $0.pages[name]?.current }) else { throw StorageError(.missing, "read \(name)") }
    guard offset < UInt64(bytes.count) else { return 0 }
    let count = min(buffer.count, bytes.count - Int(offset))
    unsafe buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count])
    return count
  }

  package func writePages(_ name: String, _ bytes: [UInt8], at offset: UInt64) throws(StorageError) {
    try perform("write \(name) \(offset)+\(bytes.count)") { state, _ in
      let change = Change.write(offset: Int(offset), bytes: bytes)
      state.pages[name, default: File()].pending.append(change)
      state.pages[name]?.current.apply(change)
    }
  }

  package func syncPages(_ name: String) throws(StorageError) {
    try perform("sync \(name)") { state, fails in state.pages[name]?.sync(fails: fails) }
  }

  package func replaceFile(_ name: String, with pieces: [[UInt8]]) throws(StorageError) {
    let bytes = Array(pieces.joined())
    try perform("replace \(name)") { state, fails in
      if fails { state.pendingSmall = (name, bytes) } else { state.small[name] = bytes }
    }
  }

  private func change(_ call: String, _ segment: SegmentID, _ change: Change) throws(StorageError) {
    try perform(call) { state, _ in
      guard let number = state.names[segment] else { return }
      state.files[number]?.pending.append(change)
      state.files[number]?.current.apply(change)
    }
  }

  /// Does `body`, whose second argument says that the call will fail.
  private func perform(_ call: String, _ body: (inout State, Bool) -> Void) throws(StorageError) {
    let cause = state.withLock { state -> StorageError.Cause? in
      if let failAt = state.failAt, state.failsForEver, state.calls.count >= failAt { return state.cause }
      state.calls.append(call)
      let fails = state.calls.count == state.failAt
      body(&state, fails)
      return fails ? state.cause : nil
    }
    if let cause { throw StorageError(cause, call) }
  }
}

extension CrashingStorage.Change {
  /// What is left of it where the file was cut; nil: nothing.
  fileprivate func cut(at size: Int) -> CrashingStorage.Change? {
    guard case .write(let offset, let bytes) = self else { return self }
    return offset < size ? .write(offset: offset, bytes: Array(bytes.prefix(size - offset))) : nil
  }
}

extension CrashingStorage.File {
  mutating func sync(fails: Bool) {
    if fails {
      given += pending
    } else {
      for change in pending {
        durable.apply(change)
        if case .truncate(let size) = change { given = given.compactMap { $0.cut(at: size) } }
      }
    }
    pending = []
  }

  /// Reads from the disk again.
  mutating func forgetGiven() {
    current = durable
    given = []
  }

  /// What a crash may leave of the file.
  func afterCrash(_ fate: CrashingStorage.Fate, _ random: inout SplitMix) -> [UInt8] {
    var bytes = durable
    for change in given + pending {
      switch change {
      case .truncate(let size): if fate == .kept || Bool.random(using: &random) { bytes.apply(.truncate(size)) }
      case .write(let offset, let written): bytes.tear(offset, written, fate, &random)
      }
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func apply(_ change: CrashingStorage.Change) {
    switch change {
    case .truncate(let size): self = Array(prefix(size)) + [UInt8](repeating: 0, count: Swift.max(0, size - count))
    case .write(let offset, let bytes):
      if count < offset + bytes.count { self += [UInt8](repeating: 0, count: offset + bytes.count - count) }
      replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
  }

  /// Applies a write sector by sector, each with a fate of its own.
  fileprivate mutating func tear(
    _ offset: Int, _ bytes: [UInt8], _ fate: CrashingStorage.Fate, _ random: inout SplitMix
  ) {
    var start = 0
    while start < bytes.count {
      let end = Swift.min(bytes.count, ((offset + start) / 512 + 1) * 512 - offset)
      let sector = Array(bytes[start..<end])
      switch fate == .mixed ? CrashingStorage.Fate.allCases.dropLast().randomElement(using: &random) : fate {
      case .garbled?:
        apply(.write(offset: offset + start, bytes: sector.map { _ in UInt8.random(in: 0...255, using: &random) }))
      case .kept?: apply(.write(offset: offset + start, bytes: sector))
      default: if Bool.random(using: &random) { extend(to: offset + end) }
      }
      start = end
    }
  }

  /// The size has been written, the bytes have not.
  private mutating func extend(to size: Int) {
    if count < size { self += [UInt8](repeating: 0, count: size - count) }
  }
}

/// Steele, Lea and Flood's SplitMix64: small, and the same everywhere for the same seed.
package struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
