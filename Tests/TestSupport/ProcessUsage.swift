package import Glibc

/// What a running process has used so far, all its threads together.
package struct ProcessUsage: Sendable {
  /// CPU time, of threads that have ended too.
  package let cpuNanoseconds: Int64
  /// Resident memory, and the part of it that no file backs.
  package let residentKiB: Int
  package let anonymousKiB: Int

  /// Reads it from the kernel; fails where the process is gone or somebody else's.
  package init(of processID: pid_t) throws {
    var clock = clockid_t()
    var time = timespec()
    guard unsafe clock_getcpuclockid(processID, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
      throw TestFailure("no CPU clock of process \(processID)")
    }
    cpuNanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    let status = TestFiles.text("/proc/\(processID)/status") ?? ""
    residentKiB = Self.kibibytes("VmRSS:", in: status)
    anonymousKiB = Self.kibibytes("RssAnon:", in: status)
  }

  private static func kibibytes(_ name: String, in status: String) -> Int {
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
