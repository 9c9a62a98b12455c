import JSON
import TestSupport
import Testing

@Suite("Typing, with slixmpp at real servers")
struct TypingTests {
  private static let (alice, bob) = ("alice@example.test", "bob@example.test")

  @Test("Who may see our presence is told of typing, who has never typed is not, and a message ends it")
  func bothWays() throws {
    try withProsody { try bothWays($0) }
    try withEjabberd { try bothWays($0) }
  }

  private func bothWays(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    // A stranger yet: nothing is sent.
    try world.client.ask("typing \(Self.bob) composing")
    try world.befriend(bob)
    let watcher = try world.daemon.client()
    try watcher.ask("watch kinds=typing")
    try bob.send(xml: state("composing"))
    let typing = try watcher.event("typing")
    #expect(typing.text("state") == "composing" && typing.text("from") == bob.fullJID)
    try bob.send("done", to: Self.alice)
    #expect(try watcher.event("typing").text("state") != "composing")

    let typist = try world.daemon.client()
    try typist.ask("typing \(Self.bob) paused")
    try typist.ask("typing \(Self.bob) composing")
    try typist.ask("quit")
    let states = try (0..<3).map { _ in try bob.event("typing").text("state") }
    #expect(states == ["paused", "composing", "paused"])
  }

  private func state(_ name: String) -> String {
    "<message to='\(Self.alice)' type='chat'><\(name) xmlns='http://jabber.org/protocol/chatstates'/></message>"
  }
}
