package import MessageLog
import Synchronization
import Syscalls

/// The small files beside the log, its high-water mark, and the pages of derived files.
extension FileStorage {
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
      // A file of which a write or sync failed is not written again.
      do throws(Errno) {
        try Files.remove(temporary, in: fileDirectory.raw)
      } catch { if !error.isMissing { throw error } }
      let fd = try Files.open(temporary, in: fileDirectory.raw, .createNew)
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

  package func version(ofFile name: String) throws(StorageError) -> (any FileVersion)? {
    do throws(Errno) {
      return OpenVersion(try Files.open(name, in: fileDirectory.raw, .read), name)
    } catch {
      if error.isMissing { return nil }
      throw StorageError(error, name)
    }
  }

  // MARK: - The high-water mark

  package func noteDurable(_ sequence: UInt64) {
    highWater.withLock { mark in
      mark?.raise(to: sequence, in: fileDirectory.raw, at: SystemClock.monotonicMilliseconds)
    }
  }

  /// The number of the log's last record when this directory's own log was written to; nil before `openMark`.
  var markedNumber: UInt64? { highWater.withLock { $0?.number } }

  /// Finds the directory's mark, or makes the first one.
  func openMark() throws(Errno) -> Files.Attributes {
    let (mark, file) = try HighWaterMark.open(in: fileDirectory.raw)
    highWater.withLock { $0 = mark }
    return file
  }

  /// The file `instance` without a number beside a mark that has one; nil if there is none.
  var plainMark: Files.Attributes? {
    guard markedNumber ?? 0 > 0, let file = try? Files.open(HighWaterMark.prefix, in: fileDirectory.raw, .read) else {
      return nil
    }
    return try? Files.attributes(file.raw)
  }

  /// Removes it. Nothing relies on that.
  func removePlainMark() { try? Files.remove(HighWaterMark.prefix, in: fileDirectory.raw) }

  /// Replaces all marks by a new one.
  func replaceMark(number: UInt64) throws(Errno) -> Files.Attributes {
    let mark = HighWaterMark(number: number)
    let file = try mark.replaceAll(in: fileDirectory.raw)
    highWater.withLock { $0 = mark }
    return file
  }

  // MARK: - Pages

  package func size(ofPages name: String) throws(StorageError) -> UInt64? {
    do throws(StorageError) {
      let file = try pages(name)
      return try attempt(name) { () throws(Errno) in try Files.attributes(file.fd.raw).size }
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
    try attempt(name) { () throws(Errno) in
      try Files.syncData(file.fd.raw)
      // The name of a file that was made just now.
      if file.isNew.exchange(false, ordering: .relaxed) { try Files.sync(fileDirectory.raw) }
    }
  }

  /// The open file of pages `name`.
  private func pages(_ name: String, making: Bool = false) throws(StorageError) -> OpenFile {
    if let file = scratch ?? openPages.withLock({ $0[name] }) { return file }
    return try attempt(name) { () throws(Errno) in
      let access: Files.Access = isReadOnly ? .read : making ? .createOrOpen : .readWrite
      let opened = try Files.open(name, in: fileDirectory.raw, access)
      let size = try Files.attributes(opened.raw).size
      let file = OpenFile(opened, size: 0, isNew: making && size == 0)
      openPages.withLock { $0[name] = file }
      return file
    }
  }
}
