import Bytes
import Syscalls

/// Finds the media type of a file by its content. It asks file(1), so that libmagic's memory and crashes stay in that
/// process.
enum FileType {
  /// Time in milliseconds, output in bytes.
  private static let limits = ShellCommand.Limits(time: 5000, output: 1024)
  /// Bytes of the file that are looked at.
  private static let beginning = 64 << 10

  /// Waits for the answer.
  ///
  /// - Returns: nil if the program is not installed, or does not know.
  static func of(path: String) -> String? {
    let command = "exec file --brief --mime-type -P bytes=\(beginning) -- " + ShellCommand.quoted(path)
    guard let finished = try? ShellCommand(command, limits: limits).run(), finished.termination == .exited(0) else {
      return nil
    }
    let line = finished.output.prefix { $0 != 0x0A }
    return MediaType.cleaned(String(decoding: line, as: UTF8.self))
  }
}
