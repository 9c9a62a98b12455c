import JSON
import TestSupport
import Testing

@Suite("Changing what was said, with slixmpp at real servers")
struct ChangeTests {
  private static let alice = "alice@example.test"
  private static let bob = "bob@example.test"

  /// Sent as it is, as changes are: slixmpp sends its own messages behind those.
  private func say(_ text: String, stanza: String) -> String {
    "<message to='\(Self.alice)' type='chat' id='\(stanza)'><body>\(text)</body></message>"
  }

  private func correct(_ id: String, _ text: String, stanza: String) -> String {
    "<message to='\(Self.alice)' type='chat' id='\(stanza)'><body>\(text)</body>"
      + "<replace xmlns='urn:xmpp:message-correct:0' id='\(id)'/></message>"
  }

  private func retract(_ id: String, stanza: String) -> String {
    "<message to='\(Self.alice)' type='chat' id='\(stanza)'><retract xmlns='urn:xmpp:message-retract:1' id='\(id)'/>"
      + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:message-retract:1'/><body>/me retracted</body>"
      + "<store xmlns='urn:xmpp:hints'/></message>"
  }

  private func react(_ id: String, _ emoji: String, stanza: String) -> String {
    "<message to='\(Self.alice)' type='chat' id='\(stanza)'><reactions xmlns='urn:xmpp:reactions:0' id='\(id)'>"
      + "<reaction>\(emoji)</reaction></reactions><store xmlns='urn:xmpp:hints'/></message>"
  }

  private func reply(_ id: String, _ text: String, stanza: String) -> String {
    "<message to='\(Self.alice)' type='chat' id='\(stanza)'><body>&gt; x\n\(text)</body>"
      + "<reply xmlns='urn:xmpp:reply:0' to='\(Self.alice)' id='\(id)'/><fallback xmlns='urn:xmpp:fallback:0' "
      + "for='urn:xmpp:reply:0'><body start='0' end='4'/></fallback></message>"
  }

  /// What a conversation is in a few words: its texts, with what became of each.
  private func summary(_ messages: [JSONValue]) -> [String] {
    messages.map { message in
      let reactions = (message["reactions"]?.array ?? []).map { $0.text("emoji") }.joined()
      let answered = message["reply_to"].map { "\($0.text("text")) <- " } ?? ""
      let marks = (message["edited"] == nil ? "" : " edited") + (message["retracted"] == nil ? "" : "retracted")
      return answered + message.text("text") + marks + (reactions.isEmpty ? "" : " " + reactions)
    }
  }

  /// A second daemon of alice's.
  private func otherDevice(_ world: World<some LoginServer>) throws -> Daemon {
    let account = Daemon.Account(
      "alice", password: "secret-a", port: world.server.directTLSPort, tls: "direct", authority: world.server.authority)
    return try Daemon("alice-2", in: world.folder, accounts: [account])
  }

  @Test("What bob corrects, retracts, reacts to and answers is so at alice's, also after a kill")
  func incoming() throws {
    try withProsody { try incoming($0) }
    try withEjabberd { try incoming($0) }
  }

  private func incoming(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    let watcher = try world.daemon.client()
    #expect(try watcher.request("watch kinds=message,edit,retract,reaction").isOK)
    let mine = try #require(try world.client.sendToBob("lunch?").id)
    let stanza = try bob.message().text("id")
    try bob.send(xml: say("helo", stanza: "b1"))
    try bob.send(xml: say("wrong person", stanza: "b2"))
    try bob.send(xml: correct("b1", "hello", stanza: "b3"))
    try bob.send(xml: retract("b2", stanza: "b4"))
    try bob.send(xml: react(stanza, "👍", stanza: "b5"))
    try bob.send(xml: reply(stanza, "yes", stanza: "b6"))
    try bob.send(xml: correct(stanza, "not bob's", stanza: "b7"))
    for kind in ["edit", "retract", "reaction"] { _ = try watcher.event(kind) }
    _ = try watcher.event("message") { $0["message"]?.text("text") == "not bob's" }
    let expected = ["lunch? 👍", "hello edited", "retracted", "lunch? <- yes", "not bob's"]
    #expect(try summary(world.client.historyWithBob()) == expected)
    try world.daemon.kill()
    try world.daemon.start()
    let client = try world.daemon.client()
    #expect(try summary(client.historyWithBob()) == expected)
    #expect(try client.request("search wrong").data.isEmpty)
    #expect(try client.historyWithBob().first?["id"]?.integer == mine)
  }

  @Test("What alice does goes to bob, in order, also what she did offline before a kill, and to her other device")
  func outgoing() throws {
    try withProsody { try outgoing($0) }
    try withEjabberd { try outgoing($0) }
  }

