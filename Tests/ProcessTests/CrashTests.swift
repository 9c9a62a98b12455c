import JSON
import TestSupport
import Testing

/// `kill -9` at any moment: what was answered `ok` is there, and numbers go on.
@Suite("Crashes")
struct CrashTests {
  @Test("nothing answered ok is lost, and sequence numbers go on")
  func killed() throws {
    let folder = try TemporaryFolder("crash")
    try folder.reportingLogs {
      let world = try World(try Prosody(in: folder), in: folder)
      let bob = try Peer("bob", password: "secret-b", at: world.server, in: folder)
      let requests = (1...400).map { "send bob@example.test message \($0)\n" }.joined()
      try world.client.send(bytes: Array(requests.utf8))
      var answered = try (1...150).map { _ in try world.client.answer().id ?? 0 }
      try world.daemon.kill()
      answered += try world.client.lines().compactMap { $0["ok"]?.bool == true ? $0["id"]?.integer : nil }
      try world.daemon.start()
      let client = try world.daemon.connect()
      let last = try client.greeting()["last"]?.integer ?? 0
      let kept = Set(try client.historyWithBob().compactMap { $0["id"]?.integer })
      #expect(Set(answered).isSubset(of: kept))
      #expect(last >= answered.max() ?? 0)
      #expect(try client.sendToBob("after").id ?? 0 > last)
      for number in 1...answered.count {
        try bob.event("message") { $0.text("text") == "message \(number)" }
      }
    }
  }

  @Test("what was acknowledged to the server is in the log")
  func acknowledged() throws {
    let folder = try TemporaryFolder("crash")
    try folder.reportingLogs {
      let world = try World(try ScriptedServer(in: folder), in: folder)
      for number in 1...20 {
        try world.server.send("<message from='bob@example.test/x' type='chat'><body>in \(number)</body></message>")
      }
      try world.server.command("ask")
      try world.server.event("acknowledged") {
        $0["h"]?.integer == $0["sent"]?.integer && $0["sent"]?.integer ?? 0 >= 20
      }
      try world.daemon.kill()
      try world.daemon.start()
      let texts = try world.daemon.client().historyWithBob().map { $0.text("text") }
      #expect(texts == (1...20).map { "in \($0)" })
    }
  }

  @Test("SIGTERM is a clean end, and a second daemon on the same data is refused")
  func ends() throws {
    let folder = try TemporaryFolder("crash")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder)
      let second = try Program.run([Products.program("confabd"), "--config", daemon.configurationPath])
      #expect(second.status == .exited(75))
      #expect(try daemon.terminate() == .exited(0))
    }
  }
}
