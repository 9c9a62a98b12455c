import Glibc
import JSON
import TestSupport

/// `files`: 100 MB that the daemon uploads and fetches, with its helper's work, beside curl at the same web server; memory of
/// both meanwhile; and whether an idle daemon has more than before it moved a file.
enum FileWorkload {
  private static let runs = 5
  private static let size = 100_000_000

  static func run(_ bench: Bench) throws {
    let mover = try FileMover(bench)
    let fresh = try mover.idle()
    let file = bench.data.file("100-megabytes.bin")
    let bytes = [UInt8](repeating: 0x5A, count: size)
    // Each uploads a file that was written just before and removes it: the daemon its copy of it.
    try compare("upload", bench, mover) { number in
      try TestFiles.write(file, bytes)
      sync()
      let ours = try mover.upload(file, number)
      var theirs = try mover.curl(["-T", file, "-H", "Expect:", mover.web("/taken")])
      theirs.cpu += try mover.cost { unsafe unlink(file) }
      return (theirs, ours)
    }
    try compare("fetch", bench, mover) { number in
      let path = bench.data.file("fetched-\(number)")
      let theirs = try mover.curl(["-o", path, mover.web("/file?\(size)")])
      unsafe unlink(path)
      return (theirs, try mover.fetch(size + 100 + number))
    }
    let rested = try mover.idle()
    bench.report(
      "descriptors of the daemon, before and after", Double(fresh.descriptors), "", note: "\(rested.descriptors)")
    bench.report(
      "idle for 10 s behind them: wake-ups", Double(rested.wakeUps), "", note: "(\(fresh.wakeUps) before; none)")
    bench.report("helpers that stay", Double(rested.children), "", note: "(none)")
  }

  private static func compare(
    _ name: String, _ bench: Bench, _ mover: FileMover,
    _ run: (Int) throws -> (theirs: FileMover.Cost, ours: FileMover.Cost)
  ) throws {
    // The first one finds the service, and warms both.
    _ = try run(0)
    let costs = try (1...runs).map(run)
    let (theirs, ours) = (costs.map(\.theirs), costs.map(\.ours))
    bench.report("\(name), curl: CPU", theirs.map(\.cpu).median, "ms")
    bench.report("\(name), daemon and helper: CPU", ours.map(\.cpu).median, "ms")
    let cpu = zip(ours, theirs).map { $0.cpu / $1.cpu }.median
    bench.report("\(name): ratio of CPU", cpu, "", note: "(at most 1.1)")
    bench.report("\(name), curl: wall", theirs.map(\.wall).median, "ms")
    bench.report("\(name), daemon and helper: wall", ours.map(\.wall).median, "ms")
    let wall = zip(ours, theirs).map { $0.wall / $1.wall }.median
    bench.report("\(name): ratio of wall", wall, "", note: "(at most 1.1)")
    let peaks = try mover.peaks { _ = try run(runs + 1) }
    bench.report("\(name): anonymous, daemon", Double(peaks.daemon) / 1024, "MiB", note: "(at most 4)")
    bench.report("\(name): anonymous, helper", Double(peaks.helper) / 1024, "MiB", note: "(at most 16)")
  }
}