  private func outgoing(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    let other = try otherDevice(world)
    try other.client().waitUntilOnline()
    try bob.send(xml: say("question", stanza: "b1"))
    let watcher = try world.daemon.client()
    #expect(try watcher.request("watch since=0 kinds=message").isOK)
    let hers = try #require(try watcher.event("message")["message"]?["id"]?.integer)
    let id = try #require(try world.client.sendToBob("helo").id)
    let first = try bob.message().text("id")
    #expect(try world.client.request("send replace=\(id) \(Self.bob) hello").isOK)
    let corrected = try bob.message()
    #expect(corrected.text("text") == "hello")
    #expect(corrected.text("xml").contains("<replace") && corrected.text("xml").contains("\"\(first)\""))
    #expect(try world.client.request("disconnect").isOK)
    #expect(try world.client.request("react \(hers) 👍").isOK)
    #expect(try world.client.request("send reply=\(hers) \(Self.bob) answer").isOK)
    #expect(try world.client.request("retract \(id)").isOK)
    try world.daemon.kill()
    try world.daemon.start()
    let client = try world.daemon.client()
    #expect(try client.request("connect").isOK)
    let reaction = try bob.event("message") { $0.text("xml").contains("reactions") }
    #expect(reaction.text("xml").contains("👍") && reaction.text("xml").contains("id=\"b1\""))
    let answer = try bob.message()
    #expect(answer.text("text") == "> question\nanswer" && answer.text("xml").contains("urn:xmpp:reply:0"))
    #expect(try bob.message().text("xml").contains("<retract"))
    let expected = ["question 👍", "retracted", "question <- answer"]
    #expect(try summary(client.historyWithBob()) == expected)
    let there = try other.client()
    let deadline = Deadline.seconds(60)
    while try summary(there.historyWithBob()) != expected, !deadline.hasPassed {}
    #expect(try summary(there.historyWithBob()) == expected)
  }

  @Test("What was changed while nobody was there comes out of the archive")
  func archive() throws {
    try withProsody { try archive($0) }
    try withEjabberd { try archive($0) }
  }

  private func archive(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    let mine = try #require(try world.client.sendToBob("mine").id)
    let stanza = try bob.message().text("id")
    try bob.send(xml: say("helo", stanza: "b1"))
    let watcher = try world.daemon.client()
    #expect(try watcher.request("watch since=0 kinds=message").isOK)
    _ = try watcher.event("message") { $0["message"]?.text("text") == "helo" }
    #expect(try world.client.request("disconnect").isOK)
    try bob.send(xml: say("wrong person", stanza: "b2"))
    try bob.send(xml: correct("b1", "hello", stanza: "b3"))
    try bob.send(xml: retract("b2", stanza: "b4"))
    try bob.send(xml: react(stanza, "👍", stanza: "b5"))
    try bob.settle()
    #expect(try world.client.request("connect").isOK)
    try world.client.waitUntilOnline()
    try world.client.waitForArchive()
    let expected = ["mine 👍", "hello edited", "retracted"]
    let deadline = Deadline.seconds(30)
    while try summary(world.client.historyWithBob()) != expected, !deadline.hasPassed {}
    #expect(try summary(world.client.historyWithBob()) == expected)
    // A daemon that has nothing else gets the same.
    let fresh = try otherDevice(world)
    try fresh.client().waitUntilOnline()
    try fresh.client().waitForArchive()
    #expect(try summary(fresh.client().historyWithBob()) == expected)
    #expect(try world.client.historyWithBob().contains { $0["id"]?.integer == mine })
  }

  @Test("After forget-history neither what was said nor what changed it comes back out of the archive")
  func forgotten() throws {
    let folder = try TemporaryFolder("forgotten")
    try folder.reportingLogs {
      let world = try World(try Prosody(in: folder), in: folder)
      let bob = try Peer("bob", password: "secret-b", at: world.server, in: folder)
      let watcher = try world.daemon.client()
      #expect(try watcher.request("watch kinds=message,retract").isOK)
      try bob.send(xml: say("a secret", stanza: "f1"))
      try bob.send(xml: retract("f1", stanza: "f2"))
      _ = try watcher.event("retract")
      try bob.send(xml: correct("f1", "a secret again", stanza: "f3"))
      try bob.send(xml: react("f1", "👍", stanza: "f4"))
      try bob.send(xml: say("the last one", stanza: "f5"))
      _ = try watcher.event("message") { $0["message"]?.text("text") == "the last one" }
      #expect(try world.client.request("forget-history \(Self.bob)").isOK)
      // A new stream fetches from the archive, where all of it is within two minutes of the last page.
      for verb in ["disconnect", "connect"] { #expect(try world.client.request(verb).isOK) }
      try world.client.waitUntilOnline()
      try world.client.waitForArchive()
      #expect(summary(try world.client.historyWithBob()).isEmpty)
      let export = try Program.run([Products.program("confab"), "log", "export", "--data", world.daemon.dataPath])
      #expect(export.status == .exited(0) && !export.text.contains("secret") && !export.text.contains("stanza"))
    }
  }
}
