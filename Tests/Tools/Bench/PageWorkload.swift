import Glibc
import JSON
import TestSupport

/// `history limit=50` of messages that were edited, answered and reacted to, beside one of plain ones: CPU of the daemon, in
/// turns, so that what else the machine does is in both.
enum PageWorkload {
  private static let rounds = 41
  private static let pages = 50
  private static let plain = "plain@example.test"
  private static let lively = "lively@example.test"

  static func run(_ bench: Bench) throws {
    let (server, daemon, client) = try bench.online("pages")
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    try server.flood(message(from: plain, "p$n"), count: 50)
    try server.flood(message(from: lively, "m$n"), count: 25)
    try server.flood(
      message(
        from: lively, "a$n", body: "&gt; a text that is answered\nand the answer",
        "<reply xmlns='urn:xmpp:reply:0' to='\(lively)' id='m$n'/><fallback xmlns='urn:xmpp:fallback:0' "
          + "for='urn:xmpp:reply:0'><body start='0' end='27'/></fallback>"), count: 25)
    for id in ["m$n", "a$n"] {
      try server.flood(
        message(from: lively, "c-\(id)", "<replace xmlns='urn:xmpp:message-correct:0' id='\(id)'/>"), count: 25)
      try server.flood(
        "<message from='\(lively)/x' type='chat' id='r-\(id)'><reactions xmlns='urn:xmpp:reactions:0' id='\(id)'>"
          + "<reaction>👍</reaction><reaction>🎉</reaction></reactions></message>", count: 25)
    }
    try waitForChanges(client)
    let costs = try (0..<rounds).map { _ in
      (few: try cpu(plain, client, process), many: try cpu(lively, client, process))
    }
    let ratios = costs.map { $0.many / $0.few }
    bench.report("a page of 50 plain messages: CPU, median", costs.map(\.few).median, "us")
    bench.report("of 50 edited, answered, with reactions: CPU, median", costs.map(\.many).median, "us")
    let middle = ratios.sorted()[rounds / 4...rounds * 3 / 4]
    let spread = "\((middle.first ?? 0).formatted(decimals: 2)) to \((middle.last ?? 0).formatted(decimals: 2))"
    bench.report("ratio, median", ratios.median, "", note: "(at most 2.0; the middle half: \(spread))")
  }

  private static func message(
    from jid: String, _ id: String, body: String = "a text of some words, as people write them", _ more: String = ""
  ) -> String {
    "<message from='\(jid)/x' type='chat' id='\(id)'><body>\(body)</body>\(more)</message>"
  }

  private static func waitForChanges(_ client: SocketClient) throws {
    for _ in 0..<1_000 {
      let messages = try client.request("history limit=50 \(lively)").data.compactMap { $0["message"] }
      if messages.count == 50, messages.allSatisfy({ $0["edited"] != nil && $0["reactions"] != nil }) { return }
      usleep(10_000)
    }
    throw TestFailure("the changes do not arrive")
  }

  /// Microseconds for a page.
  private static func cpu(_ jid: String, _ client: SocketClient, _ process: Int32) throws -> Double {
    let before = try ProcessUsage(of: process).cpuNanoseconds
    for _ in 0..<pages {
      let answer = try client.request("history limit=50 \(jid)")
      guard answer.isOK, answer.data.count == 50 else { throw TestFailure("\(answer.final)") }
    }
    return Double(try ProcessUsage(of: process).cpuNanoseconds - before) / 1000 / Double(pages)
  }
}
