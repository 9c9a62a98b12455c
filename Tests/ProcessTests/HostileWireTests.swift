import JSON
import TestSupport
import Testing

/// What only real TCP and TLS show, and what a real process makes of a flood. The tables of what servers and contacts say
/// are ConfabEngineTests' HostileLoginTests and HostileSessionTests.
@Suite("hostile servers, on the wire")
struct HostileWireTests {
  private func isAlive(_ world: World<ScriptedServer>) throws {
    try world.server.send("<iq type='get' id='alive' from='example.test'><ping xmlns='urn:xmpp:ping'/></iq>")
    let answer = try world.server.received("iq") { $0.contains("'alive'") }
    #expect(answer.contains("type='result'") || answer.contains("type=\"result\""))
  }

  @Test(
    "records of a byte, cut within characters, in segments of a byte: a login, and a message, as if it were whole",
    arguments: [(1, 1), (3, nil), (16384, 5)] as [(Int64, Int64?)], ["direct", "starttls"])
  func pieces(size: (record: Int64, segment: Int64?), tls: String) throws {
    let prepare = { (server: ScriptedServer) in
      let segment = size.segment.map { [JSONMember("segment", .integer($0))] } ?? []
      try server.command("set", [JSONMember("chunk", .integer(size.record))] + segment)
    }
    try withScriptedServer(tls: tls, prepare: prepare) { world throws in
      let text = "\u{1F469}\u{200D}\u{1F680} \u{E9}\u{65}\u{301} \u{65E5}\u{672C}\u{8A9E} &amp; \u{10FFFF}"
      try world.deliver(text, id: "1")
      let watcher = try world.daemon.client()
      try watcher.ask("watch since=0 kinds=message")
      let message = try #require(try watcher.event("message")["message"])
      #expect(message.hasText(text.replacing("&amp;", with: "&")))
      try isAlive(world)
    }
  }

  @Test("encryption that is stripped, refused, or injected into in the same segment is no way to a login")
  func encryption() throws {
    let tls = "xmlns='urn:ietf:params:xml:ns:xmpp-tls'"
    let header =
      "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0' id='x'>"
    let login =
      "<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism>"
      + "<mechanism>SCRAM-SHA-256</mechanism></mechanisms></stream:features>"
    try withScriptedServer(tls: "starttls", prepare: { try $0.rule(on: "header", send: header + login, times: 1) }) {
      world throws in
      // It is online: the second time the server was good.
      let deeds = [
        ("header", header + login, "no encryption"),
        ("starttls", "<failure \(tls)/></stream:stream>", "refused to start"),
        ("starttls", "<proceed \(tls)/>" + login, "spoke before"), ("starttls", "<proceed \(tls)/> ", "spoke before"),
        ("starttls", "<proceed \(tls)/><", "spoke before"),
        ("starttls", "<proceed \(tls)/><message><body>sneaked</body></message>", "spoke before"),
      ]
      for (stage, text, words) in deeds {
        let before = try logins(world)
        // For as long as it is asked: what fails ahead of the server is tried again at once, word by word.
        try world.server.rule(on: stage, send: text)
        try world.server.command("cut")
        try world.daemon.status { $0.text("reason").contains(words) }
        #expect(try logins(world) == before, "\(stage) \(text)")
        try world.client.ask("connect")
        try world.client.waitUntilOnline()
      }
      try isAlive(world)
      #expect(try world.client.ask("conversations").data.isEmpty)
    }
  }

  /// How often the server was asked for a login.
  private func logins(_ world: World<ScriptedServer>) throws -> Int {
    // What it has reported until now has been read when this is done.
    try world.server.command("rules")
    return world.server.waitingEvents().count { $0.text("stage") == "auth" }
  }

  /// Online, and what went ahead of the server is answered: a link that fails before that is tried again at once, word by
  /// word, rather than after a pause.
  private func waitUntilUnderstood(_ world: World<ScriptedServer>) throws {
    try world.client.waitUntilOnline()
    // It comes behind the request for the roster, whose answer ends the login.
    try world.server.waitForPresence()
    try isAlive(world)
  }

  @Test("what is no TLS, or breaks it, ends the connection, in words; the next one is good")
  func broken() throws {
    try withScriptedServer { world throws in
      // An HTTP server, an old SSL, an alert, zeros, and one that says nothing and goes.
      for bytes in [
        "SFRUUC8xLjEgNDAwIEJhZCBSZXF1ZXN0DQoNCg==", "FgMAAAUCAAABAA==", "FQMDAAICKA==", "AAAAAAAAAAAAAAAAAAAA", "",
      ] {
        try world.server.rule(
          on: "connect", send: .object([JSONMember("base64", .string(bytes)), JSONMember("repeat", .integer(1))]),
          then: .close, times: 1)
        let account = try world.daemon.status(after: { try world.server.command("cut") }) {
          $0.text("state") == "waiting" && !$0.text("reason").contains("was cut")
        }
        #expect(!account.text("reason").isEmpty && account["sasl"] == nil)
        try world.client.ask("connect")
        try waitUntilUnderstood(world)
      }
      // Behind TLS: bytes that are not of it, a forged record, and a header that promises too much.
      for bytes in ["PG1lc3NhZ2UvPg==", "FwMDABAAAAAAAAAAAAAAAAAAAAAA", "FwMD//8AAAAA"] {
        let deed = [JSONMember("send", .object([JSONMember("base64", .string(bytes))]))]
        try world.daemon.status(after: { try world.server.command("raw", deed) }) {
          $0.text("state") == "waiting" && $0.text("reason").contains("TLS")
        }
        try world.client.ask("connect")
        try waitUntilUnderstood(world)
      }
    }
  }

