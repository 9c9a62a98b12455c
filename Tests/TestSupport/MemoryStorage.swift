package import MessageLog
import Synchronization

/// A `LogStorage` in memory that never fails by itself. Thread-safe. Tests may look at and change what it holds.
package final class MemoryStorage: LogStorage {
  package struct Content: Equatable, Sendable {
    package var segments: [SegmentID: [UInt8]] = [:]
    package var files: [String: [UInt8]] = [:]
    /// Every call that changes something, in order: `write 00000000000000000001.log 64+120`.
    package var calls: [String] = []
    /// Calls that read of segments, and what they read.
    package var reads = (calls: 0, bytes: 0)
    /// Thrown by the next call that changes something and begins so, and then forgotten.
    package var failure: (call: String, error: StorageError)?

    /// What the disk cannot read of segments.
    package var unreadable: [SegmentID: Range<UInt64>] = [:]

    /// The calls that read of segments and fail, by their numbers from 1.
    package var failingReads: Range<Int> = 0..<0

    /// Thrown by every read of a segment.
    package var readFailure: StorageError?

    /// Of a file's version that was asked for before, nothing can be read any more.
    package var losesVersions = false

    package init(segments: [SegmentID: [UInt8]] = [:], files: [String: [UInt8]] = [:]) {
      self.segments = segments
      self.files = files
    }

    package static func == (left: Content, right: Content) -> Bool {
      left.segments == right.segments && left.files == right.files
    }
  }

  private let content: Mutex<Content>

  package init(_ content: Content = Content()) { self.content = Mutex(content) }

  /// What it holds now.
  package var snapshot: Content { content.withLock { $0 } }

  /// Changes what it holds.
  package func change(_ body: (inout Content) -> Void) { content.withLock { body(&$0) } }

  /// Makes the next call that begins with `call` ("write", "sync", "create", …) fail once.
  package func failNext(_ call: String, _ error: StorageError = StorageError(.failed, "made to fail")) {
    content.withLock { $0.failure = (call, error) }
  }

  /// How many calls began with `call`.
  package func count(of call: String) -> Int {
    content.withLock { content in content.calls.count { $0.hasPrefix(call) } }
  }

  /// How often segments were read, and how many bytes.
  package var reads: (calls: Int, bytes: Int) { content.withLock { $0.reads } }

  package func segments() throws(StorageError) -> [SegmentFile] {
    content.withLock { $0.segments.map { SegmentFile(id: $0.key, size: UInt64($0.value.count)) } }
  }

  package func read(
    _ segment: SegmentID, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    let (bytes, unreadable, failure, fails) = content.withLock {
      $0.reads.calls += 1
      return (
        $0.segments[segment], $0.unreadable[segment], $0.readFailure, $0.failingReads.contains($0.reads.calls)
      )
    }
    if let failure { throw failure }
    if fails { throw StorageError(.unreadable, "read \(segment): Input/output error") }
    guard let bytes else { throw StorageError(.missing, "read \(segment)") }
    if unreadable?.overlaps(offset..<offset + UInt64(buffer.count)) == true {
      throw StorageError(.unreadable, "read \(segment): Input/output error")
    }
    guard offset < UInt64(bytes.count) else { return 0 }
    let count = min(buffer.count, bytes.count - Int(offset))
    content.withLock { $0.reads.bytes += count }
    unsafe buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count])
    return count
  }

  package func create(_ segment: SegmentID, preallocating size: UInt64) throws(StorageError) {
    try perform("create \(segment)") { $0.segments[segment] = [] }
  }

  package func write(_ bytes: [UInt8], to segment: SegmentID, at offset: UInt64) throws(StorageError) {
    try perform("write \(segment) \(offset)+\(bytes.count)") { content in
      content.segments[segment, default: []].put(bytes, at: Int(offset))
    }
  }

  package func sync(_ segment: SegmentID) throws(StorageError) { try perform("sync \(segment)") { _ in } }

  package func settle(_ segment: SegmentID, from offset: UInt64) throws(StorageError) {
    try perform("settle \(segment)") { _ in }
  }

  package func syncDirectory() throws(StorageError) { try perform("syncDirectory") { _ in } }

  package func truncate(_ segment: SegmentID, to size: UInt64) throws(StorageError) {
    try perform("truncate \(segment) \(size)") { content in
      let bytes = content.segments[segment] ?? []
      content.segments[segment] = Array(bytes.prefix(Int(size)))
    }
  }

  package func remove(_ segment: SegmentID) throws(StorageError) {
    try perform("remove \(segment)") { $0.segments[segment] = nil }
  }

  package func readFile(_ name: String, limit: Int) throws(StorageError) -> [UInt8]? {
    let bytes = content.withLock { $0.files[name] }
    if let bytes, bytes.count > limit { throw StorageError(.tooLarge, "read \(name)") }
    return bytes
  }

  package func version(ofFile name: String) throws(StorageError) -> (any FileVersion)? {
    try readFile(name, limit: .max).map { Version(bytes: $0, storage: self) }
  }

  private final class Version: FileVersion {
    private let bytes: [UInt8]
    private let storage: MemoryStorage

    init(bytes: [UInt8], storage: MemoryStorage) { (self.bytes, self.storage) = (bytes, storage) }

    func read(at offset: UInt64, count: Int) throws(StorageError) -> [UInt8] {
      if storage.snapshot.losesVersions { throw StorageError(.failed, "made to fail") }
      return Array(bytes[Int(offset)..<Int(offset) + count])
    }
  }

  package func replaceFile(_ name: String, with pieces: [[UInt8]]) throws(StorageError) {
    try perform("replace \(name)") { $0.files[name] = Array(pieces.joined()) }
  }

  package func size(ofPages name: String) throws(StorageError) -> UInt64? {
    content.withLock { ($0.files[name]?.count).map(UInt64.init) }
  }

  package func readPages(
    _ name: String, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    guard let bytes = content.withLock({ $0.files[name] }) else { throw StorageError(.missing, "read \(name)") }
    guard offset < UInt64(bytes.count) else { return 0 }
    let count = min(buffer.count, bytes.count - Int(offset))
    unsafe buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count])
    return count
  }

  package func writePages(_ name: String, _ bytes: [UInt8], at offset: UInt64) throws(StorageError) {
    try perform("write \(name) \(offset)+\(bytes.count)") { content in
      content.files[name, default: []].put(bytes, at: Int(offset))
    }
  }

  package func syncPages(_ name: String) throws(StorageError) { try perform("sync \(name)") { _ in } }

  private func perform(_ call: String, _ body: (inout Content) -> Void) throws(StorageError) {
    let failure = content.withLock { content -> StorageError? in
      content.calls.append(call)
      if let failure = content.failure, call.hasPrefix(failure.call) {
        content.failure = nil
        return failure.error
      }
      body(&content)
      return nil
    }
    if let failure { throw failure }
  }
}

extension [UInt8] {
  /// Puts `bytes` at `offset`; a gap before it becomes zeros.
  fileprivate mutating func put(_ bytes: [UInt8], at offset: Int) {
    if count < offset { self += [UInt8](repeating: 0, count: offset - count) }
    replaceSubrange(offset..<Swift.min(count, offset + bytes.count), with: bytes)
  }
}
