import Bytes
import Clocks
import ConfabAccounts
import JSON
import MessageLog
import Records
import ConfabConfiguration
import TestSupport
import Testing
import XMPPStream

@Suite("no login is weaker than the one before")
struct PinningTests {
  private static let plus = ["SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-256-PLUS"]

  private static func server(_ mechanisms: [String], _ types: [String] = []) -> ScriptedStream {
    var server = ScriptedStream()
    server.mechanisms = mechanisms
    server.channelBindings = types
    return server
  }

  /// A daemon that is logged in by SCRAM-SHA-256-PLUS with tls-exporter.
  private func bound(on storage: MemoryStorage = MemoryStorage()) throws -> Harness {
    let harness = try Harness(on: storage, server: Self.server(["SCRAM-SHA-1"]))
    harness.tls.tlsExporter = [1, 2, 3]
    harness.tls.tlsServerEndPoint = [4, 5, 6]
    offer(Self.plus, ["tls-exporter", "tls-server-end-point"], to: harness)
    return harness
  }

  /// The connection is cut, and the server offers this from now on.
  private func offer(_ mechanisms: [String], _ types: [String] = [], to harness: Harness) {
    harness.server.mechanisms = mechanisms
    harness.server.channelBindings = types
    harness.cut()
    harness.clearTrace()
    harness.pass(.minutes(2))
  }

  private func account(_ harness: Harness) -> JSONValue? {
    harness.ask(harness.connect(50), "status").first?["account"]
  }

  @Test("status tells what a login had, and what no later one may fall below")
  func status() throws {
    let harness = try bound()
    let account = account(harness)
    #expect(account?["sasl"]?.string == "SCRAM-SHA-256-PLUS tls-exporter")
    #expect(account?["pinned"]?.string == "SCRAM-SHA-256-PLUS tls-exporter")
    #expect(account?["reason"]?.string == "logged in as alice@example.org/confab")
  }

