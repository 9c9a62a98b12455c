import JSON
import TestSupport
import Testing

/// An account whose server is replaced by another one: messages that come there while the account is offline are
/// fetched.
@Suite("Changing the server")
struct ServerChangeTests {
  @Test("from Prosody to ejabberd, which answers an unknown id with an empty page")
  func toEjabberd() throws {
    let folder = try TemporaryFolder("change")
    try folder.reportingLogs { try move(from: Prosody(in: folder), to: Ejabberd(in: folder), in: folder) }
  }

  @Test("from ejabberd to Prosody, which refuses an unknown id")
  func toProsody() throws {
    let folder = try TemporaryFolder("change")
    try folder.reportingLogs { try move(from: Ejabberd(in: folder), to: Prosody(in: folder), in: folder) }
  }

  private func move(from old: some AccountServer, to new: some AccountServer, in folder: TemporaryFolder) throws {
    let alice = try Daemon("alice", in: folder, accounts: [old.account("alice")])
    try alice.client().waitUntilOnline()
    try receive("before", at: old, alice, in: folder)
    // The next login gives these messages their archive ids.
    #expect(try alice.terminate() == .exited(0))
    try alice.start()
    try alice.client().waitUntilOnline()
    try alice.client().waitForArchive()
    #expect(try alice.terminate() == .exited(0))

    // Another device takes the live messages at the new server, so that the archive alone has them later.
    let tablet = try Daemon("tablet", in: folder, accounts: [new.account("alice")])
    try tablet.client().waitUntilOnline()
    try receive("after", at: new, tablet, in: folder)
    #expect(try tablet.terminate() == .exited(0))

    try alice.configure(accounts: [new.account("alice")])
    for _ in 1...2 {
      try alice.start()
      let client = try alice.client()
      // The other server may offer a weaker login.
      if try alice.waitForState(["online", "refused"]).text("state") == "refused" { try client.ask("unpin") }
      try client.waitUntilOnline()
      try client.waitForArchive()
      let watcher = try alice.client()
      try watcher.ask("watch since=0 kinds=message")
      for _ in 1...10 { _ = try watcher.event("message") }
      let texts = try client.historyWithBob().map { $0.text("text") }
      // Prosody's stamps are whole seconds, and so may put a message before another one from the same second.
      #expect(texts.sorted() == (1...5).map { "after \($0)" } + (1...5).map { "before \($0)" })
      #expect(try alice.terminate() == .exited(0))
    }
  }

  /// Bob sends five messages, and alice's daemon receives them.
  private func receive(_ text: String, at server: some AccountServer, _ daemon: Daemon, in folder: TemporaryFolder)
    throws
  {
    let bob = try Daemon("bob-\(text)", in: folder, accounts: [server.account("bob")])
    let (sender, watcher) = try (bob.client(), daemon.client())
    try sender.waitUntilOnline()
    try watcher.ask("watch kinds=message")
    for number in 1...5 {
      try sender.ask("send wait=sent timeout=60s alice@example.test \(text) \(number)")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "\(text) \(number)" }
    }
    #expect(try bob.terminate() == .exited(0))
  }
}
