import Glibc
import Syscalls

/// Lines from a descriptor, as they come; not for use by two threads at once.
package final class LineReader {
  /// Lent: the owner keeps it open.
  private let descriptor: CInt
  private var buffer: [UInt8] = []
  private var start = 0
  private(set) package var isAtEnd = false

  package init(borrowing descriptor: CInt) {
    self.descriptor = descriptor
  }

  /// The next line without its LF; what stands before the end of input counts as one. Nil at the end.
  package func next(until deadline: Deadline = .seconds(60)) throws -> [UInt8]? {
    var searched = start
    while true {
      if let end = lineEnd(from: searched) { return take(upTo: end, skipping: 1) }
      searched = buffer.count
      if isAtEnd { return start < buffer.count ? take(upTo: buffer.count, skipping: 0) : nil }
      guard Readiness.wait(forReading: [descriptor], until: deadline) == [true] else {
        throw TestFailure("no line came in time; so far: \(String(decoding: buffer[start...], as: UTF8.self))")
      }
      try readMore()
      searched -= compact()
    }
  }

  /// True if a whole line is here already.
  package var hasLine: Bool { lineEnd(from: start) != nil }

  /// The next LF. The C library looks for it: what a client does with an answer is part of what `confab-bench` measures.
  private func lineEnd(from place: Int) -> Int? {
    unsafe buffer.withUnsafeBytes { bytes in
      guard place < bytes.count, let start = bytes.baseAddress else { return nil }
      let found = unsafe memchr(start + place, CInt(UInt8(ascii: "\n")), bytes.count - place)
      return unsafe found.map { unsafe UnsafeRawPointer($0) - start }
    }
  }

  /// Takes in what is there now, without waiting for a line.
  func readMore() throws {
    do {
      guard let bytes = try Descriptors.read(descriptor, atMost: 65536) else { return }
      if bytes.isEmpty { isAtEnd = true } else { buffer += bytes }
    } catch let error where error.isDisconnected {
      isAtEnd = true
    }
  }

  private func take(upTo end: Int, skipping: Int) -> [UInt8] {
    defer { start = end + skipping }
    return Array(buffer[start..<end])
  }

  /// Drops what was taken, once it is the larger part; returns how many bytes that were.
  private func compact() -> Int {
    guard start > buffer.count / 2 else { return 0 }
    let dropped = start
    buffer.removeFirst(start)
    start = 0
    return dropped
  }
}
