import JSON
import TestSupport
import Testing

/// A long catch-up at a real server, by daemons that are killed after some hundred kilobytes each, while more messages
/// come. Each continues after the pages of the earlier ones.
@Suite("Killed while it catches up")
struct KilledCatchUpTests {
  /// The number of messages that came while the account was offline; the bytes that one daemon reads, and how many
  /// daemons suffice.
  private static let hole = 1_000
  private static let bytesOfLife = 400_000
  private static let mostLives = 8

  @Test("at Prosody: a few lives are enough for a thousand messages")
  func prosody() throws {
    let folder = try TemporaryFolder("killed")
    try folder.reportingLogs { try catchUp(at: Prosody(in: folder), in: folder) }
  }

  @Test("at ejabberd: a few lives are enough for a thousand messages")
  func ejabberd() throws {
    let folder = try TemporaryFolder("killed")
    try folder.reportingLogs { try catchUp(at: Ejabberd(in: folder), in: folder) }
  }

  private func catchUp(at server: some AccountServer, in folder: TemporaryFolder) throws {
    let proxy = try CountingProxy(to: server.directTLSPort, in: folder)
    var account = server.account("alice")
    account.port = proxy.port
    let alice = try Daemon("alice", in: folder, accounts: [account])
    let bob = try Peer("bob", password: "secret-b", port: server.startTLSPort, authority: server.authority, in: folder)
    try leaveDoubts(alice, bob, proxy)
    // A stream that is bound to another resource is not resumed.
    account.more = ["resource = other"]
    try alice.configure(accounts: [account])

    // Another device takes the live messages, so that the archive alone has them later.
    let tablet = try Daemon("tablet", in: folder, accounts: [server.account("alice")])
    try tablet.client().waitForLogin()
    let watcher = try tablet.client()
    try watcher.ask("watch kinds=message")
    for number in 1...Self.hole { try bob.send("hole \(number)", to: "alice@example.test") }
    _ = try watcher.event("message", until: .seconds(120)) { $0["message"]?.text("text") == "hole \(Self.hole)" }

    var lives = 0
    repeat {
      lives += 1
      try proxy.limit([Self.bytesOfLife] + Array(repeating: 1_000, count: 100))
      try alice.start()
      try bob.send("live \(lives)", to: "alice@example.test")
    } while try !isComplete(alice, proxy) && lives < Self.mostLives
    try #require(lives > 1 && lives < Self.mostLives)
    // After its end everything that the daemon received is in the log.
    #expect(try alice.terminate() == .exited(0))
    try alice.start()
    let texts = try alice.client().wholeHistory("bob@example.test").map { $0.text("text") }
    #expect(texts.filter { $0.hasPrefix("hole") }.sorted() == (1...Self.hole).map { "hole \($0)" }.sorted())
  }

  /// Leaves the anchor after a message from bob, and two of alice's messages in doubt.
  private func leaveDoubts(_ alice: Daemon, _ bob: Peer, _ proxy: CountingProxy) throws {
    let watcher = try alice.client()
    try watcher.waitForLogin()
    try watcher.ask("watch kinds=message")
    try bob.send("first", to: "alice@example.test")
    _ = try watcher.event("message")
    #expect(try alice.terminate() == .exited(0))
    try alice.start()
    let client = try alice.client()
    try client.waitUntilOnline()
    try client.waitForArchive()
    try proxy.freeze([.client])
    for number in 1...2 { try client.ask("send bob@example.test lost \(number)") }
    try alice.kill()
    try proxy.cut()
  }

  /// Waits until this daemon has caught up, or has read its share of bytes and is killed.
  private func isComplete(_ alice: Daemon, _ proxy: CountingProxy) throws -> Bool {
    let (client, deadline) = (try alice.client(), Deadline.seconds(120))
    while !deadline.hasPassed {
      let account = try client.account()
      if account.text("state") == "online", account["archive"]?.text("state") == "complete" { return true }
      if account.text("reason").contains("try again") || ["waiting", "refused"].contains(account.text("state")) {
        break
      }
    }
    try alice.kill()
    return false
  }
}
