/// A change of the file of keys, made on the writer thread.
package enum EpochKeyOrder: Equatable, Sendable {
  /// Write a key into the free slot.
  case store(EpochKey)
  /// Overwrite the keys of the epochs before this one.
  case destroy(before: UInt32)

  package func perform(on storage: any LogStorage) throws(StorageError) {
    var file = try EpochKeyFile(in: storage)
    switch self {
    case .store(let key): try file.store(key)
    case .destroy(let epoch): try file.destroy(before: epoch)
    }
  }
}
