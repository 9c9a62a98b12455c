import JSON
import Syscalls
import TestSupport
import Testing

@Suite("finding the server")
struct LookupTests {
  private let host = Certificates.host

  /// Waits for an account's `status` while the name server answers.
  private func status(
    of daemon: Daemon, serving names: ScriptedNameServer, where fits: (JSONValue) -> Bool
  ) throws -> JSONValue {
    let client = try daemon.client()
    try client.ask("watch kinds=connection")
    try client.send("status")
    while true {
      guard try client.waitToRead(or: names.fd.raw) else {
        try names.serve()
        continue
      }
      guard let line = try client.line() else { throw TestFailure("the daemon closed") }
      if let account = line["account"], account["state"] != nil, fits(account) { return account }
      if line["event"] != nil { try client.send("status") }
    }
  }

  @Test("a name server that comes with reload is asked at once, and leads past servers that are down")
  func realNameServer() throws {
    let folder = try TemporaryFolder("lookup")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let records = [
        "srv-host=_xmpps-client._tcp.\(host),down.\(host),\(try freePort()),1",
        "srv-host=_xmpps-client._tcp.\(host),nowhere.\(host),5223,2",
        "srv-host=_xmpp-client._tcp.\(host),alias.\(host),\(prosody.startTLSPort),3", "cname=alias.\(host),im.\(host)",
        "host-record=down.\(host),127.0.0.1,::1", "host-record=im.\(host),127.0.0.1,::1",
      ]
      let names = try Dnsmasq(in: folder, zone: host, records: records)
      let alice = Daemon.Account(
        "alice", password: "secret-a", port: nil, tls: "auto", authority: prosody.authority)
      let daemon = try Daemon(
        in: folder, accounts: [alice], settings: ["dns-server = 127.0.0.1:\(try freePort())"])
      _ = try daemon.status { $0.text("state") == "waiting" && $0.text("reason").contains("DNS") }
      try daemon.configure(accounts: [alice], settings: ["dns-server = \(names.address)"])
      #expect(try daemon.client().ask("reload").final["changed"]?.array?.map(\.string) == ["dns-server"])
      let account = try daemon.status { $0.text("state") == "online" }
      #expect(account.text("server") == "127.0.0.1:\(prosody.startTLSPort)")
      #expect(daemon.log.contains("nothing listens at 127.0.0.1"))
      #expect(daemon.log.contains("nowhere.\(host) has no address"))
    }
  }

  @Test("the domain's service records lead to it, in the order of their priority")
  func services() throws {
    let folder = try TemporaryFolder("lookup")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      let names = try ScriptedNameServer()
      names.records = [
        "_xmpps-client._tcp.\(host)": [
          .srv(priority: 9, weight: 0, port: server.directTLSPort, target: "xmpp.\(host)"),
          .srv(priority: 1, weight: 0, port: try freePort(), target: "down.\(host)"),
        ],
        "_xmpp-client._tcp.\(host)": [.srv(priority: 5, weight: 0, port: server.startTLSPort, target: "xmpp.\(host)")],
        "xmpp.\(host)": [.a([127, 0, 0, 1])],
        "down.\(host)": [.a([127, 0, 0, 1])],
      ]
      let daemon = try Daemon(
        in: folder,
        accounts: [.init("alice", password: "secret-a", port: nil, tls: "auto", authority: server.authority)],
        settings: ["dns-server = \(names.address)"])
      let account = try status(of: daemon, serving: names) { $0.text("state") == "online" }
      #expect(account.text("server") == "127.0.0.1:\(server.startTLSPort)")
      #expect(names.questions.contains("A down.\(host)"))
      #expect(try server.event("secured").text("name") == host)
    }
  }

  @Test("a server whose name nobody knows, and a domain that says it has no service, are told in words")
  func unknown() throws {
    let folder = try TemporaryFolder("lookup")
    try folder.reportingLogs {
      let names = try ScriptedNameServer()
      for kind in ["xmpps", "xmpp"] {
        names.records["_\(kind)-client._tcp.\(host)"] = [.srv(priority: 0, weight: 0, port: 0, target: "")]
      }
      let authority = try Certificates.authority()
      let daemon = try Daemon(
        in: folder,
        accounts: [
          .init("alice", password: "secret-a", port: nil, tls: "auto", authority: authority),
          .init(
            "bob", password: "secret-b", port: nil, tls: "auto", authority: authority,
            more: ["server = nowhere.invalid:5222"]),
        ], settings: ["dns-server = \(names.address)"])
      let none = try status(of: daemon, serving: names) { $0.text("name") == "alice" && $0.text("state") == "waiting" }
      #expect(none.text("reason") == "example.test declares in DNS that it has no XMPP service for clients")
      let lost = try status(of: daemon, serving: names) { $0.text("name") == "bob" && $0.text("state") == "waiting" }
      #expect(lost.text("reason").contains("nowhere.invalid"))
      #expect(daemon.log.contains("nowhere.invalid"))
    }
  }

  @Test("through a proxy the proxy alone looks names up, and TLS is with the server all the same")
  func throughProxy() throws {
    let folder = try TemporaryFolder("proxy")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let names = try ScriptedNameServer()
      let proxy = try PrivateProxy(
        in: folder,
        places: [
          "\(host):5223": "127.0.0.1:\(prosody.directTLSPort)",
          "abcdefgh.onion:5222": "127.0.0.1:\(prosody.startTLSPort)",
        ], user: "confab", password: "g:e@heim")
      let line = "proxy = socks5://confab:g%3Ae%40heim@127.0.0.1:\(proxy.port)"
      func account(_ user: String, _ more: [String]) -> Daemon.Account {
        .init(
          user, password: "secret-\(user.prefix(1))", port: nil, tls: "auto", authority: prosody.authority,
          more: more + [line])
      }
      let daemon = try Daemon(
        in: folder, accounts: [account("alice", []), account("bob", ["server = abcdefgh.onion"])],
        settings: ["dns-server = \(names.address)"])
      for (name, place) in [("alice", "\(host):5223"), ("bob", "abcdefgh.onion:5222")] {
        let account = try daemon.status(name) { $0.text("state") == "online" }
        #expect(account.text("server") == "\(place) through 127.0.0.1:\(proxy.port)")
      }
      let asked = try (0..<3).map { _ in try proxy.asked() }
      #expect(
        Set(asked.map { "\($0.text("host")) \($0["port"]?.integer ?? 0)" })
          == ["\(host) 5222", "\(host) 5223", "abcdefgh.onion 5222"])
      #expect(asked.allSatisfy { $0.text("type") == "name" && $0.text("user") == "confab" })
      try names.serve()
      #expect(names.questions.isEmpty)
      #expect(!daemon.log.contains("heim"))
    }
  }

  @Test("a port on which nobody listens is told in words, and tried again")
  func nobodyListens() throws {
    let folder = try TemporaryFolder("lookup")
    try folder.reportingLogs {
      let daemon = try Daemon(
        in: folder,
        accounts: [
          .init("alice", password: "secret-a", port: try freePort(), tls: "direct", authority: Certificates.authority())
        ])
      let account = try daemon.status { $0.text("state") == "waiting" }
      #expect(account.text("reason").contains("refused"))
      let client = try daemon.client()
      try client.ask("watch kinds=connection")
      _ = try client.event("connection") { $0.text("state") == "connecting" }
      _ = try client.event("connection") { $0.text("state") == "waiting" }
    }
  }
}
