/// A range of one segment in memory: reads ahead in chunks, and is only ever as large as the largest frame needs.
///
/// Owned by one reader, on one thread. Nothing at or behind `end` is ever read, so that what is not durable yet is not
/// kept.
@safe final class SegmentWindow {
  private let storage: any LogStorage
  private let chunk: Int
  private let passesOver: (SegmentID) -> Bool
  private var buffer: UnsafeMutableRawBufferPointer
  private var segment: SegmentID?
  private var start: UInt64 = 0
  private var count = 0
  /// The sectors that the disk could not read, by their numbers.
  private var unreadable: [SegmentID: Set<UInt64>] = [:]

  /// A window that reads `chunk` bytes at a time.
  ///
  /// - Parameter passesOver: whether there are to be zeros in the place of what the disk cannot read of a segment; else
  ///   that is an error.
  init(storage: any LogStorage, chunk: Int, passesOver: @escaping (SegmentID) -> Bool = { _ in false }) {
    (self.storage, self.chunk, self.passesOver) = (storage, chunk, passesOver)
    unsafe buffer = .allocate(byteCount: chunk, alignment: 16)
  }

  deinit { unsafe buffer.deallocate() }

  /// The bytes of `segment` from `offset` on that are in memory: at least `wanted` of them, unless `end` or the end of
  /// the file comes before. The result is valid until the next call.
  ///
  /// - Parameter ahead: so many bytes are worth reading at once where some must be read; nil: as many as there is room
  ///   for.
  func bytes(
    of segment: SegmentID, at offset: UInt64, wanted: Int, end: UInt64, ahead: Int? = nil
  ) throws(StorageError) -> UnsafeRawBufferPointer {
    let wanted = min(wanted, end > offset ? Int(clamping: end - offset) : 0)
    if self.segment != segment || offset < start || offset - start > UInt64(count) {
      self.segment = segment
      (start, count) = (offset, 0)
    }
    if count - Int(offset - start) < wanted {
      try fill(segment, from: offset, wanted: wanted, end: end, ahead: max(wanted, ahead ?? .max))
    }
    let skipped = Int(offset - start)
    let visible = min(count, Int(clamping: end > start ? end - start : 0))
    return unsafe UnsafeRawBufferPointer(rebasing: buffer[min(skipped, visible)..<visible])
  }

  /// Forgets what has been read.
  func forget() { segment = nil }

  /// Another window of the same log.
  func another() -> SegmentWindow { SegmentWindow(storage: storage, chunk: chunk, passesOver: passesOver) }

  /// Moves the window to `offset`, keeping what it has from there on, and reads until it is full or holds `ahead`
  /// bytes, for which there need not be room beyond the `wanted` ones.
  private func fill(
    _ segment: SegmentID, from offset: UInt64, wanted: Int, end: UInt64, ahead: Int
  ) throws(StorageError) {
    let kept = count - Int(offset - start)
    let size = max(wanted, chunk)
    if unsafe buffer.count < size || (buffer.count > chunk && size == chunk) {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
      unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[count - kept..<count]))
      unsafe buffer.deallocate()
      unsafe buffer = larger
    } else if kept > 0 {
      unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[count - kept..<count]))
    }
    (start, count) = (offset, kept)
    let space = min(unsafe buffer.count, Int(clamping: end - offset), ahead) - kept
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[kept..<kept + space])
    do throws(StorageError) {
      count += try unsafe read(segment, at: offset + UInt64(kept), into: target)
    } catch {
      self.segment = nil
      throw error
    }
  }

  private func read(
    _ segment: SegmentID, at offset: UInt64, into target: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    do throws(StorageError) {
      return try unsafe storage.readTwice(segment, at: offset, into: target)
    } catch {
      guard error.cause == .unreadable, passesOver(segment) else { throw error }
    }
    var done = 0
    while done < target.count {
      let place = offset + UInt64(done)
      let size = min(target.count - done, Int(Self.sector - place % Self.sector))
      let count = try unsafe readSector(segment, at: place, into: .init(rebasing: target[done..<done + size]))
      done += count
      if count < size { break }
    }
    return done
  }

  /// Reads what is left of a sector, or zeros in the place of that.
  private func readSector(
    _ segment: SegmentID, at offset: UInt64, into target: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    do throws(StorageError) {
      return try unsafe storage.readTwice(segment, at: offset, into: target)
    } catch {
      guard error.cause == .unreadable else { throw error }
      unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
      unreadable[segment, default: []].insert(offset / Self.sector)
      return target.count
    }
  }

  /// The smallest unit that a disk reads, in bytes.
  static let sector: UInt64 = 4096

  /// The segments of which something could not be read.
  var unreadableSegments: Set<SegmentID> { Set(unreadable.keys) }

  /// True if a sector between `offset` and `end` could not be read.
  func isUnreadable(_ segment: SegmentID, from offset: UInt64, to end: UInt64 = .max) -> Bool {
    unreadableSectors(of: segment, from: offset, to: end) > 0
  }

  /// How many sectors could not be read from `offset` up to `end`.
  func unreadableSectors(of segment: SegmentID, from offset: UInt64, to end: UInt64) -> Int {
    unreadable[segment]?.count { ($0 + 1) * Self.sector > offset && $0 * Self.sector < end } ?? 0
  }
}
