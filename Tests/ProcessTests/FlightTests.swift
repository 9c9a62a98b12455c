import TestSupport
import Testing

/// How often a login waits for the server: counted between the two, from the TCP connect to the initial presence. First
/// a login at a server that nothing is known of, then one by what that has left, after a restart.
@Suite("Flights of a login")
struct FlightTests {
  @Test("at Prosody", arguments: [("direct", [6, 4]), ("starttls", [8, 5])])
  func prosody(tls: String, flights: [Int]) throws {
    let folder = try TemporaryFolder("flights")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      #expect(try Self.logins(at: prosody, tls, in: folder) == flights)
    }
  }

  @Test("at the scripted server", arguments: [("direct", [6, 4]), ("starttls", [8, 5])])
  func scripted(tls: String, flights: [Int]) throws {
    let folder = try TemporaryFolder("flights")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      #expect(try Self.logins(at: server, tls, in: folder) == flights)
    }
  }

  /// The flights of alice's first login, and of the next one.
  private static func logins(at server: some LoginServer, _ tls: String, in folder: TemporaryFolder) throws -> [Int] {
    let proxy = try CountingProxy(to: tls == "direct" ? server.directTLSPort : server.startTLSPort, in: folder)
    var account = server.account("alice", tls: tls)
    account.port = proxy.port
    let daemon = try Daemon(in: folder, accounts: [account])
    let first = try proxy.count(until: server.initialPresence(of: "alice"))
    // What is remembered is durable before this is answered: the server's word about it comes later.
    try daemon.client().ask("send wait=sent alice@example.test hello")
    try daemon.terminate()
    try daemon.start()
    let next = try proxy.count(until: server.initialPresence(of: "alice"))
    #expect([first.connections, next.connections] == [1, 2])
    return [first.traffic.flights, next.traffic.flights]
  }
}
