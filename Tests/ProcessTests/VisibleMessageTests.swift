import JSON
import TestSupport
import Testing

@Suite("Messages without a body of their own, and what I do elsewhere, with slixmpp at Prosody")
struct VisibleMessageTests {
  private static func message(_ inside: String, _ id: String) -> String {
    "<message to='alice@example.test' type='chat' id='\(id)'>\(inside)<store xmlns='urn:xmpp:hints'/></message>"
  }

  private static let url = "https://upload.example.test/cat.jpg"
  private static let sent = [
    message("<subject>disk of web1 is full</subject>", "v1"),
    message("<encrypted xmlns='eu.siacs.conversations.axolotl'><header sid='1'/></encrypted>", "v2"),
    message(
      "<encrypted xmlns='urn:xmpp:omemo:2'><header sid='1'/><payload>AA==</payload></encrypted>"
        + "<body>for others</body><request xmlns='urn:xmpp:receipts'/>", "v3"),
    message("<x xmlns='jabber:x:conference' jid='club@rooms.example.test' password='secret' reason='tea'/>", "v4"),
    message("<body>\(url)</body><x xmlns='jabber:x:oob'><url>\(url)</url></x>", "v5"),
    message("<body>he dies</body><spoiler xmlns='urn:xmpp:spoiler:0'>the end</spoiler>", "v6"),
  ]
  private static let plain = [
    "disk of web1 is full", "Encrypted with OMEMO; this message cannot be read here.\nfor others",
    "bob@example.test invites to the room club@rooms.example.test: tea", url, "he dies",
  ]

  private func plain(_ client: SocketClient) throws -> [String] {
    try client.request("history bob@example.test").data.map { line in
      let message = line["message"] ?? line
      return message["plain"]?.string ?? message.text("text")
    }
  }

  @Test("A subject, what is encrypted, an invitation, a file and a spoiler are shown, also by the command")
  func shown() throws {
    try withProsody { world in
      let bob = try world.bob()
      let watcher = try world.daemon.client()
      #expect(try watcher.request("watch kinds=message").isOK)
      for xml in Self.sent { try bob.send(xml: xml) }
      for _ in Self.plain { _ = try watcher.event("message") }
      #expect(try plain(world.client) == Self.plain)
      #expect(try world.client.request("unread").final["unread"]?.integer == 5)
      func history(_ words: [String]) throws -> String {
        let command = [Products.program("confab"), "--socket", world.daemon.socketPath, "history"]
        return try Program.run(command + words + ["bob@example.test"]).text
      }
      let closed = try history([])
      for shown in [
        "[disk of web1 is full]", "Encrypted with OMEMO", "invites to the room", "cat.jpg", "(spoiler: the end)",
      ] {
        #expect(closed.contains(shown), "\(shown)")
      }
      #expect(!closed.contains("he dies") && !closed.contains("secret"))
      #expect(try history(["--spoilers"]).contains("he dies"))
    }
  }

  @Test("What I write on another device, or an active state from there, reads the conversation here")
  func elsewhere() throws {
    try withProsody { world in
      let bob = try world.bob()
      let other = try Peer("alice", password: "secret-a", at: world.server, in: world.folder)
      try other.settle()
      let watcher = try world.daemon.client()
      #expect(try watcher.request("watch kinds=message,read").isOK)
      try bob.send("one", to: "alice@example.test", id: "o1")
      _ = try watcher.event("message")
      try other.send("yes", to: "bob@example.test", id: "o2")
      _ = try watcher.event("read")
      #expect(try world.client.request("unread").final["unread"]?.integer == 0)
      try bob.send("two", to: "alice@example.test", id: "o3")
      _ = try watcher.event("message") { $0["message"]?.text("text") == "two" }
      try other.send(
        xml: "<message to='bob@example.test' type='chat'>"
          + "<active xmlns='http://jabber.org/protocol/chatstates'/></message>")
      _ = try watcher.event("read")
      #expect(try world.client.request("unread").final["unread"]?.integer == 0)
    }
  }

  @Test("The lines of a text that end in CR LF are sent with LF, to an address that is a URI")
  func lineEnds() throws {
    try withProsody { world in
      let bob = try world.bob()
      let command = [
        Products.program("confab"), "--socket", world.daemon.socketPath, "send", "xmpp:bob@example.test", "-",
      ]
      let finished = try Program.run(command, input: Array("one\r\ntwo\rthree\r\n".utf8))
      #expect(finished.status == .exited(0), "\(finished)")
      #expect(try bob.message().text("text").hasPrefix("one\ntwo"))
      #expect(
        try world.client.request("history bob@example.test").data.last?["message"]?.text("text") == "one\ntwo\rthree")
    }
  }
}
