import Glibc
import JSON
import TestSupport

/// A thousand queries, and the same after every derived file is gone: the answers are the same, byte for byte.
enum ScaleDerived {
  private static let queries = 1000

  static func run(_ scale: Scale) throws {
    let bench = scale.bench
    let daemon = try Daemon("derived", in: bench.folder, program: bench.confabd, data: scale.history, supervised: false)
    let list = try makeList(scale, daemon.client())
    let before = try answers(list, daemon.client())
    try daemon.terminate()
    for name in ["checkpoint", "index"] { _ = unsafe unlink(scale.history + "/" + name) }
    let served = try Stopwatch.measure { try daemon.start(until: .seconds(120)) }
    let client = try daemon.client()
    let reading = try client.request("status").final["reading_log"]?.integer
    let rebuilt = try Stopwatch.measure { _ = try client.request("conversations limit=1", until: .seconds(900)) }
    let after = try answers(list, daemon.client())
    try daemon.terminate()
    let different = zip(before, after).count { $0 != $1 }
    let bytes = before.reduce(0) { $0 + $1.count }
    bench.report("\(list.count) queries, without derived files", Double(bytes) / 1e6, "MB", note: "of answers")
    bench.report("answers that differ", Double(different), "", note: "(none)")
    bench.report("start without them: to the socket", served / 1000, "ms")
    bench.report("read of the log by then", Double(reading ?? 100), "%")
    bench.report("to the first answer of all of it", (served + rebuilt) / 1e6, "s")
    if different > 0 { throw TestFailure("\(different) of \(list.count) answers differ") }
  }

  /// Queries of all kinds; half of them on the longest conversation.
  private static func makeList(_ scale: Scale, _ client: SocketClient) throws -> [String] {
    var random = SeededGenerator(seed: 5)
    var list = ["roster", "groups", "conversations limit=1000", "conversations group=Family", "unread"]
    while list.count < queries {
      let person = random.chance(500) ? 0 : random.below(GeneratedHistory.people)
      let jid = "friend\(person)@people.example"
      let count = try client.request("history limit=0 \(jid)").final["count"]?.integer ?? 0
      let row = random.below(Int(max(1, count)))
      let limit = 1 + random.below(60)
      guard let message = try client.request("history row=\(row) limit=1 \(jid)").data.first?["message"],
        let id = message["id"]?.integer
      else { continue }
      let (time, gap) = (message.text("time"), "gap=\(1 + random.below(100))h")
      list += [
        "history row=\(row) limit=\(limit) \(jid)", "history before=\(id) limit=\(limit) \(gap) \(jid)",
        "history after=\(id) limit=\(limit) \(jid)", "history around=\(id) limit=\(limit) \(jid)",
        "history since=\(time) limit=\(limit) \(jid)", "history until_time=\(time) limit=\(limit) \(gap) \(jid)",
        "sections limit=\(limit) \(jid)", "sections \(gap) limit=\(limit) before=\(id) \(jid)", "unread in=\(jid)",
        "draft \(jid)",
      ]
    }
    return Array(list.prefix(queries))
  }

  private static func answers(_ list: [String], _ client: SocketClient) throws -> [[UInt8]] {
    try list.map { query in
      var bytes: [UInt8] = []
      try client.send(query)
      while let line = try client.rawLine() {
        bytes += line
        if line.starts(with: Array("{\"ok\":".utf8)) { return bytes }
      }
      throw TestFailure("no answer to \(query)")
    }
  }
}
