import JSON
import TestSupport
import Testing

/// Alice at a real Prosody behind a proxy that cuts, bob, and somebody who watches both the link and the messages.
struct CutLink {
  let prosody: Prosody
  let proxy: CountingProxy
  let daemon: Daemon
  let client: SocketClient
  let bob: Peer
  private let watcher: SocketClient

  /// Runs a test's body with alice online; a failure comes out with the logs.
  static func run(_ body: (CutLink) throws -> Void) throws {
    let folder = try TemporaryFolder("cuts")
    try folder.reportingLogs { try body(try CutLink(in: folder)) }
  }

  private init(in folder: TemporaryFolder) throws {
    prosody = try Prosody(in: folder)
    proxy = try CountingProxy(to: prosody.directTLSPort, in: folder)
    var account = prosody.account("alice", tls: "direct")
    account.port = proxy.port
    daemon = try Daemon(in: folder, accounts: [account])
    client = try daemon.client()
    try client.waitUntilOnline()
    bob = try Peer("bob", password: "secret-b", at: prosody, in: folder)
    watcher = try daemon.client()
    try watcher.ask("watch kinds=connection,message")
  }

  /// Both say ten things, and the link is cut where what `lost` said since has not arrived; what bob heard before that.
  func talk(_ round: Int, losing lost: [CountingProxy.Side]) throws -> [String] {
    try proxy.freeze(lost)
    let sends = (0..<10).map { "send bob@example.test out \(round) \($0)\n" }.joined()
    try client.send(bytes: Array(sends.utf8))
    for _ in 0..<10 { #expect(try client.answer().isOK) }
    for number in 0..<10 { try bob.send("in \(round) \(number)", to: "alice@example.test") }
    if !lost.contains(.server) { try waitForMessage("in \(round) 9") }
    try bob.settle()
    let texts = try lost.contains(.client) ? [] : heard(upTo: "out \(round) 9")
    try proxy.cut()
    try waitForReason("resumed")
    return texts
  }

  /// What bob hears next, up to a text.
  func heard(upTo last: String) throws -> [String] {
    var texts: [String] = []
    while texts.last != last { texts.append(try bob.message().text("text")) }
    return texts
  }

  /// Cuts the link where two of the four records of TLS have arrived that a request's stanza needs.
  func cutInside(_ request: String) throws {
    try proxy.cut()
    try waitForReason("resumed")
    let traffic = try proxy.count().traffic
    try proxy.limit([traffic.sent + traffic.received + 40_000])
    try proxy.freeze()
    try client.ask(request)
    try proxy.cut()
  }

  /// Takes the watcher's events up to the account's next reason that has these words in it.
  func waitForReason(_ words: String) throws {
    _ = try watcher.event("connection", until: .seconds(90)) { $0.text("reason").contains(words) }
  }

  /// Takes the watcher's events up to that of a message with this text.
  func waitForMessage(_ text: String) throws {
    _ = try watcher.event("message") { $0["message"]?.text("text") == text }
  }

  /// What bob wrote, as history has it.
  func received() throws -> [String] {
    try client.historyWithBob().filter { $0["mine"]?.bool != true }.map { $0.text("text") }
  }
}
