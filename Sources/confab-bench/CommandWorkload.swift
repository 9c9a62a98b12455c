import Glibc
import TestSupport

/// `confab send` as a script runs it: the whole process.
enum CommandWorkload {
  private static let runs = 50

  static func run(_ bench: Bench) throws {
    let (_, daemon, _) = try bench.online("command")
    var (wall, cpu): ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
      let cost = try TimedProgram.run(
        [bench.confab, "--socket", daemon.socketPath, "send", "bob@example.test", "backup", "done"])
      wall.append(cost.wall / 1000)
      cpu.append(cost.cpu / 1000)
    }
    bench.report("confab send: wall, median", wall.median, "ms", note: "(at most 6 ms and one sync)")
    bench.report("confab send: CPU, median", cpu.median, "ms", note: "(at most 3 ms)")
  }
}

/// A program run to its end by nothing but fork, exec and wait, so that only it is measured.
enum TimedProgram {
  /// Wall and CPU time in microseconds.
  static func run(_ arguments: [String]) throws -> (wall: Double, cpu: Double) {
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let before = childrenCPU()
    let start = Stopwatch.now
    let process = try ChildProcess(arguments, input: null, output: null, error: null, supervised: false)
    let status = try process.wait()
    let wall = Stopwatch.now - start
    guard status == .exited(0) else { throw TestFailure("\(arguments): \(status)") }
    return (wall, childrenCPU() - before)
  }

  /// CPU time of all children that have been waited for.
  private static func childrenCPU() -> Double {
    var usage = rusage()
    _ = unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) * 1e6 + Double($1.tv_usec) }
  }
}
