import Glibc
import TestSupport

/// `confab send` as a script runs it: the whole process; beside go-sendxmpp, which logs in each time.
enum CommandWorkload {
  private static let runs = 50

  static func run(_ bench: Bench) throws {
    let (_, daemon, _) = try bench.online("command")
    let peer = try GoSendXMPP(bench)
    var (ours, theirs): (Costs, Costs) = (Costs(), Costs())
    for _ in 0..<runs {
      let send = [bench.confab, "--socket", daemon.socketPath, "send", "bob@example.test", "backup", "done"]
      ours.append(try TimedProgram.run(send))
      theirs.append(try peer.send())
    }
    theirs.report("go-sendxmpp", bench)
    ours.report("confab send", bench, wallNote: "(at most 6 ms and one sync)", cpuNote: "(at most 3 ms; aim 2)")
    bench.report("ratio of wall times", ours.wall.median / theirs.wall.median, "")
    bench.report("ratio of CPU times", ours.cpu.median / theirs.cpu.median, "")
  }

  /// In milliseconds.
  private struct Costs {
    private(set) var wall: [Double] = []
    private(set) var cpu: [Double] = []

    mutating func append(_ cost: (wall: Double, cpu: Double)) {
      wall.append(cost.wall / 1000)
      cpu.append(cost.cpu / 1000)
    }

    func report(_ name: String, _ bench: Bench, wallNote: String = "", cpuNote: String = "") {
      bench.report("\(name): wall, median", wall.median, "ms", note: wallNote)
      bench.report("\(name): CPU, median", cpu.median, "ms", note: cpuNote)
    }
  }
}

/// A program run to its end by nothing but fork, exec and wait, so that only it is measured.
enum TimedProgram {
  /// Wall and CPU time in microseconds.
  ///
  /// - Parameter input: the file that is its standard input.
  static func run(
    _ arguments: [String], environment: [String: String]? = nil, input: String = "/dev/null"
  ) throws -> (wall: Double, cpu: Double) {
    let input = unsafe open(input, O_RDONLY | O_CLOEXEC)
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { for descriptor in [input, null] { close(descriptor) } }
    let before = childrenCPU()
    let start = Stopwatch.now
    let process = try ChildProcess(
      arguments, environment: environment, input: input, output: null, error: null, supervised: false)
    let status = try process.wait(until: .seconds(900))
    let wall = Stopwatch.now - start
    guard status == .exited(0) else { throw TestFailure("\(arguments): \(status)") }
    return (wall, childrenCPU() - before)
  }

  /// CPU time of all children that have been waited for.
  private static func childrenCPU() -> Double {
    var usage = rusage()
    _ = unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    return microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
  }

  private static func microseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1e6 + Double(time.tv_usec)
  }
}
