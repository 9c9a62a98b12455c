import TestSupport

/// `confab log` over all of a history, as whole processes; beside `cat` of the same files, which stand in memory for both.
enum ScaleTools {
  static func run(_ scale: Scale) throws {
    let (bench, history) = (scale.bench, scale.history)
    let cat = ["sh", "-c", "exec cat '\(history)/log'/*"]
    _ = try TimedProgram.run(cat)
    let read = try TimedProgram.run(cat)
    let verify = try TimedProgram.run([bench.confab, "log", "verify", "--data", history])
    bench.report("cat: wall", read.wall / 1000, "ms")
    bench.report("verify: wall", verify.wall / 1000, "ms")
    bench.report("ratio", verify.wall / read.wall, "")
    bench.report("verify, a CPU second", Double(scale.census.records) / verify.cpu, "M records", note: "(at least 10)")
    let export = try TimedProgram.run([bench.confab, "log", "export", "--data", history])
    bench.report("export, a CPU second", Double(scale.census.messages) / export.cpu, "M messages")
  }
}
