package import Glibc

/// What a running process has used so far, all its threads together.
package struct ProcessUsage: Sendable {
  /// CPU time, of threads that have ended too.
  package let cpuNanoseconds: Int64
  /// Resident memory, and the part of it that no file backs.
  package let residentKiB: Int
  package let anonymousKiB: Int
  /// The most that was ever resident.
  package let peakKiB: Int

  /// Reads it from the kernel; fails where the process is gone or somebody else's.
  package init(of processID: pid_t) throws {
    var clock = clockid_t()
    var time = timespec()
    guard unsafe clock_getcpuclockid(processID, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
      throw TestFailure("no CPU clock of process \(processID)")
    }
    cpuNanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    let status = TestFiles.text("/proc/\(processID)/status") ?? ""
    residentKiB = Self.number("VmRSS:", in: status)
    anonymousKiB = Self.number("RssAnon:", in: status)
    peakKiB = Self.number("VmHWM:", in: status)
  }

  /// How often its threads have woken up: they had gone to sleep, and something came.
  package static func wakeUps(of processID: pid_t) throws -> Int {
    let tasks = "/proc/\(processID)/task"
    let numbers = TestFiles.names(in: tasks).map { task in
      number("voluntary_ctxt_switches:", in: TestFiles.text("\(tasks)/\(task)/status") ?? "")
    }
    guard !numbers.isEmpty else { throw TestFailure("process \(processID) is gone") }
    return numbers.reduce(0, +)
  }

  /// The number behind a name of /proc/PID/status.
  private static func number(_ name: String, in status: String) -> Int {
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
