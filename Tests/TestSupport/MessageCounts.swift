import JSON

/// Allocations and system calls per message, in and out, and per page of a history: exact on a busy machine, unlike time.
package enum MessageCounts {
  package struct Measured: Sendable {
    /// By the names of thresholds.json.
    package let values: [(name: String, value: Double)]
    /// How often the log was synced over the burst, and how long that lasted.
    package let syncs: Int
    package let burstSeconds: Double
  }

  /// The most that each may be: Tests/Support/thresholds.json.
  package static let thresholds: [String: Double] = {
    guard let bytes = TestFiles.read(Products.support("thresholds.json")),
      let members = try? JSONParser.parse(bytes).members
    else { return [:] }
    return Dictionary(
      members.compactMap { member in
        switch member.value {
        case .integer(let number): (member.name, Double(number))
        case .number(let number): (member.name, number)
        default: nil
        }
      }, uniquingKeysWith: { first, _ in first })
  }()

  private static let incoming = 10_000
  private static let outgoing = 500

  /// Runs a `confabd` against a scripted server and counts: a burst in, and sends one after the other out.
  package static func measure(program: String) throws -> Measured {
    let folder = try TemporaryFolder("counts")
    return try folder.reportingLogs {
      let counts = try CallCounts(in: folder)
      let server = try ScriptedServer(in: folder, arguments: ["--quiet"])
      let account = Daemon.Account(
        "alice", password: "secret-a", port: server.directTLSPort, tls: "direct", authority: server.authority)
      let daemon = try Daemon(in: folder, accounts: [account], program: program, environment: counts.environment)
      let client = try daemon.client()
      guard try client.request("status for=online timeout=60s", until: .seconds(90)).isOK else {
        throw TestFailure("not online")
      }
      let (inward, seconds) = try countBurst(counts, server, daemon)
      let outward = try countSends(counts, client)
      let pages = try countPages(counts, client)
      let values = [
        ("allocations_per_message_in", Double(inward.allocations) / Double(incoming)),
        ("system_calls_per_message_in", Double(inward.systemCalls) / Double(incoming)),
        ("allocations_per_message_out", Double(outward.allocations) / Double(outgoing)),
        ("system_calls_per_message_out", Double(outward.systemCalls) / Double(outgoing)),
        ("allocations_per_page", Double(pages.allocations) / Double(Self.pages)),
        ("system_calls_per_page", Double(pages.systemCalls) / Double(Self.pages)),
      ]
      return Measured(values: values, syncs: Int(inward.syncs), burstSeconds: seconds)
    }
  }

  private static func countBurst(
    _ counts: CallCounts, _ server: ScriptedServer, _ daemon: Daemon
  ) throws -> (counts: CallCounts.Counts, seconds: Double) {
    guard let processID = daemon.processID else { throw TestFailure("confabd is gone") }
    let before = try counts.read()
    let outcome = try Burst.measure(count: incoming, server, processID)
    return (try counts.read() - before, outcome.seconds)
  }

  private static let pages = 200

  /// Pages of 50, one after the other.
  private static func countPages(_ counts: CallCounts, _ client: SocketClient) throws -> CallCounts.Counts {
    let before = try counts.read()
    for number in 0..<pages {
      let answer = try client.request("history row=\(number) limit=50 bob@example.test")
      guard answer.data.count == 50 else { throw TestFailure("history: \(answer.final)") }
    }
    return try counts.read() - before
  }

  /// One message at a time, each answered when it is durable; the last is waited for until the server has it.
  private static func countSends(_ counts: CallCounts, _ client: SocketClient) throws -> CallCounts.Counts {
    let before = try counts.read()
    for number in 1...outgoing {
      let wait = number == outgoing ? "wait=sent timeout=60s " : ""
      let answer = try client.request("send \(wait)bob@example.test message \(number)", until: .seconds(90))
      guard answer.isOK else { throw TestFailure("send: \(answer.final)") }
    }
    return try counts.read() - before
  }
}
