import Glibc
import JSON
import TestSupport

/// Pages of 50 of the longest conversation, asked for over the socket where nothing has to be read from the disk.
struct ScalePages {
  private static let rounds = 400

  private let bench: Bench
  private let bare: BareClient
  private let process: pid_t
  private let peer: SQLitePeer
  private let rows: [Int]
  /// Of the message at each row.
  private let messages: [(id: Int64, time: String)]

  init(
    _ scale: Scale, _ client: SocketClient, _ bare: BareClient, _ process: pid_t, beside peer: SQLitePeer
  ) throws {
    (bench, self.bare, self.process, self.peer) = (scale.bench, bare, process, peer)
    var random = SeededGenerator(seed: 1)
    rows = (0..<Self.rounds).map { _ in random.below(max(1, scale.census.longest - 50)) }
    messages = try rows.map { row in
      let answer = try client.request("history row=\(row) limit=1 \(Scale.longest)")
      guard let message = answer.data.first?["message"], let id = message["id"]?.integer else {
        throw TestFailure("no row \(row): \(answer.final)")
      }
      return (id, message.text("time"))
    }
  }

  /// Pages by row, id and time, the newest, and what the way alone takes; beside a bare program that asks SQLite.
  func measure(note: String = "") throws {
    let longest = Scale.longest
    bench.report(
      "the way there and back alone (ping), median", try bare.median(Self.rounds) { _ in "ping" }, "us")
    bench.report(
      "SQLite with \(peer.count) messages, 50 by key, median", try peer.medianPage(Self.rounds), "us")
    try page("page of 50 by row", lines: 50, note) { "history row=\(rows[$0]) limit=50 \(longest)" }
    try page("page of 50 by id", note) { "history around=\(messages[$0].id) limit=50 \(longest)" }
    try page("page of 50 by time", note) { "history until_time=\(messages[$0].time) limit=50 \(longest)" }
    try page("newest 50", lines: 50, note) { _ in "history limit=50 \(longest)" }
  }

  private func page(
    _ name: String, lines: Int? = nil, _ note: String, _ request: (Int) -> String
  ) throws {
    let before = try ProcessUsage(of: process).cpuNanoseconds
    bench.report(name + ", median", try bare.median(Self.rounds, lines: lines, request), "us", note: note)
    let cpu = Double(try ProcessUsage(of: process).cpuNanoseconds - before) / 1000 / Double(Self.rounds)
    bench.report("CPU of one", cpu, "us")
  }
}
