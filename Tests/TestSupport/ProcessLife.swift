import Glibc
import Synchronization
import Syscalls

/// The thread that starts a process, waits for its end and reaps it.
///
/// The kernel kills the process when the thread that forked it ends (PR_SET_PDEATHSIG), so that thread must be one that
/// outlives it: not one of a pool.
final class ProcessLife: Sendable {
  private let state = Mutex<ExitStatus?>(nil)

  var status: ExitStatus? { state.withLock { $0 } }

  /// Runs `body` unless the process has been reaped: until then its number is nobody else's.
  func whileRunning(_ body: () -> Void) {
    state.withLock { if $0 == nil { body() } }
  }

  /// Starts the process; the descriptor, now the caller's, is at its end once the process has been reaped.
  func start(_ command: SpawnCommand) throws -> (processID: pid_t, ended: CInt) {
    let (startedReader, startedWriter) = try Pipes.make()
    let (endedReader, endedWriter) = try Pipes.make()
    defer { close(startedReader) }
    try Self.detach { [self] in
      var outcome = command.spawn()
      let size = MemoryLayout.size(ofValue: outcome)
      _ = unsafe withUnsafeBytes(of: &outcome) { unsafe write(startedWriter, $0.baseAddress, size) }
      close(startedWriter)
      if outcome.code == 0 { reap(outcome.processID) }
      close(endedWriter)
    }
    var outcome = SpawnCommand.Outcome(processID: 0, code: EIO)
    let size = MemoryLayout.size(ofValue: outcome)
    _ = unsafe withUnsafeMutableBytes(of: &outcome) { unsafe read(startedReader, $0.baseAddress, size) }
    guard outcome.code == 0 else {
      close(endedReader)
      throw TestFailure("cannot start \(command.arguments): errno \(outcome.code)")
    }
    return (outcome.processID, endedReader)
  }

  /// Waits for the end without reaping, then reaps under the lock, so that no signal goes to a reused number.
  private func reap(_ processID: pid_t) {
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    state.withLock { state in
      var status: Int32 = 0
      while unsafe waitpid(processID, &status, 0) < 0 && errno == EINTR {}
      state = ExitStatus(waitStatus: status)
    }
  }

  /// Runs `body` on a thread of its own.
  private static func detach(_ body: @escaping @Sendable () -> Void) throws {
    let box = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { box in
        guard let box = unsafe box else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        return nil
      }, box)
    guard code == 0 else { throw TestFailure("pthread_create: errno \(code)") }
    pthread_detach(thread)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

/// What to start, and how.
struct SpawnCommand: Sendable {
  let arguments: [String]
  let environment: [String: String]
  /// What becomes descriptors 0, 1 and 2.
  let descriptors: [CInt]

  struct Outcome {
    var processID: pid_t
    /// 0, or errno.
    var code: CInt
  }

  /// posix_spawnp(3) in a new group, with every signal as a fresh program expects it.
  func spawn() -> Outcome {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (target, source) in descriptors.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, source, CInt(target))
    }
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var outcome = Outcome(processID: 0, code: 0)
    unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment.map { "\($0)=\($1)" }) { environment in
        outcome.code = unsafe posix_spawnp(
          &outcome.processID, self.arguments[0], &actions, &attributes, arguments, environment)
      }
    }
    return outcome
  }

  /// Lends the strings as a NULL-terminated array of C strings.
  private func withCStrings(_ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Void) {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    unsafe body(&pointers)
    unsafe pointers.forEach { unsafe free($0) }
  }
}
