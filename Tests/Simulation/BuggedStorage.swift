import MessageLog
import Synchronization

/// A storage with a mistake between the log and the disk.
final class BuggedStorage: LogStorage {
  private let storage: any LogStorage
  private let bug: Mistake

  init(_ storage: any LogStorage, _ bug: Mistake) { (self.storage, self.bug) = (storage, bug) }

  /// What a recovery gets to see.
  static func opening(_ storage: any LogStorage, _ bug: Mistake?) -> any LogStorage {
    switch bug {
    case .shortTail:
      cutLastRecord(of: storage)
      return storage
    default: return storage
    }
  }

  /// Cuts inside the last record that there is.
  private static func cutLastRecord(of storage: any LogStorage) {
    guard var recovery = try? Recovery(of: storage, log: nil, mode: .readOnly) else { return }
    var start: LogLocation?
    let recovered = try? recovery.run { start = $0.location }
    // Only where something torn stands behind it.
    guard let start, recovered?.report.torn != nil, let last = recovered?.index.segments.last,
      last.ordinal == start.ordinal
    else { return }
    try? storage.truncate(last.id, to: UInt64(start.offset))
    try? storage.sync(last.id)
  }

  func sync(_ segment: SegmentID) throws(StorageError) {
    switch bug {
    case .lyingSync: return
    case .retriedSync:
      do throws(StorageError) { try storage.sync(segment) } catch { try storage.sync(segment) }
    default: try storage.sync(segment)
    }
  }

  func syncDirectory() throws(StorageError) {
    if bug != .forgottenDirectory { try storage.syncDirectory() }
  }

  func truncate(_ segment: SegmentID, to size: UInt64) throws(StorageError) {
    try storage.truncate(segment, to: size)
  }

  // MARK: - The rest is passed on

  func segments() throws(StorageError) -> [SegmentFile] { try storage.segments() }

  func read(
    _ segment: SegmentID, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    try unsafe storage.read(segment, at: offset, into: buffer)
  }

  func create(_ segment: SegmentID, preallocating size: UInt64) throws(StorageError) {
    try storage.create(segment, preallocating: size)
  }

  func write(_ bytes: [UInt8], to segment: SegmentID, at offset: UInt64) throws(StorageError) {
    try storage.write(bytes, to: segment, at: offset)
  }

  func settle(_ segment: SegmentID, from offset: UInt64) throws(StorageError) {
    try storage.settle(segment, from: offset)
  }

  func remove(_ segment: SegmentID) throws(StorageError) { try storage.remove(segment) }

  func readFile(_ name: String, limit: Int) throws(StorageError) -> [UInt8]? {
    try storage.readFile(name, limit: limit)
  }

  func replaceFile(_ name: String, with pieces: [[UInt8]]) throws(StorageError) {
    try storage.replaceFile(name, with: pieces)
  }

  func size(ofPages name: String) throws(StorageError) -> UInt64? { try storage.size(ofPages: name) }

  func readPages(
    _ name: String, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    try unsafe storage.readPages(name, at: offset, into: buffer)
  }

  func writePages(_ name: String, _ bytes: [UInt8], at offset: UInt64) throws(StorageError) {
    try storage.writePages(name, bytes, at: offset)
  }

  func syncPages(_ name: String) throws(StorageError) { try storage.syncPages(name) }
}
