package import MessageLog
package import Syscalls

/// Replaces the bytes of segments and removes derived files, for `confab log scrub` only. The daemon must not run, and
/// no `FileStorage` made before may be used afterwards.
package struct SegmentRewriter: ~Copyable {
  private let segments: OwnedFD
  private let files: OwnedFD

  private init(segments: consuming OwnedFD, files: consuming OwnedFD) {
    self.segments = segments
    self.files = files
  }

  /// The one of a data directory that is locked.
  package static func open(_ directory: borrowing DataDirectory) throws(Errno) -> SegmentRewriter {
    SegmentRewriter(
      segments: try DataDirectory.openLog(in: directory.directory.raw),
      files: try Files.openDirectory(".", in: directory.directory.raw))
  }

  /// Removes what writers left that were killed, and the room that is kept for a full disk: it is needed now, and the
  /// daemon keeps it again. Durable on return.
  package func removeLeftovers() throws(Errno) {
    for directory in [segments.raw, files.raw] {
      for name in try Files.names(in: directory) where name.hasSuffix(".tmp") || name == FileStorage.reserveName {
        try Files.remove(name, in: directory)
      }
      try Files.sync(directory)
    }
  }

  /// Removes what can be made again from the log: it speaks of what was in it. Durable on return.
  package func removeDerived(_ names: [String]) throws(Errno) {
    for name in names {
      do throws(Errno) {
        try Files.remove(name, in: files.raw)
      } catch { if !error.isMissing { throw error } }
    }
    try Files.sync(files.raw)
  }

  /// Replaces a segment's file at one stroke: after a crash there is the old or the new one. Durable on return.
  package func replace(_ segment: SegmentID, with bytes: [UInt8]) throws(Errno) {
    let temporary = segment.fileName + ".tmp"
    let file = try Files.open(temporary, in: segments.raw, .createOrOpen)
    try Files.truncate(file.raw, to: 0)
    try Files.writeSparsely(file.raw, bytes)
    try Files.sync(file.raw)
    try file.close()
    try Files.rename(temporary, to: segment.fileName, in: segments.raw)
    try Files.sync(segments.raw)
  }
}
