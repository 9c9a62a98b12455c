import JSON
import TestSupport
import Testing

/// The surroundings that the other tests rely on, tried without the daemon.
@Suite("Fixtures")
struct FixtureTests {
  @Test("two people talk over a private Prosody, whichever way they come in", arguments: Prosody.PasswordHash.allCases)
  func prosody(hash: Prosody.PasswordHash) throws {
    let folder = try TemporaryFolder("fixture")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder, hash: hash)
      let alice = try Peer("alice", password: "secret-a", at: prosody, in: folder)
      let bob = try Peer("bob", password: "secret-b", at: prosody, in: folder, direct: true)
      let text = "two  spaces, 你好,\n😀 "
      try alice.send(text, to: "bob@example.test")
      let message = try bob.message()
      #expect(message.text("text") == text)
      #expect(message.text("from") == alice.fullJID)
    }
  }

  @Test("a stopped Prosody comes back with its data on its ports")
  func restart() throws {
    let folder = try TemporaryFolder("fixture")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let alice = try Peer("alice", password: "secret-a", at: prosody, in: folder)
      try alice.send("later", to: "bob@example.test")
      try alice.settle()
      try prosody.stop()
      try prosody.start()
      let bob = try Peer("bob", password: "secret-b", at: prosody, in: folder)
      #expect(try bob.message().text("text") == "later")
    }
  }

  @Test("the scripted server logs a client in, and does as it is told")
  func scripted() throws {
    let folder = try TemporaryFolder("fixture")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      try server.rule(on: "connect", then: .abort, times: 1)
      let script = try HelperProcess(
        "peer.py",
        [
          "--jid", "alice@example.test", "--password", "secret-a", "--port", "\(server.directTLSPort)", "--ca",
          server.authority, "--direct",
        ], log: folder.file("peer.log"))
      try script.event("online")
      #expect(try server.event("authenticated").text("mechanism").hasPrefix("SCRAM-SHA-"))
      // Of a tag that comes in pieces expat, by which slixmpp reads, puts off the rest until as much again has come (since
      // its answer to CVE-2023-52425).
      let message = "<message from='bob@example.test/x' to='${jid}'><body>a&#13;b</body></message>"
      try server.send(message + String(repeating: " ", count: 2 * message.utf8.count), chunk: 1)
      #expect(try script.event("message").text("text") == "a\rb")
      try server.command("cut")
      #expect(try server.event("closed").text("how") != "")
    }
  }

  @Test("a helper that fails says why")
  func failure() throws {
    let folder = try TemporaryFolder("fixture")
    let helper = try HelperProcess("peer.py", ["--nonsense"], log: folder.file("peer.log"))
    let failure = #expect(throws: TestFailure.self) { try helper.event("online") }
    #expect(failure?.description.contains("usage: peer.py") == true)
  }

  @Test("a program's input, output and end go through, however much there is")
  func program() throws {
    let input = [UInt8](repeating: 0x61, count: 300_000)
    let done = try Program.run(["cat"], input: input)
    #expect(done.output == input)
    #expect(try Program.run(["sh", "-c", "echo no >&2; exit 3"]).status == .exited(3))
    #expect(try Program.run(["sh", "-c", "kill -9 $$"]).status == .killed(signal: 9))
  }

  @Test("ports are handed out once")
  func ports() throws {
    let ports = try (0..<50).map { _ in try freePort() }
    #expect(Set(ports).count == 50)
  }
}
