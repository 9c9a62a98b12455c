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
  /// Segments kept open for readers; a system has few descriptors to give.
  private static let openLimit = 32

  private struct Open {
    var segments: [SegmentID: OpenSegment] = [:]
    /// Least recently opened first.
    var order: [SegmentID] = []
  }

  let segmentDirectory: OwnedFD
  let fileDirectory: OwnedFD
  let isReadOnly: Bool
  /// The room kept for one more segment.
  let reserve = Mutex(Reserve.unknown)
  /// Where both are to be found; nil: nobody looks.
  private let path: String?
  private let open = Mutex(Open())
  private let openPages = Mutex<[String: OpenSegment]>([:])
  /// Has all pages, and nothing of it stays.
  private let scratch: OpenSegment?

  /// Takes over both directories, and a file for pages that nobody is to find again, where there is one.
  package init(
    segments: consuming OwnedFD, files: consuming OwnedFD, readOnly: Bool, path: String? = nil,
    scratch: consuming OwnedFD? = nil
  ) {
    self.path = path
    segmentDirectory = segments
    fileDirectory = files
    isReadOnly = readOnly
    if let file = scratch.take() { self.scratch = OpenSegment(file, size: 0) } else { self.scratch = nil }
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
        id: id, size: try attempt(id.fileName) { () throws(Errno) in try Files.facts(segment.fd.raw).size })
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
    try forget(segment)
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
      return remember(OpenSegment(fd, size: 0), as: segment)
    } catch { guard error.isNoSpace, try takeReserve(as: name) else { throw error } }
    remember(OpenSegment(try Files.open(name, in: segmentDirectory.raw, .readWrite), size: 0), as: segment)
  }

  /// The directory that is where one of ours was, if there is one.
  private var replacement: String? {
    guard let path else { return nil }
    return Self.isOther(path, than: fileDirectory.raw)
      ? path : Self.isOther(path + "/log", than: segmentDirectory.raw) ? path + "/log" : nil
  }

  private static func isOther(_ path: String, than own: CInt) -> Bool {
    guard let found = try? Files.openDirectory(path), let there = try? Files.facts(found.raw),
      let here = try? Files.facts(own)
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
      return try Files.facts(file.fd.raw).links
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
    try forget(segment)
    try attempt(segment.fileName) { () throws(Errno) in
      try Files.remove(segment.fileName, in: segmentDirectory.raw)
    }
  }

  package func readFile(_ name: String, limit: Int) throws(StorageError) -> [UInt8]? {
    do throws(Errno) {
      let fd = try Files.open(name, in: fileDirectory.raw, .read)
      if let bytes = try Files.readAll(fd.raw, limit: limit) { return bytes }
    } catch {
      if error.isMissing { return nil }
      throw StorageError(error, name)
    }
    throw StorageError(.tooLarge, "read \(name): more than \(limit) bytes")
  }

  package func replaceFile(_ name: String, with pieces: [[UInt8]]) throws(StorageError) {
    try checkWritable()
    let temporary = name + ".tmp"
    try attempt(temporary) { () throws(Errno) in
      let fd = try Files.open(temporary, in: fileDirectory.raw, .createOrOpen)
      try Files.truncate(fd.raw, to: 0)
      var offset: UInt64 = 0
      for piece in pieces {
        try Files.write(fd.raw, piece, at: offset)
        offset += UInt64(piece.count)
      }
      try Files.sync(fd.raw)
      try fd.close()
      try Files.rename(temporary, to: name, in: fileDirectory.raw)
      try Files.sync(fileDirectory.raw)
    }
  }

  package func size(ofPages name: String) throws(StorageError) -> UInt64? {
    do throws(StorageError) {
      let file = try pages(name)
      return try attempt(name) { () throws(Errno) in try Files.facts(file.fd.raw).size }
    } catch {
      guard error.cause == .missing else { throw error }
      return nil
    }
  }

  package func readPages(
    _ name: String, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    let file = try pages(name)
    do throws(Errno) {
      return try unsafe Files.read(file.fd.raw, at: offset, into: buffer)
    } catch {
      throw StorageError(error, name)
    }
  }

  package func writePages(_ name: String, _ bytes: [UInt8], at offset: UInt64) throws(StorageError) {
    if scratch == nil { try checkWritable() }
    let file = try pages(name, making: true)
    try attempt(name) { () throws(Errno) in try Files.write(file.fd.raw, bytes, at: offset) }
  }

  package func syncPages(_ name: String) throws(StorageError) {
    let file = try pages(name, making: true)
    try attempt(name) { () throws(Errno) in try Files.syncData(file.fd.raw) }
  }

  /// The open file of pages `name`.
  private func pages(_ name: String, making: Bool = false) throws(StorageError) -> OpenSegment {
    if let file = scratch ?? openPages.withLock({ $0[name] }) { return file }
    return try attempt(name) { () throws(Errno) in
      let access: Files.Access = isReadOnly ? .read : making ? .createOrOpen : .readWrite
      let file = OpenSegment(try Files.open(name, in: fileDirectory.raw, access), size: 0)
      openPages.withLock { $0[name] = file }
      return file
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
  private func segment(_ id: SegmentID) throws(StorageError) -> OpenSegment {
    if let file = open.withLock({ $0.segments[id] }) { return file }
    do throws(Errno) {
      let fd = try Files.open(id.fileName, in: segmentDirectory.raw, isReadOnly ? .read : .readWrite)
      let facts = try Files.facts(fd.raw)
      if facts.kind == .regular {
        let file = OpenSegment(fd, size: facts.size)
        remember(file, as: id)
        return file
      }
    } catch {
      guard error.isDirectory || error.isLink else { throw StorageError(error, id.fileName) }
    }
    throw StorageError(.unreadable, "open \(id.fileName): it is no file")
  }

  private func remember(_ file: OpenSegment, as id: SegmentID) {
    open.withLock { open in
      if open.segments.updateValue(file, forKey: id) == nil { open.order.append(id) }
      if open.order.count > Self.openLimit { open.segments[open.order.removeFirst()] = nil }
    }
  }

  private func forget(_ id: SegmentID) throws(StorageError) {
    open.withLock { open in
      open.segments[id] = nil
      open.order.removeAll { $0 == id }
    }
  }

  private func attempt<R>(_ object: String, _ body: () throws(Errno) -> R) throws(StorageError) -> R {
    do throws(Errno) { return try body() } catch { throw StorageError(error, object) }
  }
}

/// The file of a segment, open as long as somebody uses it.
private final class OpenSegment: Sendable {
  let fd: OwnedFD
  /// Its size; `.max` where the file system cannot extend files ahead. Used by the writer's thread.
  let size: Atomic<UInt64>

  init(_ fd: consuming OwnedFD, size: UInt64) {
    self.fd = fd
    self.size = Atomic(size)
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