  @Test("a weaker offer is refused before anything of the password leaves, and not tried again by itself")
  func stripped() throws {
    let harness = try bound()
    offer(["SCRAM-SHA-1", "SCRAM-SHA-256"], to: harness)
    let account = account(harness)
    #expect(account?["state"]?.string == "refused")
    #expect(
      account?["reason"]?.string
        == "only SCRAM-SHA-256 can be used to log in, where SCRAM-SHA-256-PLUS was before: somebody may be in between; "
        + "if it is the server's own doing, `confab unpin` accepts it")
    #expect(account?["pinned"]?.string == "SCRAM-SHA-256-PLUS tls-exporter")
    #expect(!harness.toServer.contains("<response"))
    harness.clearTrace()
    harness.pass(.hours(2))
    #expect(harness.toServer == "")
    #expect(harness.ask(harness.connect(), "connect").last?["ok"]?.bool == true)
    #expect(self.account(harness)?["state"]?.string == "refused")
    #expect(!harness.toServer.contains("<response"))
  }

  @Test("an address with a weaker offer is left for the other ones of the plan; the last one refuses the account")
  func otherPlaces() throws {
    var settings = Harness.alice
    settings.server = nil
    for isOtherGood in [true, false] {
      let storage = MemoryStorage()
      _ = try bound(on: storage)
      let harness = try Harness(on: storage, accounts: [settings], holdsLinks: true)
      let link = try #require(harness.link)
      harness.holdsLinks = false
      (harness.tls.tlsExporter, harness.tls.tlsServerEndPoint) = ([1, 2, 3], [4, 5, 6])
      harness.servers[5223] = Self.server(["SCRAM-SHA-1"])
      var other = Self.server(isOtherGood ? Self.plus : ["SCRAM-SHA-1"])
      other.channelBindings = isOtherGood ? ["tls-exporter"] : []
      harness.servers[5224] = other
      let records = [(1, "one.example.org", 5223), (2, "two.example.org", 5224)].map {
        ServiceRecord(priority: $0.0, weight: 1, host: $0.1, port: $0.2)
      }
      harness.handle(.link(link, .resolved(Services(direct: .records(records), startTLS: .none))))
      #expect(harness.targets == ["one.example.org:5223", "two.example.org:5224"])
      #expect(account(harness)?["state"]?.string == (isOtherGood ? "online" : "refused"))
    }
  }

  @Test("unpin accepts it, durably, and what comes next is remembered instead")
  func unpin() throws {
    let harness = try bound()
    offer(["SCRAM-SHA-1", "SCRAM-SHA-256"], to: harness)
    #expect(harness.ask(harness.connect(), "unpin").last?["ok"]?.bool == true)
    let account = account(harness)
    #expect(account?["state"]?.string == "online")
    #expect(account?["sasl"]?.string == "SCRAM-SHA-256")
    #expect(account?["pinned"]?.string == "SCRAM-SHA-256")
    offer(["SCRAM-SHA-1"], to: harness)
    #expect(self.account(harness)?["state"]?.string == "refused")
  }

  @Test("a try that is under way when unpin comes begins anew")
  func unpinInBetween() throws {
    let harness = try bound()
    harness.server.isMute = true
    offer(["SCRAM-SHA-1"], to: harness)
    let first = harness.link
    harness.server.isMute = false
    #expect(harness.ask(harness.connect(), "unpin").last?["ok"]?.bool == true)
    #expect(harness.link != first)
    #expect(account(harness)?["sasl"]?.string == "SCRAM-SHA-1")
  }

  @Test("unpin leaves a session alone, and an account that is to stay disconnected")
  func unpinElsewhere() throws {
    let harness = try bound()
    let link = harness.link
    #expect(harness.ask(harness.connect(), "unpin").last?["ok"]?.bool == true)
    #expect(harness.link == link)
    #expect(account(harness)?["pinned"] == nil)
    offer(["SCRAM-SHA-1"], to: harness)
    #expect(account(harness)?["pinned"]?.string == "SCRAM-SHA-1")
    #expect(harness.ask(harness.connect(), "disconnect").last?["ok"]?.bool == true)
    #expect(harness.ask(harness.connect(), "unpin").last?["ok"]?.bool == true)
    #expect(account(harness)?["state"]?.string == "stopped")
    #expect(account(harness)?["pinned"] == nil)
  }

  @Test("what is remembered outlives the daemon, whether a checkpoint is there or not", arguments: [true, false])
  func restart(checkpoint: Bool) throws {
    let storage = MemoryStorage()
    let harness = try bound(on: storage)
    if checkpoint {
      harness.handle(.stop(.terminate))
      harness.pass(.seconds(10))
      #expect(harness.checkpoints.count == 1)
    }
    let later = try Harness(on: storage, server: Self.server(["SCRAM-SHA-512"]))
    #expect(account(later)?["state"]?.string == "refused")
    #expect(account(later)?["pinned"]?.string == "SCRAM-SHA-256-PLUS tls-exporter")
    #expect(later.ask(later.connect(), "unpin").last?["ok"]?.bool == true)
    #expect(account(later)?["state"]?.string == "online")
    let last = try Harness(on: storage, server: Self.server(["SCRAM-SHA-512"]))
    #expect(account(last)?["pinned"]?.string == "SCRAM-SHA-512")
  }

  /// Each pair: what is offered first and then, and whether that will do.
  @Test(
    "which offers will do after which",
    arguments: [
      (["SCRAM-SHA-1"], ["SCRAM-SHA-256"], true), (["SCRAM-SHA-256"], ["SCRAM-SHA-1"], false),
      (["SCRAM-SHA-512"], ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], true),
      (["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], ["SCRAM-SHA-512"], false),
      (["SCRAM-SHA-256-PLUS"], ["SCRAM-SHA-1-PLUS"], false), (["SCRAM-SHA-1"], ["PLAIN"], false),
      (["PLAIN"], ["SCRAM-SHA-1"], true), (["PLAIN"], ["PLAIN"], true),
    ])
  func pairs(first: [String], then: [String], isTaken: Bool) throws {
    var settings = Harness.alice
    settings.plain = .allow
    let harness = try Harness(accounts: [settings], server: Self.server(["PLAIN"]))
    harness.tls.tlsExporter = [1]
    offer(first, ["tls-exporter"], to: harness)
    #expect(account(harness)?["state"]?.string == "online")
    offer(then, ["tls-exporter"], to: harness)
    #expect(account(harness)?["state"]?.string == (isTaken ? "online" : "refused"))
  }

  @Test("a connection that allows the other type of binding is as good")
  func otherType() throws {
    let harness = try bound()
    harness.tls = TLSFacts(version: "TLSv1.2", cipher: "X", tlsServerEndPoint: [4, 5, 6])
    offer(Self.plus, ["tls-server-end-point"], to: harness)
    #expect(account(harness)?["sasl"]?.string == "SCRAM-SHA-256-PLUS tls-server-end-point")
    #expect(account(harness)?["pinned"]?.string == "SCRAM-SHA-256-PLUS tls-server-end-point")
  }

  @Test("a login that is bound to the certificate is followed by a handshake that shows it")
  func boundToTheCertificate() throws {
    let harness = try bound()
    harness.recordsActions = true
    func resumes(_ answer: Bool) -> Bool {
      harness.actions.last { $0.contains("TLSRequest(") }?.contains("resumes: \(answer)") == true
    }
    offer(Self.plus, ["tls-exporter"], to: harness)
    #expect(resumes(true))
    harness.tls.tlsExporter = nil
    offer(Self.plus, ["tls-server-end-point"], to: harness)
    #expect(account(harness)?["sasl"]?.string == "SCRAM-SHA-256-PLUS tls-server-end-point")
    offer(Self.plus, ["tls-server-end-point"], to: harness)
    #expect(resumes(false))
  }

  @Test("the same login again writes nothing")
  func onlyNews() throws {
    let harness = try bound()
    let before = try logins(harness)
    offer(Self.plus, ["tls-exporter"], to: harness)
    #expect(account(harness)?["state"]?.string == "online")
    #expect(try logins(harness) == before)
    #expect(before.map(\.mechanism) == ["SCRAM-SHA-1", "SCRAM-SHA-256-PLUS"])
  }

  @Test("another JID under the same name begins without a past")
  func otherAccount() throws {
    let harness = try bound()
    harness.server = ScriptedStream(of: "anna@example.org")
    harness.reload { $0.accounts[0].jid = "anna@example.org" }
    harness.pass(.seconds(1))
    #expect(account(harness)?["sasl"]?.string == "SCRAM-SHA-1")
  }

  @Test("a disk that fails when it is to be remembered locks nobody out")
  func diskFails() throws {
    let harness = try Harness()
    harness.cut()
    harness.server.mechanisms = ["SCRAM-SHA-256"]
    harness.syncsAtOnce = false
    harness.pass(.seconds(2))
    harness.sync(failing: StorageError(.noSpace, "full"))
    harness.syncsAtOnce = true
    harness.pass(.minutes(2))
    #expect(account(harness)?["state"]?.string == "online")
    #expect(account(harness)?["pinned"]?.string == "SCRAM-SHA-256")
  }

  @Test("a mechanism that only a later version knows locks nobody out")
  func unknownMechanism() throws {
    let storage = MemoryStorage()
    _ = try Harness(on: storage)
    let uuid = try #require(LogUUID(random: Array(repeating: 7, count: 16)))
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    var writer = try recovery.run { _ in }.makeWriter(uuid: uuid)
    let record = Record.login(LoginRecord(account: 1, mechanism: "SCRAM-SHA3-512-PLUS"))
    _ = writer.append(kind: record.kind) { record.encode(into: &$0) }
    try writer.takeBatch()?.perform(on: storage)
    let harness = try Harness(on: storage)
    #expect(account(harness)?["state"]?.string == "online")
    #expect(account(harness)?["pinned"]?.string == "SCRAM-SHA-1")
  }

  private func logins(_ harness: Harness) throws -> [LoginRecord] {
    var logins: [LoginRecord] = []
    var recovery = try Recovery(of: harness.storage, log: nil, mode: .readOnly)
    _ = try recovery.run { frame in
      let kind = frame.kind
      if case .login(let login)? = try? frame.withPayload({ try Record(kind: kind, payload: $0) }) {
        logins.append(login)
      }
    }
    return logins
  }
}

