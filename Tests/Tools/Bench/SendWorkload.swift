import TestSupport

/// `send` over the socket, answered only when it is durable: one at a time, and 64 in flight.
enum SendWorkload {
  private static let rounds = 10
  private static let each = 200
  private static let window = 64
  private static let request = "send bob@example.test A message of about the usual length, all of it text."

  static func run(_ bench: Bench) throws {
    let (_, daemon, client) = try bench.online("send")
    let bare = try BareFile(bench.data.file("bare"))
    let server = try BareServer(bare)
    let asking = try BareClient(of: daemon)
    var (pings, writes, answers, sends): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    for _ in 0..<rounds {
      for _ in 0..<each { pings.append(try Stopwatch.measure { try asking.ask("ping") }) }
      for _ in 0..<each { writes.append(try Stopwatch.measure { try bare.write(1) }) }
      for _ in 0..<each { answers.append(try Stopwatch.measure { try server.ask() }) }
      for _ in 0..<each { sends.append(try Stopwatch.measure { try asking.ask(request) }) }
    }
    bench.report("the way there and back alone (ping), median", pings.median, "us")
    bench.report("bare write of 200 bytes and fdatasync, median", writes.median, "us")
    bench.report("the same by a bare server with two threads", answers.median, "us")
    bench.report("send, one at a time, median", sends.median, "us")
    bench.report("send against that server", sends.median / answers.median, "")
    let limit = 2 * writes.median + 100
    bench.report("send against 2 x bare + 100 us", sends.median / limit, "", note: "(at most 1)")
    try inFlight(bench, client, bare)
    _ = daemon
  }

  private static func inFlight(_ bench: Bench, _ client: SocketClient, _ bare: BareFile) throws {
    let total = window * rounds * 20
    let batches = try Stopwatch.measure { for _ in 0..<(total / window) { try bare.write(window) } }
    let ours = try Stopwatch.measure { try pipeline(client, total) }
    let (bareRate, ourRate) = (Double(total) / batches * 1e6, Double(total) / ours * 1e6)
    bench.report("64 bare records and one fdatasync", bareRate, "records/s")
    bench.report("send, 64 in flight", ourRate, "messages/s")
    bench.report("ratio", ourRate / bareRate, "", note: "(at least 0.7)")
  }

  /// Keeps up to `window` requests unanswered until `total` are done.
  private static func pipeline(_ client: SocketClient, _ total: Int) throws {
    let line = Array((request + "\n").utf8)
    var (sent, answered) = (0, 0)
    while answered < total {
      let room = min(window - (sent - answered), total - sent)
      if room > 0 {
        try client.send(bytes: Array(repeatElement(line, count: room).joined()))
        sent += room
      }
      repeat {
        guard try client.answer().isOK else { throw TestFailure("send failed") }
        answered += 1
      } while client.hasLine
    }
  }
}
