import TestSupport
import Testing

/// How often a login waits for the server: counted between the two, from the TCP connect to the initial presence.
@Suite("Flights of a login")
struct FlightTests {
  @Test("at Prosody", arguments: [("direct", 7), ("starttls", 9)])
  func prosody(tls: String, flights: Int) throws {
    let folder = try TemporaryFolder("flights")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      #expect(try Self.logins(at: prosody, tls, in: folder) == [flights])
    }
  }

  @Test("at the scripted server", arguments: [("direct", 7), ("starttls", 9)])
  func scripted(tls: String, flights: Int) throws {
    let folder = try TemporaryFolder("flights")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      #expect(try Self.logins(at: server, tls, in: folder) == [flights])
    }
  }

  /// The flights of alice's first login.
  private static func logins(at server: some LoginServer, _ tls: String, in folder: TemporaryFolder) throws -> [Int] {
    let proxy = try CountingProxy(to: tls == "direct" ? server.directTLSPort : server.startTLSPort, in: folder)
    var account = server.account("alice", tls: tls)
    account.port = proxy.port
    let daemon = try Daemon(in: folder, accounts: [account])
    let counted = try proxy.count(until: server.initialPresence(of: "alice"))
    #expect(counted.connections == 1)
    _ = daemon
    return [counted.traffic.flights]
  }
}
