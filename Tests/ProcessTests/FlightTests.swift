import Glibc
import TestSupport
import Testing

/// How often a login waits for the server: counted between the two, from the TCP connect to the initial presence. First
/// a login at a server that nothing is known of, then one by what that has left, after a restart, and where the server
/// keeps streams, one that resumes what the last one left.
@Suite("Flights of a login")
struct FlightTests {
  @Test("at Prosody", arguments: [("direct", [6, 4, 4]), ("starttls", [8, 5, 5])])
  func prosody(tls: String, flights: [Int]) throws {
    let folder = try TemporaryFolder("flights")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let found = try Self.logins(at: prosody, tls, in: folder)
      #expect(found == flights)
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

  /// The flights of alice's first login, of the next one, and of one that resumes the stream.
  private static func logins(
    at server: some WatchedServer, _ tls: String, in folder: TemporaryFolder
  ) throws -> [Int] {
    let proxy = try CountingProxy(to: tls == "direct" ? server.directTLSPort : server.startTLSPort, in: folder)
    var account = server.account("alice", tls: tls)
    account.port = proxy.port
    let daemon = try Daemon(in: folder, accounts: [account])
    let first = try proxy.count(until: server.initialPresence(of: "alice"))
    // What is remembered is durable before this is answered: the server's word about it comes later.
    try daemon.client().ask("send wait=sent alice@example.test hello")
    try daemon.signal(SIGINT)
    try daemon.waitForEnd()
    try daemon.start()
    let next = try proxy.count(until: server.initialPresence(of: "alice"))
    #expect([first.connections, next.connections] == [1, 2])
    guard let prosody = server as? Prosody else { return [first.traffic.flights, next.traffic.flights] }
    try daemon.client().waitUntilOnline()
    try daemon.client().ask("send wait=sent alice@example.test hello")
    try daemon.terminate()
    try daemon.start()
    let resumed = try proxy.count(until: prosody.resumption(of: "alice"))
    return [first.traffic.flights, next.traffic.flights, resumed.traffic.flights]
  }
}
