import Bytes
import Syscalls

/// The media type of a file by its content, by libmagic, which is asked through file(1) where that is installed: what the
/// library needs for it, and where it fails, is that program's.
enum FileType {
  /// Milliseconds; bytes of what it may say.
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
