import MessageLog
import Synchronization
import Syscalls

/// Segments kept open for readers; a system has few descriptors to give.
struct OpenSegments {
  private static let limit = 32

  private var files: [SegmentID: OpenFile] = [:]
  /// Least recently opened first.
  private var order: [SegmentID] = []

  subscript(_ id: SegmentID) -> OpenFile? { files[id] }

  mutating func insert(_ file: OpenFile, as id: SegmentID) {
    if files.updateValue(file, forKey: id) == nil { order.append(id) }
    if order.count > Self.limit { files[order.removeFirst()] = nil }
  }

  mutating func remove(_ id: SegmentID) {
    files[id] = nil
    order.removeAll { $0 == id }
  }
}

/// A file of the log, open as long as somebody uses it.
final class OpenFile: Sendable {
  let fd: OwnedFD
  /// The size of a segment's file; `.max` if the file system cannot extend files ahead. Used by the writer's thread.
  let size: Atomic<UInt64>
  /// The path by which the next daemon finds it, and its attributes when it was opened, of which inode and device stay;
  /// nil: unchecked.
  let place: (path: String, attributes: Files.Attributes)?

  /// Its name is not durable yet.
  let isNew: Atomic<Bool>

  init(
    _ fd: consuming OwnedFD, size: UInt64, isNew: Bool = false,
    place: (path: String, attributes: Files.Attributes)? = nil
  ) {
    self.fd = fd
    self.size = Atomic(size)
    self.isNew = Atomic(isNew)
    self.place = place
  }
}