@Suite("what the configuration and the server allow")
struct PlainLoginTests {
  private func login(plain: PlainLogin, _ mechanisms: [String]) throws -> Harness {
    var (settings, server) = (Harness.alice, ScriptedStream())
    settings.plain = plain
    server.mechanisms = mechanisms
    return try Harness(accounts: [settings], server: server)
  }

  private func account(_ harness: Harness) -> JSONValue? {
    harness.ask(harness.connect(), "status").first?["account"]
  }

  @Test("PLAIN is used where it is allowed and nothing better is there")
  func allowed() throws {
    let harness = try login(plain: .allow, ["PLAIN"])
    #expect(account(harness)?["sasl"]?.string == "PLAIN")
    #expect(harness.toServer.contains(">AGFsaWNlAHNlY3JldA==</auth>"))
  }

  @Test("it is not used where it is not")
  func refused() throws {
    let harness = try login(plain: .refuse, ["PLAIN"])
    #expect(account(harness)?["state"]?.string == "waiting")
    #expect(
      account(harness)?["reason"]?.string
        == "the server offers no way to log in that is safe enough (it offers PLAIN)")
    #expect(!harness.toServer.contains("<auth"))
  }

  @Test("channel binding that cannot be used is said")
  func unusedBinding() throws {
    let harness = try login(plain: .refuse, ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"])
    #expect(account(harness)?["sasl"]?.string == "SCRAM-SHA-1")
    #expect(
      account(harness)?["reason"]?.string
        == "logged in as alice@example.org/confab; channel binding is not used: the server offers no type that this "
        + "connection supports")
  }
}
