import Glibc
import TestSupport

/// What pages are measured beside: 50 messages out of SQLite by a program that does nothing else, over a Unix socket, too
/// (Tests/Support/sqlite_peer.c).
struct SQLitePeer {
  private let program: String
  private let database: String
  /// Messages that it has; of these every second one is in the conversation that is asked for.
  let count: Int

  /// Compiles it, and makes its database.
  init(_ bench: Bench, count: Int) throws {
    self.count = count
    program = bench.folder.file("sqlite_peer")
    database = bench.data.file("sqlite.db")
    let build = "cc -O2 -o \(program) \(Products.support("sqlite_peer.c")) $(pkg-config --cflags --libs sqlite3)"
    for command in [["sh", "-c", build], [program, "make", database, "\(count)"]] {
      let run = try Program.run(command)
      guard run.status == .exited(0) else { throw TestFailure("sqlite_peer: \(run.errorText)") }
    }
  }

  /// The median time of so many pages in microseconds.
  func medianPage(_ rounds: Int) throws -> Double {
    let (ours, theirs) = try BareSends.pair()
    let client = BareClient(on: ours)
    let process = try ChildProcess([program, "serve", database], input: theirs, output: 2, error: 2, supervised: false)
    close(theirs)
    defer { process.kill(SIGKILL) }
    var random = SeededGenerator(seed: 1)
    let rows = (0..<rounds).map { _ in random.below(max(1, count / 2 - 50)) }
    return try client.median(rounds, lines: 50) { "\(rows[$0])" }
  }
}
