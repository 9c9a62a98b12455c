import CLinux
import Glibc

/// A person at a terminal.
package enum Terminal {
  /// Longest line, in bytes; longer than a terminal lets one be.
  private static let longestLine = 8192

  /// Asks for one line on standard error, and reads it from standard input; nil at the end of input, or where it was
  /// given up by Ctrl-C.
  ///
  /// - Parameter isHidden: what is typed is not shown.
  package static func ask(_ question: String, isHidden: Bool) -> [UInt8]? {
    var saved = termios()
    if isHidden {
      guard unsafe clinux_terminal_hide(StandardStreams.input, &saved) == 0 else { return nil }
    }
    defer {
      if isHidden {
        _ = unsafe clinux_terminal_restore(StandardStreams.input, &saved)
        try? Descriptors.writeAll(StandardStreams.error, [0x0A])
      }
    }
    // Hidden first: what is typed at the question is never shown.
    try? Descriptors.writeAll(StandardStreams.error, Array(question.utf8))
    return readLine()
  }

  private static func readLine() -> [UInt8]? {
    var line: [UInt8] = []
    while line.count < longestLine {
      guard let bytes = try? Descriptors.read(StandardStreams.input, atMost: longestLine), !bytes.isEmpty else {
        return nil
      }
      line += bytes
      if line.contains(3) { return nil }
      if let end = line.firstIndex(of: 0x0A) { return Array(line[..<end]) }
    }
    return nil
  }
}
