import CLinux
import Glibc
import Synchronization

/// A record of the process's system calls, made by the wrappers themselves.
///
/// Tests read from it in which order a sync and an answer happened, and how many calls a message costs, also where
/// ptrace is forbidden. Off, it costs one relaxed load for each call. Any thread; a line is written after its call
/// returned, so what one call caused stands behind it.
package enum SyscallTrace {
  private struct State {
    /// True if calls of all threads are recorded.
    var isProcessWide = false
    /// The whole process's counts.
    var counts: [String: Int] = [:]
    /// The descriptor for the lines; -1 when only counting.
    var descriptor: CInt = -1
    /// Counts of the threads inside `countingThisThread`.
    var threads: [UInt: [String: Int]] = [:]

    var isNeeded: Bool { isProcessWide || !threads.isEmpty }
  }

  private static let isOn = Atomic<Bool>(false)
  private static let state = Mutex(State())

  private static var thisThread: UInt { UInt(pthread_self()) }

  /// The only way to the state. A lock that had to be waited for is taken inside the run-time library, where the thread
  /// sanitizer does not see it: `isOn` shows it who comes after whom.
  private static func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    state.withLock { state in
      _ = isOn.load(ordering: .acquiring)
      let value = body(&state)
      isOn.store(state.isNeeded, ordering: .releasing)
      return value
    }
  }

  /// Starts counting from zero in all threads, and writing a line `name(fd, detail) = result` for each call.
  ///
  /// - Parameter descriptor: where the lines go; the caller's, must outlive the trace; -1 only counts.
  package static func enable(descriptor: CInt = -1) {
    change { state in
      state.isProcessWide = true
      state.counts = [:]
      state.descriptor = descriptor
    }
  }

  /// Opens a file for the lines of a trace; they are added to what it has. The descriptor lives as long as the process.
  package static func file(_ path: String) throws(Errno) -> CInt {
    try systemCall("open", object: path) { unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
  }

  /// Stops what `enable` started, and gives back the counts by name.
  @discardableResult
  package static func disable() -> [String: Int] {
    change { state in
      defer { state.counts = [:] }
      state.isProcessWide = false
      state.descriptor = -1
      return state.counts
    }
  }

  /// The calls that the current thread makes during `body`, exactly, whatever other threads do. Does not nest.
  package static func countingThisThread<E: Error>(_ body: () throws(E) -> Void) throws(E) -> [String: Int] {
    let thread = thisThread
    change { $0.threads[thread] = [:] }
    defer { change { $0.threads[thread] = nil } }
    try body()
    return change { $0.threads[thread] ?? [:] }
  }

  /// Notes one finished call; for wrappers only.
  @inline(__always)
  static func note(
    _ name: StaticString, _ fd: CInt, _ detail: Int? = nil, object: String? = nil, result: Int, code: CInt
  ) {
    if isOn.load(ordering: .relaxed) { record(name, fd, detail, object: object, result: result, code: code) }
  }

  @inline(never)
  private static func record(
    _ name: StaticString, _ fd: CInt, _ detail: Int?, object: String?, result: Int, code: CInt
  ) {
    change { state in
      state.threads[thisThread]?[name.description, default: 0] += 1
      guard state.isProcessWide else { return }
      state.counts[name.description, default: 0] += 1
      guard state.descriptor >= 0 else { return }
      var line = Array("\(name)(\(fd)".utf8)
      if let object { line += Array(", \"\(object)\"".utf8) }
      if let detail { line += Array(", \(detail)".utf8) }
      line += Array(") = \(result)\(result < 0 ? " " + Errno(code, "").name : "")\n".utf8)
      unsafe line.withUnsafeBytes { _ = unsafe Glibc.write(state.descriptor, $0.baseAddress, $0.count) }
    }
  }
}