  /// One of each kind that can come without end, `$n` counting.
  private static let flood =
    "<iq type='get' id='q$n' from='example.test'><ping xmlns='urn:xmpp:ping'/></iq>"
    + "<iq type='get' id='d$n' from='s$n@evil.test/x'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>"
    + "<iq type='result' id='r$n'/><iq type='error' id='e$n' from='s$n@evil.test'/>"
    + "<iq type='set' id='p$n'><query xmlns='jabber:iq:roster' ver='$n'><item jid='c$n@example.test' name='n'/></query></iq>"
    + "<iq type='set' id='f$n' from='s$n@evil.test'><query xmlns='jabber:iq:roster'><item jid='x@y'/></query></iq>"
    + "<presence from='s$n@evil.test/x'><status>\(String(repeating: "s", count: 300))</status></presence>"
    + "<presence from='c1@example.test/r$n'/><presence type='subscribe' from='a$n@evil.test'/>"
    + "<presence type='unavailable' from='s$n@evil.test/x'/><presence from='no address @$n'/>"
    + "<message type='error' id='m$n' from='s$n@evil.test'><body>no</body></message>"
    + "<message from='s$n@evil.test/x' id='x$n'><x xmlns='urn:x'>\(String(repeating: "x", count: 1_000))</x></message>"
    + "<message from='bob@example.test/x' id='b$n'><body>\(String(repeating: "b", count: 300))</body></message>"
    + "<message from='t$n@evil.test/x' id='t$n'><body>t</body><x xmlns='urn:x' a='&quot;&quot;&quot;'/></message>"
    + "<message from='s$n@evil.test/x' id='l$n'>\(String(repeating: "<a>", count: 70))"
    + "\(String(repeating: "</a>", count: 70))</message>"

  @Test("a flood of everything leaves the daemon small, and answering")
  func flood() throws {
    let folder = try TemporaryFolder("flood")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      let world = try World(server, in: folder)
      let processID = try #require(world.daemon.processID)
      try server.command("set", [JSONMember("quiet", .bool(true))])
      let bytes = try server.flood(Self.flood, count: 8_000)
      #expect(bytes > 20 << 20)
      // As long as a stanza may be, and six times as long when it is written again.
      let swelling = String(repeating: "'", count: 1_000_000)
      try server.flood(
        "<message from='v@evil.test' id='$n'><body>v</body><x xmlns='urn:x' a=\"\(swelling)\"/></message>", count: 8)
      try server.command("set", [JSONMember("quiet", .bool(false))])
      try isAlive(world)
      let usage = try ProcessUsage(of: processID)
      #expect(usage.peakKiB < 64 * 1024, "\(usage.peakKiB) KiB after \(bytes) bytes")
      #expect(try world.client.ask("ping").isOK)
      let lines = world.daemon.log.split(separator: "\n").count
      #expect(lines < 500, "lines of the journal")
      #expect(try world.client.account().text("state") == "online")
    }
  }

  @Test("a hundred watchers that do not listen while three thousand contacts come and go leave it small")
  func deafWatchers() throws {
    let roster = (0..<3_000).map { "<item jid='c\($0)@example.test' subscription='both'/>" }.joined()
    let prepare = { (server: ScriptedServer) in
      try server.command("set", [JSONMember("roster", .string(roster))])
    }
    try withScriptedServer(prepare: prepare) { world throws in
      let processID = try #require(world.daemon.processID)
      let deaf = try (1...100).map { _ in
        let client = try world.daemon.client()
        try client.send("watch")
        return client
      }
      try world.server.command("set", [JSONMember("quiet", .bool(true))])
      for show in ["away", "xa", "dnd", "chat"] {
        let status = String(repeating: show, count: 1_000 / show.utf8.count)
        try world.server.flood(
          "<presence from='c$n@example.test/x'><show>\(show)</show><status>\(status)</status></presence>", count: 3_000)
      }
      try world.server.command("set", [JSONMember("quiet", .bool(false))])
      try isAlive(world)
      let peak = try ProcessUsage(of: processID).peakKiB
      #expect(peak < 64 * 1024, "\(peak) KiB")
      // Who listens at last is told how everybody is now.
      var last: [String: String] = [:]
      while last.values.count(where: { $0 == "chat" }) < 3_000 {
        let news = try deaf[50].event("presence")
        last[news.text("jid")] = news.text("show")
      }
      #expect(deaf.count == 100)
    }
  }
}
