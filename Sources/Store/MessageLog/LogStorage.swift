/// A failure of the disk or the file system.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Causes that callers handle differently.
  package enum Cause: Equatable, Sendable {
    /// No space, or over quota: goes by when somebody makes room.
    case noSpace
    /// The file system cannot be written.
    case readOnly
    /// There is no such file.
    case missing
    /// Another directory is where the log was: it can only be taken up by a new start.
    case replaced
    /// The file is larger than the caller allows.
    case tooLarge
    /// Reads only: the disk does not return the bytes, or the name is not that of a file. Other parts may be readable.
    case unreadable
    /// Any other failure. The file's content is unknown from then on.
    case failed
  }

  package var cause: Cause
  /// Operation, object and reason, for people: `fdatasync 00000000000000000001.log: Input/output error`.
  package var description: String

  /// The system's error number, where it is one of the system's.
  package var errno: Int32?
  /// Writes only: true if not one byte was taken.
  package var leftNothing = false

  package init(_ cause: Cause, _ description: String, errno: Int32? = nil) {
    (self.cause, self.description, self.errno) = (cause, description, errno)
  }
}

/// A segment that there is.
package struct SegmentFile: Equatable, Sendable {
  package var id: SegmentID
  /// Bytes up to the end of the file, without preallocated ones behind it.
  package var size: UInt64
  /// Why nothing of it can be read.
  package var trouble: StorageError?

  package init(id: SegmentID, size: UInt64, trouble: StorageError? = nil) {
    (self.id, self.size, self.trouble) = (id, size, trouble)
  }
}

/// The disk under the log, handed in: real files in `LogFiles`, others in tests and simulations.
///
/// Synchronous; called by the writer's thread and by readers at the same time. Written bytes are durable only after
/// `sync` (a file's bytes and size) and `syncDirectory` (the file's name); until then a crash may keep any part of
/// them. After a failed call the state of its file is unknown.
package protocol LogStorage: AnyObject, Sendable {
  /// All segments, in any order.
  func segments() throws(StorageError) -> [SegmentFile]

  /// Reads into `buffer` from `offset` on; the count of bytes read is only smaller than the buffer at the end of the
  /// file.
  func read(
    _ segment: SegmentID, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int

  /// Makes a new, empty file for `segment`, in place of one that may be there, and keeps `size` bytes of the disk for
  /// it.
  func create(_ segment: SegmentID, preallocating size: UInt64) throws(StorageError)

  /// Keeps room for one more segment, which `create` takes where there is no other. Nothing happens where it is kept.
  func keepDiskReserve() throws(StorageError)

  /// The room that was kept is taken, and none has been kept since.
  var isDiskReserveTaken: Bool { get }

  /// Writes all of `bytes` at `offset`.
  func write(_ bytes: [UInt8], to segment: SegmentID, at offset: UInt64) throws(StorageError)

  /// Makes durable what has been written to `segment`.
  func sync(_ segment: SegmentID) throws(StorageError)

  /// Makes durable what any process has written to `segment`, then sees to it that what is read from `offset` on comes
  /// from the disk: after a failed write, memory may still hold bytes that never got there, marked as if they had.
  func settle(_ segment: SegmentID, from offset: UInt64) throws(StorageError)

  /// Records that the log is durable up to this record: a log that is put back later without this record is an older
  /// copy. Calls do not wait for the disk, and a failure is ignored.
  func noteDurable(_ sequence: UInt64)

  /// Makes durable which files there are.
  func syncDirectory() throws(StorageError)

  /// Cuts `segment` off at `size` bytes. Space kept for it may be given up.
  func truncate(_ segment: SegmentID, to size: UInt64) throws(StorageError)

  /// Removes the file of `segment`.
  func remove(_ segment: SegmentID) throws(StorageError)

  /// The content of the small file `name` beside the segments; nil if there is none. `tooLarge` over `limit` bytes.
  func readFile(_ name: String, limit: Int) throws(StorageError) -> [UInt8]?

  /// The small file `name` as it is now, to be read in parts at any time; nil if there is none.
  func version(ofFile name: String) throws(StorageError) -> (any FileVersion)?

  /// Replaces the small file `name` at one stroke, by all of `pieces` one after the other: after a crash there is the
  /// old or the new content. Durable on return.
  func replaceFile(_ name: String, with pieces: [[UInt8]]) throws(StorageError)

  /// The size of the file of pages `name` beside the segments; nil if there is none.
  func size(ofPages name: String) throws(StorageError) -> UInt64?

  /// Reads into `buffer` from `offset` of that file on; less than the buffer holds only at its end.
  func readPages(
    _ name: String, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int

  /// Writes all of `bytes` at `offset` of that file, which is made where there is none. Durable after `syncPages`, and
  /// the file's name after the next `replaceFile`.
  func writePages(_ name: String, _ bytes: [UInt8], at offset: UInt64) throws(StorageError)

  /// Makes durable what has been written to that file.
  func syncPages(_ name: String) throws(StorageError)
}

/// A small file as it was when somebody asked for it, whatever has taken its place since.
package protocol FileVersion: AnyObject, Sendable {
  /// `count` bytes from `offset` on; fewer at the end of the file.
  func read(at offset: UInt64, count: Int) throws(StorageError) -> [UInt8]
}

extension LogStorage {
  /// For storage without a reserve, such as that of tests.
  package func keepDiskReserve() throws(StorageError) {}
  package func noteDurable(_ sequence: UInt64) {}
  package var isDiskReserveTaken: Bool { false }

  /// In memory, where files are in memory anyway.
  package func version(ofFile name: String) throws(StorageError) -> (any FileVersion)? {
    try readFile(name, limit: .max).map(HeldVersion.init)
  }

  /// Reads once more if the disk fails: a fault that is over by then has no further effect.
  func readTwice(
    _ segment: SegmentID, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    do throws(StorageError) {
      return try unsafe read(segment, at: offset, into: buffer)
    } catch { guard error.cause == .unreadable else { throw error } }
    return try unsafe read(segment, at: offset, into: buffer)
  }

  /// Reads pages, once more if the disk fails.
  package func readPagesTwice(
    _ name: String, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    do throws(StorageError) {
      return try unsafe readPages(name, at: offset, into: buffer)
    } catch { guard error.cause != .missing else { throw error } }
    return try unsafe readPages(name, at: offset, into: buffer)
  }

  /// Replaces a small file that is in one piece.
  package func replaceFile(_ name: String, with bytes: [UInt8]) throws(StorageError) {
    try replaceFile(name, with: [bytes])
  }
}

private final class HeldVersion: FileVersion {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(at offset: UInt64, count: Int) -> [UInt8] {
    Array(bytes.dropFirst(Int(clamping: offset)).prefix(count))
  }
}
