import JSON
import TestSupport
import Testing

@Suite("A room with slixmpp, profanity, mcabber, go-sendxmpp and a second Confab")
struct RoomClientsTests {
  private static let room = "team@rooms.example.test"
  private static let accounts = [
    "alice": "secret-a", "bob": "secret-b", "carol": "secret-c", "dave": "secret-d", "erin": "secret-e",
    "frank": "secret-f",
  ]

  private let folder: TemporaryFolder
  private let server: Prosody

  init() throws {
    folder = try TemporaryFolder("room-clients")
    server = try Prosody(in: folder, accounts: Self.accounts, rooms: true)
  }

  private func daemon(_ name: String) throws -> Daemon {
    let daemon = try Daemon(name, in: folder, accounts: [server.account(name, tls: "direct")])
    try daemon.client().waitUntilOnline()
    return daemon
  }

  private func profanity() throws -> OtherClient {
    let client = try OtherClient.profanity("dave", password: "secret-d", at: server, in: folder)
    try client.enter("/join \(Self.room)")
    try client.terminal.wait(for: "joined the room as dave")
    return client
  }

  private func mcabber() throws -> OtherClient {
    let client = try OtherClient.mcabber("erin", password: "secret-e", at: server, in: folder)
    try client.enter("/room join \(Self.room) erin")
    try client.terminal.wait(for: "You have joined \(Self.room) as")
    // Shows the room, and not what the server says.
    try client.enter("/roster search \(Self.room)")
    try client.enter("")
    return client
  }

  private func goSendXMPP(_ options: [String]) -> [String] {
    [
      "go-sendxmpp", "--no-tls-verify", "--jserver", "127.0.0.1:\(server.startTLSPort)", "--username",
      "frank@example.test", "--password", "secret-f",
    ] + options + ["--alias", "frank", "--chatroom", Self.room]
  }

  @Test("each reads what Confab says, and what each says is there once, in order and under its nick")
  func talk() throws {
    try folder.reportingLogs {
      let (alice, bob) = (try daemon("alice"), try daemon("bob"))
      let client = try alice.client()
      #expect(try client.request("join create=yes wait=joined \(Self.room)").isOK)
      #expect(try bob.client().request("join wait=joined nick=bobby \(Self.room)").isOK)
      let carol = try Peer("carol", password: "secret-c", at: server, in: folder)
      try carol.send(
        xml: "<presence to='\(Self.room)/carol'><x xmlns='http://jabber.org/protocol/muc'/></presence>")
      let (dave, erin) = (try profanity(), try mcabber())
      let watcher = try alice.client()
      #expect(try watcher.request("watch since=0 kinds=message,edit,member").isOK)
      let frank = try OtherClient(
        goSendXMPP(["--listen"]), in: folder, home: folder.makeFolder("go-sendxmpp"), columns: 162)
      _ = try watcher.event("member") { $0["member"]?.text("nick") == "frank" }
      #expect(try client.request("send wait=delivered \(Self.room) from Confab").isOK)
      _ = try carol.event("message") { $0.text("text") == "from Confab" }
      for other in [dave, erin, frank] { try other.terminal.wait(for: "from Confab") }

      func heard(_ text: String) throws { _ = try watcher.event("message") { $0["message"]?.text("text") == text } }
      try carol.send("from slixmp", to: Self.room, id: "c1", type: "groupchat")
      try heard("from slixmp")
      try carol.send(
        xml: "<message to='\(Self.room)' type='groupchat' id='c2'><body>from slixmpp</body>"
          + "<replace xmlns='urn:xmpp:message-correct:0' id='c1'/></message>")
      _ = try watcher.event("edit")
      try dave.enter("from profanity")
      try heard("from profanity")
      try dave.enter("/msg alice psst")
      try heard("psst")
      try erin.enter("from mcabber")
      try heard("from mcabber")
      let sent = try Program.run(goSendXMPP([]), input: Array("from go-sendxmpp\n".utf8))
      #expect(sent.status == .exited(0), "\(sent.errorText)")
      try heard("from go-sendxmpp")
      #expect(try bob.client().request("send wait=delivered \(Self.room) from bob").isOK)
      try heard("from bob")

      let expected = [
        "alice: from Confab", "carol: from slixmpp", "dave: from profanity", "erin: from mcabber",
        "frank: from go-sendxmpp", "bobby: from bob",
      ]
      for daemon in [alice, bob] {
        let history = try daemon.client().wholeHistory(Self.room)
        #expect(history.map { "\($0.text("nick")): \($0.text("text"))" } == expected)
      }
      #expect(try client.wholeHistory(Self.room)[1]["edited"] != nil)
      let whispered = try client.wholeHistory("\(Self.room)/dave")
      #expect(whispered.map { "\($0.text("nick")): \($0.text("text"))" } == ["dave: psst"])
      for other in [dave, erin, frank] { try other.terminal.close() }
    }
  }
}
