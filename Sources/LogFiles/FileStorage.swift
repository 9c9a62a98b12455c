package import MessageLog
import Synchronization
package import Syscalls

/// The log's storage in real files: the segments in one directory, the small files in another. Any thread; the calls that
/// change a segment come from one thread at a time.
///
/// Space is kept for a whole segment when it is made, and its size grows in steps of 1 MiB ahead of what is written: a sync
/// need not write the new size of the file each time (measured: 85 us against 127 us), and yet there is no more than one
/// step of zeros for recovery to look through.
package final class FileStorage: LogStorage {
  /// How far the size runs ahead of what is written.
  private static let step: UInt64 = 1 << 20

  let segmentDirectory: OwnedFD
  let fileDirectory: OwnedFD
  let isReadOnly: Bool
  /// The room kept for one more segment.
  let reserve = Mutex(DiskReserve.unknown)
  /// Where both are to be found; nil: nobody looks.
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
      if error.isMissing, let path = replacement { throw StorageError(.replaced, "\(path) is another directory now") }
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
      return remember(OpenFile(fd, size: 0), as: segment)
    } catch { guard error.isNoSpace, try takeDiskReserve(as: name) else { throw error } }
    remember(OpenFile(try Files.open(name, in: segmentDirectory.raw, .readWrite), size: 0), as: segment)
  }

  /// The directory that is where one of ours was, if there is one.
  private var replacement: String? {
    guard let path else { return nil }
    return Self.isOther(path, than: fileDirectory.raw)
      ? path : Self.isOther(path + "/log", than: segmentDirectory.raw) ? path + "/log" : nil
  }

  private static func isOther(_ path: String, than own: CInt) -> Bool {
    guard let found = try? Files.openDirectory(path), let there = try? Files.attributes(found.raw),
      let here = try? Files.attributes(own)
    else { return false }
    return (there.inode, there.device) != (here.inode, here.device)
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
    let links = try attempt(segment.fileName) { () throws(Errno) in
      try Files.syncData(file.fd.raw)
      return try Files.attributes(file.fd.raw).links
    }
    // What was written to it goes with the process.
    if links == 0 { throw StorageError(.missing, "\(segment.fileName) was removed") }
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

  /// Keeps room for a segment. Where there is not so much, a smaller start will do.
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
      if facts.kind == .regular {
        let file = OpenFile(fd, size: facts.size)
        remember(file, as: id)
        return file
      }
    } catch {
      guard error.isDirectory || error.isLink else { throw StorageError(error, id.fileName) }
    }
    throw StorageError(.unreadable, "open \(id.fileName): it is no file")
  }

  private func remember(_ file: OpenFile, as id: SegmentID) { open.withLock { $0.insert(file, as: id) } }

  func attempt<R>(_ object: String, _ body: () throws(Errno) -> R) throws(StorageError) -> R {
    do throws(Errno) { return try body() } catch { throw StorageError(error, object) }
  }
}

extension StorageError {
  /// What a failed call on `object` means.
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
