import CLinux
import Glibc

extension ShellCommand.Confined {
  /// Starts a command line. Its input is a memfd_create(2) file, so a command that does not read it blocks no writer.
  func spawn(_ text: String, _ output: CInt, _ errorOutput: CInt) throws(Errno) -> pid_t {
    let file = try Files.inMemory(input)
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe variables.forEach { unsafe free($0) } }
    var started: pid_t = 0
    try systemCall("vfork", object: "/bin/sh") {
      unsafe text.withCString { text in
        unsafe directory.withCString { directory in
          unsafe variables.withUnsafeMutableBufferPointer { variables in
            var shell = unsafe clinux_bounded_shell(
              command: text, environment: variables.baseAddress, directory: directory, input: file.raw, output: output,
              error: errorOutput, memory: memory)
            return unsafe clinux_spawn_bounded_shell(&shell, &started)
          }
        }
      }
    }
    return started
  }
}
