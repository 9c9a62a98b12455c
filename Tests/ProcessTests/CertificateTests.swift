import JSON
import TestSupport
import Testing

/// A wrong certificate, password or host: no secret goes out, and `status` says in words what is wrong.
@Suite("Logging in where it must not be")
struct CertificateTests {
  @Test(
    "a certificate of another host, one long over, and one that nobody vouches for are refused by name",
    arguments: [Certificates.Kind.wrongHost, .expired, .untrusted], ["starttls", "direct"])
  func certificates(kind: Certificates.Kind, tls: String) throws {
    let folder = try TemporaryFolder("certificate")
    try folder.reportingLogs {
      let world = try World(try Prosody(in: folder, certificate: kind), in: folder, tls: tls, online: false)
      let account = try world.daemon.waitForState(["waiting", "refused"])
      let words: [Certificates.Kind: String] = [
        .wrongHost: "not for example.test", .expired: "expired", .untrusted: "trust",
      ]
      #expect(account.text("reason").lowercased().contains(words[kind] ?? "?"), "\(account)")
      #expect(TestFiles.text(folder.file("prosody/prosody.log"))?.contains("SCRAM-SHA-256'") != true)
    }
  }

  @Test("a wrong password is said, not retried, and written nowhere")
  func password() throws {
    let folder = try TemporaryFolder("certificate")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder, accounts: ["alice": "another"])
      let world = try World(prosody, in: folder, online: false)
      let account = try world.daemon.waitForState(["refused"])
      #expect(account.text("reason").contains("not-authorized") || account.text("reason").contains("password"))
      #expect(!world.daemon.log.contains("secret-a"))
      for file in TestFiles.below(world.daemon.dataPath) {
        #expect(TestFiles.text(file)?.contains("secret-a") != true, "\(file)")
      }
    }
  }

  @Test(
    "a server that does not prove itself, or wants SCRAM otherwise, is not logged in to",
    arguments: ["nonce", "signature", "extension"])
  func mutualAuthentication(fault: String) throws {
    let folder = try TemporaryFolder("certificate")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      try server.command("set", [JSONMember("faults", .array([.string(fault)]))])
      let world = try World(server, in: folder, online: false)
      _ = try world.daemon.waitForState(["waiting", "refused"])
      #expect(!server.waitingEvents().contains { $0.text("event") == "bound" })
    }
  }
}
