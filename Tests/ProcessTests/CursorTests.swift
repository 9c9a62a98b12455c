import JSON
import TestSupport
import Testing

/// Durable consumers: what was acknowledged is behind them, what was not is told again, whoever is killed meanwhile.
@Suite("Named cursors")
struct CursorTests {
  /// Watches by a name until the message with this text, over a connection that ends then; texts and numbers.
  private func consume(_ daemon: Daemon, upTo text: String) throws -> [(text: String, seq: Int64)] {
    let watcher = try daemon.client()
    try watcher.ask("watch as=script since=0 kinds=message")
    var told: [(text: String, seq: Int64)] = []
    while let line = try watcher.line() {
      guard let message = line["message"], let seq = line["seq"]?.integer else { continue }
      told.append((message.text("text"), seq))
      if told.last?.text == text { return told }
    }
    throw TestFailure("the daemon closed before '\(text)'")
  }

  @Test("across the ends of the consumer and kills of the daemon, with confab ack in between")
  func durable() throws {
    try withDaemon { daemon, client in
      for number in 1...5 { try client.ask("send bob@example.test \(number)") }
      let first = try consume(daemon, upTo: "5")
      #expect(first.map(\.text) == ["1", "2", "3", "4", "5"])
      #expect(try consume(daemon, upTo: "5").count == 5)
      let command = [Products.program("confab"), "--socket", daemon.socketPath]
      let acknowledged = try Program.run(command + ["ack", "--as=script", "\(first[2].seq)"])
      #expect(acknowledged.status == .exited(0) && acknowledged.text.isEmpty, "\(acknowledged.errorText)")
      try daemon.kill()
      try daemon.start()
      #expect(try consume(daemon, upTo: "5").map(\.text) == ["4", "5"])
      try daemon.client().ask("ack as=script \(first[3].seq)")
      try daemon.kill()
      try daemon.start()
      #expect(try consume(daemon, upTo: "5").map(\.text) == ["5"])
      #expect(try Program.run(command + ["cursors"]).text == "script  \(first[3].seq)\n")
      #expect(try Program.run(command + ["ack", "--as=script", "999999"]).status == .exited(64))
      #expect(try Program.run(command + ["forget", "--as=script"]).status == .exited(0))
      #expect(try consume(daemon, upTo: "5").count == 5)
    }
  }

  @Test("a named watcher gets no imported messages; a watcher that continues by a number gets all")
  func imported() throws {
    try withDaemon { daemon, client in
      try client.ask("send bob@example.test before")
      let first = try consume(daemon, upTo: "before")
      try client.ask("ack as=script \(first[0].seq)")
      try daemon.terminate()
      let line =
        #"{"conversation":"bob@example.test","mine":true,"time":"2026-01-01T00:00:00Z","#
        + #""text":"old","state":"delivered"}"#
      let done = try Program.run(
        [Products.program("confab"), "log", "import", "--jsonl", "-", "--data", daemon.dataPath],
        input: Array(line.utf8))
      #expect(done.text.hasPrefix("1 messages imported"), "\(done.text)\(done.errorText)")
      try daemon.start()
      try daemon.client().ask("send bob@example.test after")
      #expect(try consume(daemon, upTo: "after").map(\.text) == ["after"])
      let other = try daemon.client()
      try other.ask("watch since=\(first[0].seq) kinds=message,state")
      _ = try other.event("message") { $0["message"]?.text("text") == "old" }
      _ = try other.event("state") { $0.text("state") == "delivered" }
    }
  }
}
