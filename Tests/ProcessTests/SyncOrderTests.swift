import JSON
import TestSupport
import Testing

/// Stored means synced: the daemon's own record of its system calls shows it (`CONFAB_SYSCALL_TRACE`), and strace, where
/// it may be used, shows the bytes too.
@Suite("The sync before the answer")
struct SyncOrderTests {
  private static let canTrace = (try? Program.run(["strace", "-o", "/dev/null", "true"]).status) == .exited(0)

  /// The calls that matter, in their order; `write` is for pipes and the like, `pwrite` for the log. The 12 bytes
  /// of an answer to `ping` are left out.
  private func calls(_ file: String) -> [(name: String, line: String)] {
    (TestFiles.text(file) ?? "").split(separator: "\n").compactMap { line in
      guard let open = line.firstIndex(of: "(") else { return nil }
      let name = String(line[..<open])
      guard ["fdatasync", "send", "sendmsg", "pwrite", "pwritev"].contains(name), !line.hasSuffix(" = 12") else {
        return nil
      }
      return (name, String(line))
    }
  }

  @Test("an answer, a message's bytes and an acknowledgement each leave after the sync that covers them")
  func ownTrace() throws {
    let folder = try TemporaryFolder("trace")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      let trace = folder.file("trace")
      let environment = ProcessEnvironment.current.merging(["CONFAB_SYSCALL_TRACE": trace]) { _, ours in ours }
      let daemon = try Daemon(in: folder, accounts: [server.account("alice")], environment: environment)
      let client = try daemon.client()
      try client.waitUntilOnline()
      try server.received("presence")

      // Nothing happens but what is asked for from here on.
      var mark = try quiet(client, server, trace)
      let id = try #require(try client.ask("send bob@example.test hello").id)
      try server.received("message")
      // A call's line is written behind the call, by its thread: an answer shows that those before are there.
      #expect(try client.request("ping").isOK)
      try expectSyncFirst(calls(trace).dropFirst(mark), "answer and message", sends: 2)

      try client.ask("wait for=sent \(id)")
      mark = try quiet(client, server, trace)
      try server.send("<message from='bob@example.test/x' type='chat' id='1'><body>hi</body></message>")
      try server.command("ask")
      try server.event("acknowledged") { $0["h"] == $0["sent"] && $0["h"]?.integer ?? 0 >= 2 }
      #expect(try client.request("ping").isOK)
      try expectSyncFirst(calls(trace).dropFirst(mark), "acknowledgement", sends: 1)
    }
  }

  /// Lets everything come to rest, and says how many calls there have been.
  private func quiet(_ client: SocketClient, _ server: ScriptedServer, _ trace: String) throws -> Int {
    try server.command("ask")
    try server.event("acknowledged") { $0["h"] == $0["sent"] }
    #expect(try client.request("ping").isOK)
    return calls(trace).count
  }

  /// The record is written, then synced, and only then does anything go to a socket.
  private func expectSyncFirst(_ calls: ArraySlice<(name: String, line: String)>, _ what: String, sends: Int) throws {
    let lines = calls.map(\.line).joined(separator: "\n")
    // The line of the acknowledgement that `quiet` waited for may be written late, by the link's thread: one more then.
    let isLate = calls.first?.name == "send" && calls.count { $0.name.hasPrefix("send") } > sends
    let calls = calls.dropFirst(isLate ? 1 : 0)
    let sent = try #require(calls.firstIndex { $0.name.hasPrefix("send") }, "\(what):\n\(lines)")
    let written = try #require(calls[..<sent].lastIndex { $0.name.hasPrefix("pwrite") }, "\(what):\n\(lines)")
    let synced = calls[..<sent].lastIndex { $0.name == "fdatasync" } ?? 0
    #expect(calls.count { $0.name.hasPrefix("send") } >= sends, "\(what):\n\(lines)")
    #expect(written < synced, "\(what):\n\(lines)")
  }

  @Test("the record is written and synced before its `ok` leaves", .enabled(if: canTrace))
  func traced() throws {
    let folder = try TemporaryFolder("trace")
    try folder.reportingLogs {
      let trace = folder.file("trace")
      let calls = "trace=write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,fdatasync,fsync"
      let daemon = try Daemon(
        in: folder, wrapper: ["strace", "-f", "-s", "4096", "-e", calls, "-o", trace])
      let client = try daemon.client()
      #expect(try client.request("send bob@example.test a-text-to-be-found").isOK)
      // The end of the call that sent the answer is written by then.
      #expect(try client.request("ping").isOK)
      try daemon.kill()
      let lines = try #require(TestFiles.text(trace)).split(separator: "\n")
      let written = try #require(lines.firstIndex { $0.contains("a-text-to-be-found") && $0.contains("write") })
      let answered = try #require(lines.firstIndex { $0.contains("{\\\"ok\\\":true,\\\"id\\\":") })
      let synced = lines[written...].firstIndex { line in
        line.contains("sync") && line.hasSuffix("= 0")
      }
      #expect(written < (synced ?? .max) && (synced ?? .max) < answered, "\(lines[written...answered])")
    }
  }
}
