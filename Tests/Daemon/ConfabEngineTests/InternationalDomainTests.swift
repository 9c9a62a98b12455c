import Bytes
import ConfabAccounts
import ConfabEngine
import JSON
import ConfabConfiguration
import Testing

@Suite("accounts of domains beyond ASCII")
struct InternationalDomainTests {
  private static func harness(_ jid: String, server: HostPort? = nil) throws -> Harness {
    var settings = Harness.alice
    settings.jid = jid
    settings.server = server
    settings.tls = .auto
    return try Harness(accounts: [settings], recordsActions: true, holdsLinks: true)
  }

  private static func status(_ harness: Harness, _ member: String) -> String? {
    harness.ask(harness.connect(), "status").first?["account"]?[member]?.string
  }

  private static func handle(_ event: LinkEvent, _ harness: Harness) throws {
    harness.handle(.link(try #require(harness.link), event))
  }

  @Test("DNS, TLS and the certificate have the A-labels, the address and the stream keep their letters")
  func ascii() throws {
    let harness = try Self.harness("alice@b\u{FC}cher.example")
    #expect(harness.actions.contains { $0.contains("resolve(domain: \"xn--bcher-kva.example\")") })
    try Self.handle(.resolved(Services(direct: .none, startTLS: .none)), harness)
    #expect(harness.actions.contains { $0.contains("connect(host: \"xn--bcher-kva.example\", port: 5222, ") })
    try Self.handle(.opened(remote: "[::1]:5222"), harness)
    #expect(harness.actions.contains { $0.contains("to='b\u{FC}cher.example'") })
    let features = """
      <stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0' id='1' \
      from='b\u{FC}cher.example'><stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>\
      </stream:features><proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>
      """
    try Self.handle(.received(Array(features.utf8)), harness)
    #expect(harness.actions.contains { $0.contains("TLSRequest(domain: \"xn--bcher-kva.example\"") })
    #expect(!harness.actions.contains { $0.contains("TLSRequest(domain: \"b\u{FC}cher") })
    #expect(Self.status(harness, "jid") == "alice@b\u{FC}cher.example")
  }

  @Test("A configured server and a proxy have A-labels where they are looked up")
  func server() throws {
    var settings = Harness.alice
    settings.server = HostPort(host: "im.b\u{FC}cher.example", port: 5222)
    settings.proxy = Proxy(server: HostPort(host: "\u{FC}.example", port: 1080))
    let harness = try Harness(accounts: [settings], recordsActions: true, holdsLinks: true)
    #expect(
      harness.actions.contains {
        $0.contains("connect(host: \"im.xn--bcher-kva.example\"") && $0.contains("host: \"xn--tda.example\"")
      })
  }

  @Test("A host that is no name is an error of the configuration; one that becomes an onion service is none of DNS's")
  func badServer() throws {
    var settings = Harness.alice
    settings.server = HostPort(host: "xn--abc-.example", port: 5222)
    var configuration = Configuration()
    configuration.accounts = [settings]
    let words = "[account home] server: expected the name of a host: string contains invalid punycode data"
    #expect { try Engine.check(configuration) } throws: { "\($0)" == words }
    let harness = try Self.harness("alice@example.org", server: HostPort(host: "abc\u{3002}onion", port: 5222))
    #expect(Self.status(harness, "reason") == "abc.onion is reachable only through Tor: set proxy")
  }

  @Test("A domain that is no name is told before anything is taken from the configuration")
  func noName() {
    var configuration = Configuration()
    configuration.accounts = [AccountSettings(name: "home", jid: "alice@\u{2603}.example")]
    let error = #expect(throws: ConfigurationProblem.self) { try Engine.check(configuration) }
    #expect(
      error?.description
        == "[account home]: The domain of the address is no domain's name: string contains a disallowed character.")
  }
}
