package import MessageLog

/// Pages to be written: made where the state are, performed on the writer's thread. Not synced: the checkpoint that
/// names them is not written before they are.
package struct PageBatch: Sendable {
  /// The parts to write, each with its offset in the file.
  let parts: [(offset: UInt64, bytes: [UInt8])]

  package func perform(on storage: any LogStorage) throws(StorageError) {
    for part in parts { try storage.writePages(IndexFormat.fileName, part.bytes, at: part.offset) }
  }
}
