import JSON
import TestSupport
import Testing

/// How the daemon proves its password to real servers, and to a scripted one that has what they do not have.
@Suite("Signing in")
struct SigningInTests {
  private static let unused = "channel binding is not used: the server offers no type that this connection supports"

  /// A server's offer, and what the login is then to be.
  struct Offer: Sendable, CustomTestStringConvertible {
    var mechanisms: [String]
    var types: [String] = []
    var tls = "1.3"
    let sasl: String
    /// What the client says of channel binding in the GS2 header.
    let flag: String

    var testDescription: String { "\(mechanisms) \(types) TLS \(tls)" }
  }

  @Test(
    "the scripted server, with and without channel binding",
    arguments: [
      Offer(
        mechanisms: ["SCRAM-SHA-512-PLUS", "SCRAM-SHA-512"], types: ["tls-server-end-point", "tls-exporter"],
        sasl: "SCRAM-SHA-512-PLUS tls-exporter", flag: "p=tls-exporter"),
      Offer(
        mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-256-PLUS"], types: ["tls-unique", "tls-server-end-point"],
        sasl: "SCRAM-SHA-256-PLUS tls-server-end-point", flag: "p=tls-server-end-point"),
      Offer(
        mechanisms: ["SCRAM-SHA-1-PLUS"], types: ["tls-server-end-point"], tls: "1.2",
        sasl: "SCRAM-SHA-1-PLUS tls-server-end-point", flag: "p=tls-server-end-point"),
      Offer(mechanisms: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], sasl: "SCRAM-SHA-1", flag: "n"),
      Offer(mechanisms: ["SCRAM-SHA-256"], sasl: "SCRAM-SHA-256", flag: "y"),
    ])
  func scripted(offer: Offer) throws {
    let folder = try TemporaryFolder("signin")
    try folder.reportingLogs {
      let types = offer.types.flatMap { ["--binding", $0] }
      let server = try ScriptedServer(
        in: folder, mechanisms: offer.mechanisms, arguments: types + ["--tls", offer.tls])
      try server.command("set", [JSONMember("confirms", .bool(true))])
      let world = try World(server, in: folder)
      #expect(try server.event("authenticated").text("flag") == offer.flag)
      let account = try world.client.account()
      #expect(account.text("sasl") == offer.sasl)
      #expect(account.text("tls").hasPrefix("TLSv\(offer.tls) "))
      #expect(account.text("reason").contains(Self.unused) == (offer.flag == "n"))
    }
  }

  @Test("what a login had is not given up when the next server offers less, until somebody says so")
  func stripped() throws {
    try withScriptedServer { server throws in
      try Self.offer(["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"], ["tls-exporter"], server)
    } _: { world throws in
      #expect(try world.client.account().text("sasl") == "SCRAM-SHA-256-PLUS tls-exporter")
      try Self.offer(["SCRAM-SHA-256"], [], world.server)
      try world.server.command("cut")
      let refused = try world.daemon.status { $0.text("state") == "refused" }
      #expect(refused.text("reason").contains("only SCRAM-SHA-256 can be used"))
      #expect(refused.text("reason").contains("`confab unpin`"))
      #expect(refused.text("pinned") == "SCRAM-SHA-256-PLUS tls-exporter")
      #expect(world.server.waitingEvents().filter { $0.text("stage") == "auth" }.count == 1, "the first login's")
      let unpin = try Program.run([Products.program("confab"), "--socket", world.daemon.socketPath, "unpin"])
      #expect(unpin.status == .exited(0), "\(unpin.errorText)")
      let online = try world.daemon.status { $0.text("state") == "online" }
      #expect(online.text("sasl") == "SCRAM-SHA-256")
    }
  }

  /// Each lie: with what the account is refused.
  @Test(
    "somebody in between is found out, and no weaker login is tried",
    arguments: [
      ("binding", "the password is wrong, or somebody is between us and the server"),
      ("offer", "the server's login offer was changed in transit"),
    ])
  func inBetween(fault: String, words: String) throws {
    try withScriptedServer(online: false) { server throws in
      try Self.offer(["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256", "PLAIN"], ["tls-exporter"], server)
      try server.command(
        "set", [JSONMember("faults", .array([.string(fault)])), JSONMember("confirms", .bool(true))])
    } _: { world throws in
      let refused = try world.daemon.status { $0.text("state") == "refused" }
      #expect(refused.text("reason").contains(words))
      try world.server.event("closed")
      let logins = world.server.waitingEvents().filter { $0.text("stage") == "auth" }
      #expect(logins.count == 1 && logins[0].text("xml").contains("SCRAM-SHA-256-PLUS"))
    }
  }

  @Test("PLAIN only where the account allows it")
  func plain() throws {
    let folder = try TemporaryFolder("signin")
    try folder.reportingLogs {
      let server = try ScriptedServer(
        in: folder, accounts: ["alice": "secret-a", "bob": "secret-b"], mechanisms: ["PLAIN"])
      var alice = server.account("alice")
      alice.more = ["plain = allow"]
      let daemon = try Daemon(in: folder, accounts: [alice, server.account("bob")])
      let allowed = try daemon.status("alice") { $0.text("state") == "online" }
      #expect(allowed.text("sasl") == "PLAIN")
      let refused = try daemon.status("bob") { $0.text("state") == "waiting" }
      #expect(refused.text("reason").hasSuffix("safe enough (it offers PLAIN)"))
      #expect(try server.event("authenticated").text("user") == "alice")
      #expect(!daemon.log.contains("secret-"))
    }
  }

  @Test(
    "Prosody, which offers a channel binding that nobody should use on TLS 1.2, and none on 1.3",
    arguments: Prosody.PasswordHash.allCases, ["1.2", "1.3"])
  func prosody(hash: Prosody.PasswordHash, tls: String) throws {
    let folder = try TemporaryFolder("signin")
    try folder.reportingLogs {
      let world = try World(try Prosody(in: folder, hash: hash, tls: tls), in: folder)
      let account = try world.client.account()
      #expect(account.text("sasl") == "SCRAM-\(hash.rawValue)")
      #expect(account.text("tls").hasPrefix("TLSv\(tls) "))
      #expect(account.text("reason").contains(Self.unused) == (tls == "1.2"))
    }
  }

  @Test("ejabberd, by TLS 1.2 and 1.3, and with a wrong password")
  func ejabberd() throws {
    let folder = try TemporaryFolder("signin")
    try folder.reportingLogs {
      let server = try Ejabberd(in: folder, accounts: ["alice": "secret-a", "bob": "secret-b", "carol": "secret-c"])
      let daemon = try Daemon(
        in: folder,
        accounts: [
          server.account("alice"), server.account("bob", tls: "starttls"), server.account("carol", password: "no"),
        ])
      for (name, tls) in [("alice", "TLSv1.3 "), ("bob", "TLSv1.2 ")] {
        let online = try daemon.status(name) { $0.text("state") == "online" }
        #expect(online.text("sasl") == "SCRAM-SHA-512")
        #expect(online.text("tls").hasPrefix(tls))
        #expect(online.text("reason").contains(Self.unused))
      }
      let refused = try daemon.status("carol") { $0.text("state") == "refused" }
      #expect(refused.text("reason").contains("password is wrong"))
      let client = try daemon.client()
      try client.ask("send account=alice wait=sent timeout=60s bob@example.test hello")
      let watcher = try daemon.client()
      try watcher.ask("watch since=0 kinds=message")
      while try watcher.event("message")["message"]?.text("account") != "bob" {}
    }
  }

  private static func offer(_ mechanisms: [String], _ types: [String], _ server: ScriptedServer) throws {
    let list = { (names: [String]) in JSONValue.array(names.map { .string($0) }) }
    try server.command(
      "set", [JSONMember("mechanisms", list(mechanisms)), JSONMember("bindings", list(types))])
  }
}
