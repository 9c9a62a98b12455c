import Glibc
import JSON
import TestSupport
import Testing

/// Alice behind a link that a test cuts, at a real Prosody; what a cut at any other byte does: CutTests.
@Suite("Streams that go on after cuts")
struct CutLinkTests {
  /// What of both sides' words is lost whole with the link: nothing is cut inside a stanza, so that the stream goes on.
  private static let losses: [[CountingProxy.Side]] = [[.client, .server], [.server], [.client], []]

  @Test(
    "a link that is cut while both talk: the stream goes on, each message comes once, and nothing is announced anew")
  func cuts() throws {
    try CutLink.run { link throws in
      _ = try link.prosody.initialPresence(of: "alice")
      var texts = try Self.losses.enumerated().flatMap { try link.talk($0.offset, losing: $0.element) }
      try link.client.ask("send wait=sent bob@example.test the end")
      texts += try link.heard(upTo: "the end")
      #expect(texts == (0..<40).map { "out \($0 / 10) \($0 % 10)" } + ["the end"])
      try link.bob.send("the other end", to: "alice@example.test")
      try link.waitForMessage("the other end")
      #expect(try link.received() == (0..<40).map { "in \($0 / 10) \($0 % 10)" } + ["the other end"])
      try expectStreamOfItsOwn(link)
    }
  }

  /// The next presence that the server hears is that of another stream.
  private func expectStreamOfItsOwn(_ link: CutLink) throws {
    try link.daemon.signal(SIGINT)
    try link.daemon.waitForEnd()
    let connections = try link.proxy.count().connections
    try link.daemon.start()
    _ = try link.prosody.initialPresence(of: "alice")
    #expect(try link.proxy.count().connections == connections + 1)
  }

  /// Prosody 0.12 takes what comes on the resumed stream for the rest of the stanza, and hears nothing of it.
  @Test(
    "a link that is cut inside a stanza: where the resumed stream is not heard, another one is, and nothing is twice")
  func cutInsideStanza() throws {
    try CutLink.run { link throws in
      try link.cutInside("send bob@example.test " + String(repeating: "long ", count: 12_000))
      try link.client.ask("send bob@example.test behind")
      try link.waitForReason("did not acknowledge anything")
      try link.waitForReason("resumed")
      try link.bob.send("meanwhile", to: "alice@example.test")
      // An event that is waited for takes those before it away: this one comes before the next.
      try link.waitForMessage("meanwhile")
      try link.waitForReason("again answered nothing on it")
      try link.waitForReason("logged in")
      try link.client.ask("send wait=sent bob@example.test end")
      let texts = try (0..<3).map { _ in try link.bob.message().text("text") }
      #expect(texts.map { $0.prefix(6) } == ["long l", "behind", "end"])
      let messages = try link.client.historyWithBob()
      #expect(messages.allSatisfy { $0["mine"]?.bool != true || $0.text("state") == "sent" && $0["in_doubt"] == nil })
      #expect(try link.received() == ["meanwhile"])
    }
  }
}
