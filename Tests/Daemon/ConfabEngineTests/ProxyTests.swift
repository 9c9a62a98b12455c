import Bytes
import Clocks
import ConfabAccounts
import JSON
import ConfabConfiguration
import Testing

@Suite("accounts behind a proxy")
struct ProxyTests {
  private static let proxy = Proxy(server: HostPort(host: "127.0.0.1", port: 9050))

  private static func harness(
    jid: String = "alice@example.org", server: HostPort? = nil, proxy: Proxy? = proxy, tls: TLSMode = .auto
  ) throws -> Harness {
    var settings = Harness.alice
    (settings.jid, settings.server, settings.proxy, settings.tls) = (jid, server, proxy, tls)
    return try Harness(accounts: [settings], recordsActions: true, holdsLinks: true)
  }

  private static func status(_ harness: Harness) -> JSONValue? {
    harness.ask(harness.connect(), "status").first?["account"]
  }

  /// Every place that is tried, until there is none left.
  private static func places(_ harness: Harness) throws -> [String] {
    while let link = harness.link, harness.nextPlaces.count < 9 {
      harness.handle(.link(link, .closed("the proxy failed")))
      if harness.link == link { break }
    }
    return harness.nextPlaces
  }

  @Test(
    "the domain is tried at the usual ports, as far as tls allows, and DNS is asked for nothing",
    arguments: [
      (.auto, ["example.org 5222", "example.org 5223", "example.org 443"]), (.starttls, ["example.org 5222"]),
      (.direct, ["example.org 5223", "example.org 443"]),
    ] as [(TLSMode, [String])])
  func places(tls: TLSMode, places: [String]) throws {
    let harness = try Self.harness(tls: tls)
    #expect(try Self.places(harness) == places)
    #expect(!harness.actions.contains { $0.contains("resolve(") })
    #expect(Self.status(harness)?["state"]?.string == "waiting")
  }

  @Test("a configured server is the only place, an onion service as well")
  func server() throws {
    for host in ["xmpp.example.org", "abcdefgh.onion"] {
      let harness = try Self.harness(server: HostPort(host: host, port: 5222))
      #expect(try Self.places(harness) == ["\(host) 5222"])
      #expect(harness.actions.contains { $0.contains("connect(host: \"\(host)\"") && $0.contains("port: 9050") })
    }
    #expect(try Self.places(Self.harness(jid: "alice@abc.onion")).first == "abc.onion 5222")
  }

  @Test("without a proxy an onion service is refused, in words, before anybody is asked")
  func onion() throws {
    let onion = HostPort(host: "abc.Onion", port: 5222)
    for harness in try [
      Self.harness(jid: "alice@abc.onion", proxy: nil), Self.harness(server: onion, proxy: nil),
    ] {
      #expect(Self.status(harness)?["state"]?.string == "refused")
      #expect(
        Self.status(harness)?["reason"]?.string?.lowercased() == "abc.onion is reachable only through tor: set proxy")
      #expect(harness.link == nil)
    }
    let elsewhere = HostPort(host: "127.0.0.1", port: 5222)
    #expect(try Self.harness(jid: "alice@abc.onion", server: elsewhere, proxy: nil).link != nil)
  }

  @Test("connecting through a proxy has more time")
  func patience() throws {
    let harness = try Self.harness(tls: .starttls)
    let words = "account home: waiting: connecting to example.org took more than 90 seconds"
    harness.pass(.seconds(89))
    #expect(!harness.journal.contains { $0.hasPrefix(words) })
    harness.pass(.seconds(2))
    #expect(harness.journal.contains { $0.hasPrefix(words) })
  }
}

extension Harness {
  /// The places that it was told to connect to, in order.
  fileprivate var nextPlaces: [String] {
    actions.compactMap { action in
      guard let tail = action.components("connect(host: \"").dropFirst().first else { return nil }
      let words = tail.components("\", port: ")
      guard let port = words.dropFirst().first?.prefix(while: \.isNumber) else { return nil }
      return "\(words[0]) \(port)"
    }
  }
}
