import Bytes

/// The key of an epoch, under which the secrets in the log are sealed.
package struct EpochKey: Equatable, Sendable {
  package static let size = 32

  /// From 1 on.
  package let epoch: UInt32
  package let bytes: [UInt8]

  package init(epoch: UInt32, bytes: [UInt8]) { (self.epoch, self.bytes) = (epoch, bytes) }
}

/// The file `keys` beside the log: two slots, each with the key of an epoch or none. A key is written into the slot that
/// is free, and the older one overwritten once no secret needs it, so that nobody can open what it sealed: not even with
/// a copy of the log (docs/decisions/0192-secrets-in-the-log.md).
///
/// A slot has a block of its own, so that a torn write damages no other: the epoch (4 bytes, little-endian), the key, and
/// a CRC-32C of both. A slot of zeros, or one whose CRC is wrong, is free.
package struct EpochKeyFile: Sendable {
  package static let name = "keys"
  private static let slotCount = 2
  private static let slotSize = 4096

  private let storage: any LogStorage
  /// By slot.
  package private(set) var keys: [EpochKey?]

  /// Reads the file.
  package init(in storage: any LogStorage) throws(StorageError) {
    self.storage = storage
    keys = try Self.read(from: storage)
  }

  /// Reads the file; without a key in it, it makes the first one, which is durable on return.
  ///
  /// - Parameter random: `EpochKey.size` random bytes.
  package init(in storage: any LogStorage, random: [UInt8]) throws(StorageError) {
    try self.init(in: storage)
    guard newest == nil else { return }
    let key = EpochKey(epoch: 1, bytes: random)
    // Once more: a fault that is over by then has no further effect.
    do throws(StorageError) { try store(key) } catch { try store(key) }
  }

  /// The keys of a log that is only read.
  package static func read(from storage: any LogStorage) throws(StorageError) -> [EpochKey?] {
    guard try storage.size(ofPages: name) != nil else { return [nil, nil] }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: slotCount * slotSize, alignment: 1)
    defer { unsafe buffer.deallocate() }
    unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
    _ = try unsafe storage.readPagesTwice(name, at: 0, into: buffer)
    let bytes = unsafe Array(buffer)
    return (0..<slotCount).map { decode(Array(bytes[$0 * slotSize..<($0 + 1) * slotSize])) }
  }

  /// The key that secrets are sealed by now.
  package var newest: EpochKey? { keys.compactMap { $0 }.max { $0.epoch < $1.epoch } }

  /// Writes a key into the slot that does not have the newest one; durable on return.
  package mutating func store(_ key: EpochKey) throws(StorageError) {
    let newest = newest
    let slot = keys.firstIndex { $0 != newest || $0 == nil } ?? 0
    try write(Self.encode(key), to: slot)
    keys[slot] = key
  }

  /// Destroys the keys of the epochs before this one; durable on return.
  package mutating func destroy(before epoch: UInt32) throws(StorageError) {
    for slot in keys.indices {
      guard let key = keys[slot], key.epoch < epoch else { continue }
      try write([UInt8](repeating: 0, count: Self.slotSize), to: slot)
      keys[slot] = nil
    }
  }

  private func write(_ bytes: [UInt8], to slot: Int) throws(StorageError) {
    try storage.writePages(Self.name, bytes, at: UInt64(slot * Self.slotSize))
    try storage.syncPages(Self.name)
  }

  private static func encode(_ key: EpochKey) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4)
    bytes.put(key.epoch, at: 0)
    bytes += key.bytes
    var checksum = [UInt8](repeating: 0, count: 4)
    checksum.put(CRC32C.checksum(bytes), at: 0)
    bytes += checksum
    return bytes + [UInt8](repeating: 0, count: slotSize - bytes.count)
  }

  private static func decode(_ bytes: [UInt8]) -> EpochKey? {
    let end = 4 + EpochKey.size
    let epoch = bytes.get(UInt32.self, at: 0)
    guard epoch > 0, CRC32C.checksum(Array(bytes[..<end])) == bytes.get(UInt32.self, at: end) else { return nil }
    return EpochKey(epoch: epoch, bytes: Array(bytes[4..<end]))
  }
}
