import Testing

@testable import Transport

@Suite("HostName")
struct HostNameTests {
  @Test(
    "A name that DNS can carry is kept without its final dot",
    arguments: [
      ("example.org", "example.org"), ("example.org.", "example.org"), ("_xmpp._tcp.a-b", "_xmpp._tcp.a-b"),
      ("", nil), (".", nil), ("a..b", nil), (".a", nil), ("ä.example", nil), ("a b", nil),
      (String(repeating: "a", count: 64), nil), (String(repeating: "a.", count: 127) + "b", nil),
    ] as [(String, String?)])
  func checked(name: String, expected: String?) {
    #expect(HostName.checked(name) == expected)
  }

  @Test("Names of this machine and of Tor are recognised regardless of case, and literals by their family")
  func special() {
    #expect(HostName.isLocal("LocalHost") && HostName.isLocal("a.localhost") && !HostName.isLocal("alocalhost"))
    #expect(HostName.isOnion("a.ONION") && !HostName.isOnion("onion.example"))
    #expect(HostName.literal("127.0.0.1", .v4) == .addresses([HostName.loopback(.v4)]))
    #expect(HostName.literal("127.0.0.1", .v6) == AddressAnswer.none && HostName.literal("example.org", .v4) == nil)
  }
}
