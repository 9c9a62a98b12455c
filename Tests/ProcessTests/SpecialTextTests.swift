import JSON
import TestSupport
import Testing

@Suite("Forwarded messages, stickers, actions and styling, with slixmpp at real servers")
struct SpecialTextTests {
  private static let (alice, bob) = ("alice@example.test", "bob@example.test")

  private static func message(_ id: String, _ text: String, _ more: String = "") -> String {
    "<message to='\(alice)' type='chat' id='\(id)'><body>\(text)</body>\(more)</message>"
  }

  @Test("What bob sends is shown as what it is, also after a kill") func incoming() throws {
    try withProsody { try incoming($0) }
    try withEjabberd { try incoming($0) }
  }

  private func incoming(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    let watcher = try world.daemon.client()
    try watcher.ask("watch kinds=message")
    let editWatcher = try world.daemon.client()
    try editWatcher.ask("watch kinds=edit")
    let inside =
      "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2026-11-20T08:00:00Z'/>"
      + "<message xmlns='jabber:client' from='carol@example.net'><body>from carol</body></message></forwarded>"
    let sticker =
      "<sticker xmlns='urn:xmpp:stickers:0'/><file-sharing xmlns='urn:xmpp:sfs:0'>"
      + "<file xmlns='urn:xmpp:file:metadata:0'><media-type>image/png</media-type></file><sources>"
      + "<url-data xmlns='http://jabber.org/protocol/url-data' target='https://example.net/kiss.png'/></sources>"
      + "</file-sharing>"
    try bob.send(xml: Self.message("b1", "look", inside))
    try bob.send(xml: Self.message("b2", "😘", sticker))
    try bob.send(xml: Self.message("b3", "/me *laughs*"))
    try bob.send(xml: Self.message("b4", "&gt; *_* &lt;", "<unstyled xmlns='urn:xmpp:styling:0'/>"))
    for _ in 1...4 { _ = try watcher.event("message") }
    // Of the text alone, as clients make it.
    try bob.send(xml: Self.message("b5", "look here", "<replace xmlns='urn:xmpp:message-correct:0' id='b1'/>"))
    _ = try editWatcher.event("edit")
    try check(world.client.historyWithBob())
    try world.daemon.kill()
    try world.daemon.start()
    try check(world.daemon.client().historyWithBob())
  }

  private func check(_ messages: [JSONValue]) throws {
    #expect(messages.map { $0.text("text") } == ["look here", "😘", "/me *laughs*", "> *_* <"])
    let forwarded = try #require(messages.first?["forwarded"]?.array?.first)
    #expect(forwarded.text("from") == "carol@example.net" && forwarded.text("text") == "from carol")
    #expect(forwarded.text("time") == "2026-11-20T08:00:00.000Z")
    #expect(messages[1]["attachments"]?.array?.first?.text("url") == "https://example.net/kiss.png")
    #expect(messages[2]["me"]?.bool == true && messages[2]["spans"]?.array?.first?.text("kind") == "strong")
    #expect(messages[3]["unstyled"]?.bool == true && messages[3]["spans"] == nil)
  }

  @Test("What alice sends says to slixmpp what it is") func outgoing() throws {
    try withProsody { try outgoing($0) }
    try withEjabberd { try outgoing($0) }
  }

  private func outgoing(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    let watcher = try world.daemon.client()
    try watcher.ask("watch kinds=message")
    try bob.send("original", to: Self.alice)
    let id = try #require(try watcher.event("message")["message"]?["id"]?.integer)
    try world.client.ask("forward \(id) \(Self.bob) see")
    let forward = try bob.message()
    #expect(forward.text("xml").contains("urn:xmpp:forward:0") && forward.text("text").contains("original"))
    try world.client.ask("send unstyled=yes \(Self.bob) > *_* <")
    let unstyled = try bob.message()
    #expect(unstyled.text("xml").contains("urn:xmpp:styling:0") && unstyled.text("text") == "> *_* <")
    try world.client.ask("send \(Self.bob) /me *laughs*")
    let action = try bob.message()
    #expect(!action.text("xml").contains("urn:xmpp:styling:0") && action.text("text") == "/me *laughs*")
  }
}
