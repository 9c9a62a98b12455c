import Clocks
import JSON
import TestSupport
import Testing

/// How long the real daemon lets scripts wait, by a clock that leaps.
@Suite("Time-outs on sockets")
struct SocketTimeoutTests {
  /// The answers that are due by now, by their tags: a first `ping` wakes the daemon, whose timers fire before it reads a
  /// second one.
  private func tagsDue(_ client: SocketClient) throws -> [String] {
    var tags: [String] = []
    for ping in ["first", "second"] {
      try client.send("ping tag=\(ping)")
      repeat { tags.append(try client.answer().final.text("tag")) } while tags.last != ping
    }
    return tags.filter { $0 != "first" && $0 != "second" }
  }

  @Test("A time-out is at most ten minutes on a socket without all rights, and as asked for on one that has them")
  func capped() throws {
    let folder = try TemporaryFolder("timeout")
    try folder.reportingLogs {
      let clock = try LeapingClock(in: folder)
      var account = try Daemon.Account.unreachable()
      account.more = ["[socket alerts]", "path = \(folder.file("alerts"))", "rights = send"]
      let daemon = try Daemon(in: folder, accounts: [account], environment: clock.environment)
      let (script, person) = (try SocketClient(path: folder.file("alerts")), try daemon.connect())
      for (client, rights) in [(script, "send"), (person, "full")] {
        #expect(try client.greeting().text("rights") == rights)
        try client.send("send tag=long wait=sent timeout=1h bob@example.test hello")
        #expect(try tagsDue(client).isEmpty)
      }
      var due: [[String]] = []
      for minutes in [9, 11, 59, 61] as [Int64] {
        try clock.leap(to: .minutes(minutes))
        due += [try tagsDue(script), try tagsDue(person)]
      }
      #expect(due == [[], [], ["long"], [], [], [], [], ["long"]])
    }
  }
}
