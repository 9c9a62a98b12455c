import JSON
import TestSupport
import Testing

@Suite("Addresses beyond ASCII")
struct PreparedAddressTests {
  @Test("reach whom they name however they are typed, and what comes back is in the same conversation")
  func bothWays() throws {
    let folder = try TemporaryFolder("addresses")
    try folder.reportingLogs {
      let server = try Prosody(
        in: folder, accounts: ["alice": "secret-a", "bob": "secret-b", "\u{436}\u{443}\u{43A}": "secret-b"])
      let world = try World(server, in: folder)
      try world.client.ask("watch kinds=message")
      for (name, typed) in [
        ("bob", "\u{FF22}\u{FF4F}\u{FF42}@Example.TEST."),
        ("\u{436}\u{443}\u{43A}", "\u{416}\u{423}\u{41A}@EXAMPLE.test"),
      ] {
        let peer = try Peer(name, password: "secret-b", at: server, in: folder)
        let client = try world.daemon.client()
        try client.ask("send \(typed) hello")
        #expect(try peer.message().text("text") == "hello")
        try peer.send("back", to: "alice@example.test")
        _ = try world.client.event("message") { $0["message"]?.text("text") == "back" }
        #expect(try client.history(typed).map { $0.text("text") } == ["hello", "back"])
        #expect(try client.history("\(name)@example.test").count == 2)
      }
    }
  }

  @Test("are those that Prosody makes of them: logins, rosters, receipts and other devices")
  func spelledByProsody() throws {
    let folder = try TemporaryFolder("addresses")
    try folder.reportingLogs { try spelled(by: Prosody(in: folder, accounts: Self.spelledAccounts), in: folder) }
  }

  @Test("are those that ejabberd makes of them: logins, rosters, receipts and other devices")
  func spelledByEjabberd() throws {
    let folder = try TemporaryFolder("addresses")
    try folder.reportingLogs { try spelled(by: Ejabberd(in: folder, accounts: Self.spelledAccounts), in: folder) }
  }

  /// As nodeprep spells them.
  private static let spelledAccounts = [
    "strasse": "secret-a", "\u{3B3}\u{3B9}\u{3CE}\u{3C1}\u{3B3}\u{3BF}\u{3C3}": "secret-b", "a\u{2605}b": "secret-c",
  ]

  private func spelled(by server: some AccountServer, in folder: TemporaryFolder) throws {
    let (street, george) = ("Stra\u{DF}e", "\u{393}\u{3B9}\u{3CE}\u{3C1}\u{3B3}\u{3BF}\u{3C2}")
    let daemons = try [("a", street), ("b", george), ("c", "a\u{2605}b")].map { name, user in
      var account = Daemon.Account(
        user, password: "secret-\(name)", port: server.directTLSPort, tls: "direct", authority: server.authority)
      account.name = name
      return try Daemon(name, in: folder, accounts: [account])
    }
    let clients = try daemons.map { try $0.client() }
    for client in clients { try client.waitUntilOnline() }
    #expect(try clients[0].account().text("jid") == "strasse@example.test")
    try befriend(clients[0], clients[1], street + "@example.test", george + "@example.test")

    let sent = try clients[0].request("send wait=delivered timeout=60s \(george)@example.test hello")
    #expect(sent.isOK && sent.final.text("state") == "delivered", "\(sent.final)")
    try clients[1].ask("send \(street)@example.test back")
    try clients[2].ask("watch kinds=message")
    try clients[1].ask("send a\u{2605}b@example.test star")
    _ = try daemons[2].client().request("status for=online timeout=60s")
    _ = try clients[2].event("message") { $0["message"]?.text("text") == "star" }

    // Another device of the account.
    try clients[1].ask("watch kinds=message")
    let phone = try Peer("strasse", password: "secret-a", at: server, in: folder)
    let watcher = try daemons[0].client()
    try watcher.ask("watch since=0 kinds=message")
    try phone.send("from the phone", to: george.lowercased() + "@example.test")
    let copy = try watcher.event("message") { $0["message"]?.text("text") == "from the phone" }
    #expect(copy["message"]?["mine"]?.bool == true)
    _ = try clients[1].event("message") { $0["message"]?.text("text") == "from the phone" }
    for (client, other) in [(0, george), (1, street)] {
      #expect(try daemons[client].client().history(other + "@example.test").count == 3)
    }
  }

  /// Makes them contacts of each other.
  private func befriend(_ one: SocketClient, _ other: SocketClient, _ jid: String, _ otherJID: String) throws {
    for (asking, asked, askingJID, askedJID) in [(one, other, jid, otherJID), (other, one, otherJID, jid)] {
      try asked.ask("watch kinds=roster")
      try asking.ask("add \(askedJID)")
      _ = try asked.event("roster") { $0["contact"]?["request"]?.bool == true }
      try asked.ask("accept \(askingJID)")
      try asked.ask("unwatch")
    }
  }
}
