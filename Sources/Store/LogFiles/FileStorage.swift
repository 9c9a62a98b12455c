package import MessageLog
import Synchronization
package import Syscalls

/// The log's storage in real files: the segments in one directory, the small files in another. Any thread; the calls
/// that change a segment come from one thread at a time.
///
/// Space is kept for a whole segment when it is made, and its size grows in steps of 1 MiB ahead of what is written: a
/// sync need not write the new size of the file each time (measured: 85 us against 127 us), and yet there is no more
/// than one step of zeros for recovery to look through.
package final class FileStorage: LogStorage {
  /// How far the size runs ahead of what is written.
  private static let step: UInt64 = 1 << 20

  let segmentDirectory: OwnedFD
  let fileDirectory: OwnedFD
  let isReadOnly: Bool
  /// The room kept for one more segment.
  let reserve = Mutex(DiskReserve.unknown)
  /// The path of the data directory, to check that it is still there; nil: unchecked.
  private let path: String?
  private let open = Mutex(OpenSegments())
  let openPages = Mutex<[String: OpenFile]>([:])
  /// The high-water mark; nil until `openMark`.
  let highWater = Mutex<HighWaterMark?>(nil)
  /// Has all pages, and nothing of it stays.
  let scratch: OpenFile?

  /// Takes over both directories, and a file for pages that nobody is to find again, where there is one.
  package init(
    segments: consuming OwnedFD, files: consuming OwnedFD, readOnly: Bool, path: String? = nil,
    scratch: consuming OwnedFD? = nil
  ) {
    self.path = path
    segmentDirectory = segments
    fileDirectory = files
    isReadOnly = readOnly
    if let file = scratch.take() { self.scratch = OpenFile(file, size: 0) } else { self.scratch = nil }
  }

  package func segments() throws(StorageError) -> [SegmentFile] {
    let names = try attempt("the log") { () throws(Errno) in try Files.names(in: segmentDirectory.raw) }
    var found: [SegmentFile] = []
    for id in names.compactMap(SegmentID.init(fileName:)) {
      found.append(try file(id))
    }
    return found
  }

  private func file(_ id: SegmentID) throws(StorageError) -> SegmentFile {
    do throws(StorageError) {
      let segment = try segment(id)
      return SegmentFile(
        id: id, size: try attempt(id.fileName) { () throws(Errno) in try Files.attributes(segment.fd.raw).size })
    } catch {
      guard error.cause == .unreadable else { throw error }
      return SegmentFile(id: id, size: 0, trouble: error)
    }
  }

  package func read(
    _ segment: SegmentID, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    let file = try self.segment(segment)
    do throws(Errno) {
      return try unsafe Files.read(file.fd.raw, at: offset, into: buffer)
    } catch {
      var failure = StorageError(error, segment.fileName)
      if error.isOfDisk { failure.cause = .unreadable }
      throw failure
    }
  }

  package func create(_ segment: SegmentID, preallocating size: UInt64) throws(StorageError) {
    try checkWritable()
    open.withLock { $0.remove(segment) }
    do throws(Errno) {
      try make(segment, size)
    } catch {
      if error.isMissing { try checkPlace() }
      throw StorageError(error, segment.fileName)
    }
  }

  private func make(_ segment: SegmentID, _ size: UInt64) throws(Errno) {
    let name = segment.fileName
    do throws(Errno) {
      try Files.remove(name, in: segmentDirectory.raw)
    } catch { if !error.isMissing { throw error } }
    do throws(Errno) {
      let fd = try Files.open(name, in: segmentDirectory.raw, .createNew)
      try Self.reserve(fd.raw, size)
      return try remember(fd, as: segment)
    } catch { guard error.isNoSpace, try takeDiskReserve(as: name) else { throw error } }
    try remember(try Files.open(name, in: segmentDirectory.raw, .readWrite), as: segment)
  }

  /// Fails if a directory is not where it was.
  private func checkPlace() throws(StorageError) {
    guard let path else { return }
    try check(path, isStill: fileDirectory.raw)
    try check(path + "/log", isStill: segmentDirectory.raw)
  }

  private func check(_ path: String, isStill own: CInt) throws(StorageError) {
    let own = try attempt(path) { () throws(Errno) in try Files.attributes(own) }
    switch Self.isPath(path, of: own) {
    case .yes, .unknown: break
    case .missing: throw StorageError(.missing, "\(path) was removed or moved away")
    case .no: throw StorageError(.replaced, "\(path) is another directory now")
    }
  }

  private enum PathCheck { case yes, no, missing, unknown }

  /// Compares `path` with an open file. A path that cannot be searched proves nothing: `.unknown`.
  private static func isPath(_ path: String, of own: Files.Attributes) -> PathCheck {
    do throws(Errno) {
      let there = try Files.attributes(path: path)
      return (there.inode, there.device) == (own.inode, own.device) ? .yes : .no
    } catch {
      return error.isMissing ? .missing : .unknown
    }
  }

  package func write(_ bytes: [UInt8], to segment: SegmentID, at offset: UInt64) throws(StorageError) {
    try checkWritable()
    let file = try self.segment(segment)
    let end = offset + UInt64(bytes.count)
    var taken = 0
    do throws(Errno) {
      if end > file.size.load(ordering: .relaxed) {
        let size = (end + Self.step - 1) / Self.step * Self.step
        let isExtended = try Files.extend(file.fd.raw, to: size)
        file.size.store(isExtended ? size : .max, ordering: .relaxed)
      }
      try Files.write(file.fd.raw, bytes, at: offset, taken: &taken)
    } catch {
      var failure = StorageError(error, segment.fileName)
      failure.leftNothing = taken == 0
      throw failure
    }
  }

  package func sync(_ segment: SegmentID) throws(StorageError) {
    let file = try self.segment(segment)
    try attempt(segment.fileName) { () throws(Errno) in try Files.syncData(file.fd.raw) }
    guard try !isFound(file) else { return }
    try checkPlace()
    // The bytes written to a removed file vanish when the process ends.
    throw StorageError(.missing, "\(segment.fileName) was removed")
  }

  /// True if the next daemon finds this file: the directory may have been moved, or replaced, since it was opened.
  private func isFound(_ file: OpenFile) throws(StorageError) -> Bool {
    switch file.place.map({ Self.isPath($0.path, of: $0.attributes) }) ?? .unknown {
    case .yes: true
    case .no, .missing: false
    case .unknown: try attempt("the log") { () throws(Errno) in try Files.attributes(file.fd.raw).links > 0 }
    }
  }

  package func settle(_ segment: SegmentID, from offset: UInt64) throws(StorageError) {
    let file = try self.segment(segment)
    try attempt(segment.fileName) { () throws(Errno) in
      try Files.syncData(file.fd.raw)
      try Files.forgetCached(file.fd.raw, from: offset)
    }
  }

  package func syncDirectory() throws(StorageError) {
    try attempt("the log") { () throws(Errno) in try Files.sync(segmentDirectory.raw) }
  }

  package func truncate(_ segment: SegmentID, to size: UInt64) throws(StorageError) {
    try checkWritable()
    let file = try self.segment(segment)
    try attempt(segment.fileName) { () throws(Errno) in try Files.truncate(file.fd.raw, to: size) }
    file.size.store(size, ordering: .relaxed)
  }

  package func remove(_ segment: SegmentID) throws(StorageError) {
    try checkWritable()
    open.withLock { $0.remove(segment) }
    try attempt(segment.fileName) { () throws(Errno) in
      try Files.remove(segment.fileName, in: segmentDirectory.raw)
    }
  }

  /// Keeps room for a segment, or less room if the disk has not so much.
  private static func reserve(_ fd: CInt, _ size: UInt64) throws(Errno) {
    do throws(Errno) {
      _ = try Files.reserve(fd, size)
    } catch {
      guard error.isNoSpace, size > step else { throw error }
      _ = try Files.reserve(fd, step)
    }
  }

  func checkWritable() throws(StorageError) {
    if isReadOnly { throw StorageError(.readOnly, "the log was opened for reading only") }
  }

  /// The open file of `segment`.
  private func segment(_ id: SegmentID) throws(StorageError) -> OpenFile {
    if let file = open.withLock({ $0[id] }) { return file }
    do throws(Errno) {
      let fd = try Files.open(id.fileName, in: segmentDirectory.raw, isReadOnly ? .read : .readWrite)
      let facts = try Files.attributes(fd.raw)
      if facts.kind == .regular { return remember(fd, facts, as: id) }
    } catch {
      guard error.isDirectory || error.isLink else { throw StorageError(error, id.fileName) }
    }
    throw StorageError(.unreadable, "open \(id.fileName): it is no file")
  }

  private func remember(_ fd: consuming OwnedFD, as id: SegmentID) throws(Errno) {
    let attributes = try Files.attributes(fd.raw)
    remember(fd, attributes, as: id)
  }

  /// Keeps the file of `id` open.
  @discardableResult
  private func remember(_ fd: consuming OwnedFD, _ attributes: Files.Attributes, as id: SegmentID) -> OpenFile {
    let file = OpenFile(fd, size: attributes.size, place: path.map { ("\($0)/log/\(id.fileName)", attributes) })
    open.withLock { $0.insert(file, as: id) }
    return file
  }

  func attempt<R>(_ object: @autoclosure () -> String, _ body: () throws(Errno) -> R) throws(StorageError) -> R {
    do throws(Errno) { return try body() } catch { throw StorageError(error, object()) }
  }
}

extension StorageError {
  /// The error of a failed call on `object`, with its cause.
  init(_ error: Errno, _ object: String) {
    let cause: Cause =
      if error.isNoSpace { .noSpace } else if error.isReadOnly { .readOnly } else if error.isMissing { .missing } else {
        .failed
      }
    self.init(
      cause, "\(error.operation) \(error.object.isEmpty ? object : error.object): \(error.text)",
      errno: error.code)
  }
}
