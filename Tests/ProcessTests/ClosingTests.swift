import Glibc
import JSON
import TestSupport
import Testing

/// Messages that are unacknowledged when a stream ends, at a stock Prosody whose archive keeps all, part or nothing.
/// The recipient is a plain client, which sees each copy.
@Suite("Messages unacknowledged at the end of a stream", .serialized)
struct ClosingTests {
  /// The server's abilities: the messages that it archives, and whether it has stream management.
  struct Kind: CustomTestStringConvertible {
    let archive: ArchivePolicy
    let counts: Bool
    var testDescription: String { "archive: \(archive)\(counts ? "" : ", no stream management")" }

    func server(in folder: TemporaryFolder) throws -> Prosody {
      try Prosody(in: folder, archive: archive, without: counts ? [] : ["smacks"])
    }

    static let all = ArchivePolicy.allCases.flatMap { archive in
      [true, false].map { Kind(archive: archive, counts: $0) }
    }
  }

  enum Ending: CaseIterable { case disconnect, interrupt, closeOnStop, reload }

  private static let rounds = 3
  private static let burst = 5

  @Test(
    "an orderly end waits for the acknowledgement, and no message goes twice", arguments: Kind.all, Ending.allCases)
  func closed(kind: Kind, ending: Ending) throws {
    let folder = try TemporaryFolder("closing")
    try folder.reportingLogs {
      let server = try kind.server(in: folder)
      let bob = try Peer("bob", password: "secret-b", at: server, in: folder)
      try bob.sendPresence()
      let settings = ending == .closeOnStop ? ["on-stop = close"] : []
      let daemon = try Daemon("alice", in: folder, accounts: [server.account("alice")], settings: settings)
      try daemon.client().waitUntilOnline()
      for round in 0..<Self.rounds {
        let client = try daemon.client()
        let texts = (0..<Self.burst).map { "\(round)-\($0)" }
        try client.send(bytes: Array(texts.map { "send bob@example.test \($0)\n" }.joined().utf8))
        for _ in texts { #expect(try client.answer().isOK) }
        try end(ending, daemon, server.account("alice"), round)
        try daemon.client().waitUntilOnline()
      }
      let client = try daemon.client()
      try client.ask("send wait=sent timeout=60s bob@example.test last")
      var got: [String] = []
      while got.last != "last" { got.append(try bob.message().text("text")) }
      let wanted = (0..<Self.rounds).flatMap { round in (0..<Self.burst).map { "\(round)-\($0)" } } + ["last"]
      #expect(got == wanted)
      #expect(try client.historyWithBob().allSatisfy { $0["in_doubt"] == nil })
    }
  }

  private func end(_ ending: Ending, _ daemon: Daemon, _ account: Daemon.Account, _ round: Int) throws {
    switch ending {
    case .disconnect:
      try daemon.client().ask("disconnect")
      try daemon.client().ask("connect")
    case .interrupt, .closeOnStop:
      try daemon.signal(ending == .interrupt ? SIGINT : SIGTERM)
      #expect(try daemon.waitForEnd() == .exited(0))
      try daemon.start()
    case .reload:
      var changed = account
      changed.more = ["resource = round-\(round)"]
      try daemon.configure(accounts: [changed])
      try daemon.client().ask("reload")
    }
  }

  @Test(
    "after a cut that leaves doubt, messages that go again are marked, and held ones do not go",
    arguments: ArchivePolicy.allCases, ["resend", "hold"])
  func cut(archive: ArchivePolicy, manner: String) throws {
    let folder = try TemporaryFolder("silence")
    try folder.reportingLogs {
      let server = try Kind(archive: archive, counts: false).server(in: folder)
      let bob = try Peer("bob", password: "secret-b", at: server, in: folder)
      try bob.sendPresence()
      let proxy = try CountingProxy(to: server.directTLSPort, in: folder)
      var account = server.account("alice")
      (account.port, account.more) = (proxy.port, ["in-doubt = \(manner)"])
      let daemon = try Daemon("alice", in: folder, accounts: [account])
      let client = try daemon.client()
      try client.ask("send wait=sent timeout=60s bob@example.test first")
      #expect(try bob.message().text("text") == "first")
      // The next message arrives, but none of the server's answers.
      try proxy.freeze([.server])
      let id = try client.ask("send bob@example.test once").id ?? 0
      #expect(try bob.message().text("text") == "once")
      try proxy.cut()
      let waiting = try daemon.client()
      try waiting.waitUntilOnline()
      let isKnown = archive == .always
      if isKnown || manner == "resend" { try waiting.ask("wait for=sent timeout=60s \(id)") }
      try waiting.ask("send wait=sent timeout=60s bob@example.test last")
      var got: [String] = []
      while got.last != "last" { got.append(try bob.message().text("text")) }
      let message = try #require(try waiting.historyWithBob().first { $0.text("text") == "once" })
      #expect(message["in_doubt"]?.bool == (isKnown ? nil : true))
      #expect(got == (isKnown || manner == "hold" ? [] : ["once"]) + ["last"])
    }
  }

  @Test("a reload that does not change the login keeps the stream, and one that does resumes it")
  func reloaded() throws {
    try withProsody { world throws in
      let bob = try world.bob()
      try bob.sendPresence()
      let watcher = try world.daemon.client()
      try watcher.ask("watch kinds=connection")
      var account = world.server.account("alice")
      account.more = ["receipts = nobody", "in-doubt = hold"]
      try world.daemon.configure(accounts: [account])
      try world.client.ask("reload")
      try world.client.ask("send wait=sent bob@example.test one")
      #expect(try world.client.account().text("reason").hasPrefix("logged in"))
      account.more = ["plain = allow"]
      try world.daemon.configure(accounts: [account])
      try world.client.ask("send bob@example.test two")
      try world.client.ask("reload")
      // The first event of another login: keeping the stream caused none.
      #expect(try watcher.event("connection").text("state") == "connecting")
      try world.client.waitUntilOnline()
      let reason = try world.client.account().text("reason")
      #expect(reason.hasPrefix("resumed"), "\(world.daemon.log)")
      try world.client.ask("send wait=sent bob@example.test three")
      let texts = try (0..<3).map { _ in try bob.message().text("text") }
      #expect(texts == ["one", "two", "three"])
    }
  }
}
