import JSON
import TestSupport
import Testing

/// `confab doctor` over real servers: what is well, and what is wrong and how it is said.
@Suite("The doctor")
struct DoctorTests {
  /// Its lines, with and without `--json`; nothing of a password is in either. It has no terminal, whatever TERM says.
  private func examine(
    _ file: String, _ more: [String] = [], status: Int32, program: String = "confab"
  ) throws -> [JSONValue] {
    let shown = try Program.run([Products.program("confab"), "doctor", "--config", file] + more)
    #expect(shown.status == .exited(status), "\(shown.text)\(shown.errorText)")
    let done = try Program.run([Products.program("confab"), "--json", "doctor", "--config", file] + more)
    #expect(done.status == .exited(status), "\(done.text)\(done.errorText)")
    #expect(!(shown.text + shown.errorText + done.text + done.errorText).contains("secret-"))
    return try lines(done)
  }

  private func lines(_ done: Program.Finished) throws -> [JSONValue] {
    try done.text.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)) }
  }

  /// `check result` of each line but the clock's and the disk's, which are the machine's own.
  private func results(_ lines: [JSONValue], account: String? = nil) -> [String] {
    lines.filter { !["clock", "disk"].contains($0.text("check")) && (account == nil || $0.text("account") == account) }
      .map { "\($0.text("check")) \($0.text("result"))" }
  }

  private func text(_ lines: [JSONValue], _ check: String, _ account: String = "") -> String {
    lines.filter { $0.text("check") == check && $0.text("account") == account }.map { $0.text("text") }
      .joined(separator: "\n")
  }

  @Test("a daemon in order, and then one that is stopped", arguments: ["direct", "starttls"])
  func allWell(tls: String) throws {
    try withProsody(tls: tls) { world throws in
      let lines = try examine(world.daemon.configurationPath, status: 0)
      #expect(
        results(lines) == [
          "configuration ok", "permissions ok", "permissions ok", "permissions ok", "permissions ok", "dns ok",
          "port ok", "certificate ok", "daemon ok", "account ok", "encryption ok",
        ])
      #expect(
        text(lines, "certificate", "alice").contains(tls == "direct" ? "(direct TLS): TLSv1.3" : "(STARTTLS): TLSv1.3"))
      #expect(text(lines, "certificate", "alice").contains("good until 20"))
      #expect(text(lines, "disk").contains("written and synced in"))
      #expect(!TestFiles.names(in: world.daemon.dataPath).contains { $0.hasPrefix(".doctor") })
      #expect(try world.client.request("ping").isOK, "it was not disturbed")
      try world.daemon.terminate()
      let stopped = try examine(world.daemon.configurationPath, status: 0)
      #expect(results(stopped).suffix(2) == ["certificate ok", "daemon warning"])
      #expect(stopped.last?.text("advice").contains("enable --now confabd") == true)
    }
  }

  @Test("what a server shows and a network does not let through is told with what to do")
  func badServers() throws {
    let folder = try TemporaryFolder("doctor")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder, certificate: .expired)
      let bob = prosody.account("bob", tls: "starttls")
      var nobody = prosody.account("nobody")
      nobody.port = try freePort()
      var noTLS = prosody.account("mixed")
      noTLS.port = prosody.startTLSPort
      let daemon = try Daemon(in: folder, accounts: [prosody.account("alice"), bob, nobody, noTLS])
      let lines = try examine(daemon.configurationPath, status: 1)
      for name in ["alice", "bob"] {
        #expect(results(lines, account: name).contains("certificate wrong"))
        #expect(text(lines, "certificate", name).contains("expired at"))
      }
      #expect(text(lines, "port", "nobody").contains("nothing listens at 127.0.0.1"))
      #expect(text(lines, "certificate", "mixed").contains("does not speak TLS"))
      #expect(lines.filter { $0.text("result") == "wrong" }.allSatisfy { !$0.text("advice").isEmpty })
    }
  }

  @Test("service records and addresses; one place of several that is down is a warning")
  func names() throws {
    let folder = try TemporaryFolder("doctor")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let host = Certificates.host
      let names = try Dnsmasq(
        in: folder, zone: host,
        records: [
          "srv-host=_xmpps-client._tcp.\(host),down.\(host),\(try freePort()),1",
          "srv-host=_xmpp-client._tcp.\(host),im.\(host),\(prosody.startTLSPort),3",
          "host-record=down.\(host),127.0.0.1", "host-record=im.\(host),127.0.0.1,::1",
        ])
      let account = { (name: String, jid: String) in
        var account = Daemon.Account(
          name, password: "secret-a", port: nil, tls: "auto", authority: prosody.authority)
        account.jid = jid
        return account
      }
      let daemon = try Daemon(
        in: folder, accounts: [account("alice", "alice@\(host)"), account("lost", "x@nowhere.\(host)")],
        settings: ["dns-server = \(names.address)"])
      let lines = try examine(daemon.configurationPath, status: 1)
      #expect(results(lines, account: "alice").contains("port warning"))
      #expect(!results(lines, account: "alice").contains { $0.hasSuffix("wrong") })
      let places = text(lines, "dns", "alice")
      #expect(places.contains("down.\(host):") && places.contains("im.\(host):\(prosody.startTLSPort) (STARTTLS) = "))
      #expect(places.contains("127.0.0.1") && places.contains("::1"))
      #expect(results(lines, account: "lost").contains("dns wrong"))
      #expect(text(lines, "dns", "lost").contains("no address of nowhere.\(host)"))
    }
  }

  @Test("files that others can read or change, and a configuration that is none")
  func files() throws {
    let folder = try TemporaryFolder("doctor")
    let password = try folder.write("password", "secret-a\n", mode: 0o644)
    let data = try folder.makeFolder("data", mode: 0o755)
    let sockets = try folder.makeFolder("sockets", mode: 0o777)
    try folder.letOthersThrough()
    _ = try Program.run(["chmod", "0777", sockets])
    let settings = "[daemon]\ndata = \(data)\nsocket = \(sockets)/socket\n"
    let account = "[account home]\njid = a@example.test\nserver = 127.0.0.1:\(try freePort())\n"
    let file = try folder.write("confab.conf", settings + account + "password-file = \(password)\n", mode: 0o666)
    _ = try Program.run(["chmod", "0666", file])
    let lines = try examine(file, status: 1)
    #expect(text(lines, "permissions", "home").contains("mode 644"))
    let advice = lines.filter { $0.text("check") == "permissions" }.map { $0.text("advice") }.joined(separator: "\n")
    #expect(lines.contains { $0.text("result") == "wrong" && $0.text("advice") == "chmod go-w \(file)" })
    for word in ["chmod go-w \(file)", "chmod 600 \(password)", "chmod 700 \(data)", "chmod go-w \(sockets)"] {
      #expect(advice.contains(word), "\(advice)")
    }
    _ = try Program.run(["chmod", "0777", data])
    let open = try examine(file, status: 1).filter { $0.text("result") == "wrong" }.map { $0.text("text") }
    #expect(
      open.contains { $0.hasPrefix("others can change the conversations and queued messages in \(data)") }, "\(open)")
    try folder.write("confab.conf", settings + account + "password = secret-a\n")
    _ = try Program.run(["chmod", "0644", file])
    let readable = try examine(file, status: 1)
    #expect(results(readable) == ["configuration wrong", "daemon warning"])
    #expect(text(readable, "configuration").contains("644"))
    let missing = try examine(folder.file("nothing"), status: 1)
    #expect(text(missing, "configuration").contains("found none"))
  }

  @Test("a login is tried without announcing anybody")
  func login() throws {
    let folder = try TemporaryFolder("doctor")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder, accounts: ["alice": "secret-a"])
      let file = try folder.write(
        "confab.conf",
        "[daemon]\nsocket = \(folder.file("socket"))\ndata = \(folder.file("data"))\n"
          + "[account home]\njid = alice@example.test\npassword = secret-a\nca-file = \(server.authority)\n"
          + "server = 127.0.0.1:\(server.directTLSPort)\ntls = direct\n")
      let done = try Program.run([Products.program("confabd"), "--doctor", "--login", "--config", file])
      #expect(done.status == .exited(0), "\(done.text)")
      #expect(text(try lines(done), "login", "home").contains("logged in as alice@example.test/"))
      try server.event("end")
      #expect(!server.waitingEvents().contains { $0.text("name") == "presence" || $0.text("xml").contains("presence") })
      #expect(!TestFiles.exists(folder.file("data")))
      #expect(try Program.run([Products.program("confabd"), "--login"]).status == .exited(64))
    }
  }
}
