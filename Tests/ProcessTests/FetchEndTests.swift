import JSON
import Syscalls
import TestSupport
import Testing

/// Fetches of a file that never comes, and that nobody waits for any longer.
@Suite("fetches that end early")
struct FetchEndTests {
  enum Way: CaseIterable { case interrupt, stop }

  /// A web server that is silent, and the id of a message with a file of it.
  private func withFile(_ body: (World<ScriptedServer>, HelperProcess, Int64) throws -> Void) throws {
    let folder = try TemporaryFolder("fetch-end")
    try folder.reportingLogs {
      let web = try HelperProcess("hostile_http.py", [], log: folder.file("hostile_http.log"))
      let port = try web.event("ready").port("http")
      let server = try ScriptedServer(in: folder, accounts: ["alice": "secret-a", "bob": "secret-b"])
      let world = try World(server, in: folder, settings: ["fetch-private = yes"])
      let watcher = try world.daemon.client()
      _ = try watcher.request("watch since=0 kinds=message")
      let url = "http://127.0.0.1:\(port)/silent"
      try server.send(
        "<message from='bob@example.test/x' to='${jid}' type='chat' id='f'><body>\(url)</body>"
          + "<x xmlns='jabber:x:oob'><url>\(url)</url></x></message>")
      try body(world, web, try watcher.event("message")["message"]?["id"]?.integer ?? 0)
    }
  }

  private func confab(_ world: World<ScriptedServer>, _ id: Int64, to path: String) throws -> ChildProcess {
    let null = try Files.openForReading("/dev/null")
    let words = ["--socket", world.daemon.socketPath, "fetch", "\(id)", "--output", path]
    return try ChildProcess([Products.program("confab")] + words, input: null.raw, output: null.raw, error: null.raw)
  }

  /// Waits until neither a helper of the daemon nor an unfinished file is there.
  private func isAtRest(_ daemon: Daemon) throws -> Bool {
    let deadline = Deadline.seconds(60)
    let files = daemon.dataPath + "/files"
    while !daemon.helpers.isEmpty || TestFiles.below(files).contains(where: { $0.contains("new-") }) {
      if deadline.hasPassed { return false }
      _ = try Descriptors.wait(toRead: -1, milliseconds: 10)
    }
    return true
  }

  @Test("A fetch that is interrupted or stopped leaves nothing behind", arguments: Way.allCases)
  func ended(way: Way) throws {
    try withFile { world, web, id in
      _ = try world.folder.makeFolder("saved")
      if way == .stop { try world.client.send("fetch tag=f \(id)") }
      let process = way == .stop ? nil : try confab(world, id, to: world.folder.file("saved/cat"))
      _ = try web.event("request")
      #expect(!world.daemon.helpers.isEmpty)
      if let process {
        process.kill(2)
        #expect(try process.wait() == .killed(signal: 2))
      } else {
        try world.client.send("fetch-stop tag=s \(id)")
        let answers = [try world.client.line(), try world.client.line()]
        #expect(answers.map { $0?.text("tag") } == ["s", "f"] && answers.last??.text("error") == "failed")
      }
      #expect(try isAtRest(world.daemon))
      #expect(TestFiles.names(in: world.folder.file("saved")).isEmpty)
    }
  }
}
