import Glibc

/// Runs a command to its end, found by PATH, its output thrown away.
///
/// - Returns: its exit status; 128 and the signal's number where one killed it.
@discardableResult
package func runCommand(_ words: String..., input: String = "/dev/null") throws -> Int {
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
  unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
  unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
  defer { for unsafe argument in unsafe arguments { unsafe free(argument) } }
  var pid = pid_t()
  let result = unsafe posix_spawnp(&pid, words[0], &actions, nil, &arguments, environ)
  guard result == 0 else { throw POSIXFailure(code: result, what: words[0]) }
  var status: CInt = 0
  while unsafe waitpid(pid, &status, 0) < 0 {
    guard errno == EINTR else { throw POSIXFailure(code: errno, what: "waitpid") }
  }
  let signal = Int(status & 0x7f)
  return signal == 0 ? Int(status >> 8 & 0xff) : 128 + signal
}
