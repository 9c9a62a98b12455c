import ConfabCLI
import ConfabClient
import LineProtocol
import Testing

@Suite("confab watch --reconnect")
struct ReconnectTests {
  private static func message(_ seq: Int) -> String {
    #"{"event":"state","seq":\#(seq),"conversation":"b@x","id":7,"state":"sent"}"#
  }

  private static func watch(_ lines: String...) -> [FakeDaemon.Step] {
    [FakeDaemon.greeting, .takes, .lines([#"{"ok":true,"seq":5}"#] + lines), .closes]
  }

  @Test("continues after the last event of the same log, and waits for the daemon with growing pauses")
  func goesOn() {
    let refused: [FakeDaemon.Step] = [
      FakeDaemon.greeting, .takes, .lines([#"{"ok":false,"error":"other-log","reason":"not this log"}"#]),
    ]
    let daemon = FakeDaemon(
      Self.watch(Self.message(8)), [.absent], [.absent],
      Self.watch(#"{"event":"caught-up","seq":9}"#, Self.message(11)), refused)
    #expect(daemon.run("watch", "--reconnect", "--kinds=state") == 1)
    #expect(daemon.requests.map { $0.id(.since) } == [nil, 8, 11])
    #expect(daemon.requests.map { $0.string(.log) } == [nil, "U", "U"])
    #expect(daemon.requests.allSatisfy { $0.list(.kinds) == ["state"] })
    #expect(daemon.pauses == [100, 200, 400, 100])
    #expect(daemon.output == "* b@x message 7: sent ✓\n* b@x message 7: sent ✓\n")
    #expect(daemon.complaints.count == 4 && daemon.complaints.last?.contains("start the watch again") == true)
  }

  @Test("a named consumer resumes where it acknowledged; the answer of a later watch is not shown again")
  func named() {
    let refused: [FakeDaemon.Step] = [
      FakeDaemon.greeting, .takes, .lines([#"{"ok":false,"error":"not-allowed","reason":"no"}"#]),
    ]
    let daemon = FakeDaemon(Self.watch(Self.message(8)), Self.watch(), refused)
    #expect(daemon.run("--json", "watch", "--reconnect", "--as=me") == 77)
    #expect(daemon.requests.map { $0.id(.since) } == [nil, nil, nil])
    #expect(daemon.output.split(separator: "\n").filter { $0.contains("\"ok\":true") }.count == 1)
  }

  @Test("waits for a daemon that is not there yet, and ends with its reader")
  func ends() {
    let daemon = FakeDaemon([.absent], [FakeDaemon.greeting, .takes, .outputCloses])
    #expect(daemon.run("watch", "--reconnect") == 0)
    #expect(daemon.pauses == [100])
  }
}
