import JSON
import TestSupport
import Testing

/// A wrong certificate, password or host: no secret goes out, and `status` says in words what is wrong.
@Suite("Logging in where it must not be")
struct CertificateTests {
  /// Every certificate that proves nothing, and what `status` says of it.
  private static let refused: [(kind: Certificates.Kind, words: String)] = [
    (.wrongHost, "is for elsewhere.invalid, not for example.test"), (.expired, "expired at 2020-02-01"),
    (.early, "not valid before 2090-01-01"), (.untrusted, "not trusted"), (.selfSigned, "signed by itself"),
    (.byAServer, "invalid CA"), (.commonName, "names no host"), (.wildcard, "is for e*.test, not for example.test"),
    (.nul, "is for example.test?.evil.invalid, not for"), (.clientOnly, "purpose"),
  ]

  @Test(
    "a certificate that does not prove the server is refused, in words, and nothing of a login is ever sent",
    arguments: ["direct", "starttls"])
  func certificates(tls: String) throws {
    let folder = try TemporaryFolder("certificate")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder, certificate: .wrongHost)
      let world = try World(server, in: folder, tls: tls, online: false)
      for (kind, words) in Self.refused {
        try present(kind, server)
        try world.client.ask("connect")
        let account = try world.daemon.status { $0["retry_at"] != nil && $0.text("reason").contains(words) }
        #expect(account.text("state") == "waiting" && account["sasl"] == nil)
        #expect(world.daemon.log.contains(words))
      }
      #expect(!world.daemon.log.contains("secret-"))
      try present(.good, server)
      #expect(!server.waitingEvents().contains { $0.text("stage") == "auth" || $0.text("xml").contains("alice") })
      try world.client.ask("connect")
      try world.client.waitUntilOnline()
      try server.send("<iq type='get' id='alive' from='example.test'><ping xmlns='urn:xmpp:ping'/></iq>")
      try server.received("iq") { $0.contains("'alive'") }
    }
  }

  private func present(_ kind: Certificates.Kind, _ server: ScriptedServer) throws {
    let name = try Certificates.folder() + "/" + kind.rawValue
    try server.command("set", [JSONMember("certificate", .string(name))])
  }

  @Test("after a cut the session of TLS is resumed; a server that comes back with another certificate is not believed")
  func swappedOnReconnect() throws {
    try withScriptedServer { world throws in
      #expect(try world.server.event("secured")["resumed"]?.bool == false)
      try world.server.command("cut")
      #expect(try world.server.event("secured")["resumed"]?.bool == true)
      let online = try world.daemon.status { $0.text("state") == "online" && $0.text("tls").contains("resumed") }
      #expect(online.text("tls") == "TLSv1.3 TLS_AES_256_GCM_SHA384 (resumed)")
      let forged = try Certificates.folder() + "/untrusted"
      try world.server.command("set", [JSONMember("certificate", .string(forged))])
      try world.server.command("cut")
      let waiting = try world.daemon.status { $0.text("reason").contains("not trusted") }
      #expect(waiting.text("state") == "waiting")
      #expect(world.server.waitingEvents().filter { $0.text("event") == "header" }.count == 4, "two for each login")
    }
  }

  @Test("a wrong password is refused, in words, and not tried again until told so")
  func wrongPassword() throws {
    let folder = try TemporaryFolder("password")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let daemon = try Daemon(in: folder, accounts: [prosody.account("alice", password: "not-the-one")])
      let refused = try daemon.status { $0.text("state") == "refused" }
      #expect(refused.text("reason").contains("password is wrong"))
      #expect(refused["retry_at"] == nil)
      #expect(!daemon.log.contains("not-the-one"))
      for file in TestFiles.below(daemon.dataPath) {
        #expect(TestFiles.text(file)?.contains("not-the-one") != true, "\(file)")
      }
      let client = try daemon.client()
      #expect(try client.request("send bob@example.test kept meanwhile").isOK)
      // The right one, and `reload`, mend it.
      try daemon.configure(accounts: [prosody.account("alice")])
      #expect(try client.ask("reload").final["changed"]?.array?.map(\.string) == ["account alice"])
      try client.waitUntilOnline()
    }
  }

  @Test("a server that cannot be proved to know the password, or wants none, gets no session")
  func unprovenServer() throws {
    let lies: [(ScriptedServer) throws -> Void] = [
      { try $0.command("set", [JSONMember("faults", .array([.string("nonce")]))]) },
      { try $0.command("set", [JSONMember("faults", .array([.string("extension")]))]) },
      { try $0.command("set", [JSONMember("faults", .array([.string("signature")]))]) },
      { try $0.rule(on: "response", send: "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>") },
      { try $0.rule(on: "auth", send: "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>") },
    ]
    for lie in lies {
      try withScriptedServer(online: false, prepare: lie) { world throws in
        let account = try world.daemon.status { ["refused", "waiting"].contains($0.text("state")) }
        #expect(!account.text("reason").isEmpty)
        try world.server.event("closed")
        #expect(!world.server.waitingEvents().contains { $0.text("stage") == "bind" })
      }
    }
  }
}
