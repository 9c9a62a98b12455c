import JSON
import Syscalls
import TestSupport
import Testing

@Suite("avatars with a real server")
struct AvatarTests {
  private static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]
  private static let other = gif + [1, 2, 3]
  private static let otherHash = "4e93cb949f328eb2cf938ceb52b1ec6660255c35"

  /// The other person, whom alice sees and who sees alice.
  private func befriendedBob(_ world: World<some LoginServer>) throws -> Peer {
    let bob = try Peer("bob", password: "secret-b", at: world.server, in: world.folder, avatars: true)
    let watcher = try world.daemon.client()
    try watcher.ask("watch kinds=roster")
    try world.client.ask("add bob@example.test")
    try bob.event("presence") { $0.text("type") == "subscribe" }
    try bob.sendPresence(to: "alice@example.test", type: "subscribed")
    try bob.sendPresence(to: "alice@example.test", type: "subscribe")
    _ = try watcher.event("roster") { $0["contact"]?["request"]?.bool == true }
    try world.client.ask("accept bob@example.test")
    try bob.event("presence") { $0.text("type") == "subscribed" }
    // ejabberd notifies those whose presence, with their capabilities, it has seen since they may see ours.
    let presences = try world.daemon.client()
    try presences.ask("watch kinds=presence")
    try bob.sendPresence(show: "away")
    _ = try presences.event("presence") { $0.text("show") == "away" }
    return bob
  }

  private func confab(_ world: World<some LoginServer>, _ words: String...) throws -> Program.Finished {
    try Program.run([Products.program("confab"), "--socket", world.daemon.socketPath] + words)
  }

  /// Asks until the avatar is this one: what the server tells of it comes when it comes.
  private func expect(_ bytes: [UInt8], of jid: String, _ world: World<some LoginServer>) throws {
    let deadline = Deadline.seconds(60)
    while !deadline.hasPassed {
      let answer = try confab(world, "avatar", jid)
      if answer.output == bytes { return }
      try world.daemon.client().ask("ping")
    }
    Issue.record("\(jid) has another avatar")
  }

  @Test(
    "avatars go both ways by XEP-0084, byte for byte, also after a restart", arguments: [["vcard"], ["vcard_legacy"]])
  func bothWays(modules: [String]) throws {
    try withProsody(with: modules) { try bothWays($0) }
  }

  @Test("Avatars go both ways at ejabberd, too") func ejabberd() throws { try withEjabberd { try bothWays($0) } }

  private func bothWays(_ world: World<some LoginServer>) throws {
    let bob = try befriendedBob(world)
    try bob.publish(avatar: Self.gif)
    try expect(Self.gif, of: "bob@example.test", world)
    try world.daemon.kill()
    try world.daemon.start()
    try expect(Self.gif, of: "bob@example.test", world)
    // Ours, with the card where the server does not convert.
    let file = world.folder.file("picture")
    try TestFiles.write(file, Self.other)
    let client = try world.daemon.client()
    try client.waitUntilOnline()
    #expect(try confab(world, "avatar-set", file).status == .exited(0))
    let told = try bob.event("avatar-metadata") { $0.text("from") == "alice@example.test" }
    let hash = try #require(told["hashes"]?.array?.first?.string)
    #expect(try bob.avatar(of: "alice@example.test", hash: hash) == Self.other)
    #expect(try bob.avatar(of: "alice@example.test") == Self.other)
    #expect(try confab(world, "avatar", "alice@example.test").output == Self.other)
    #expect(try confab(world, "avatar-remove").status == .exited(0))
    _ = try bob.event("avatar-metadata") { $0["hashes"]?.array?.isEmpty == true }
    #expect(try confab(world, "avatar", "alice@example.test").status == .exited(1))
  }

  @Test("a contact with nothing but a vCard has its photo as avatar")
  func cardAlone() throws {
    try withProsody(with: ["vcard"]) { world throws in
      let bob = try befriendedBob(world)
      #expect(try confab(world, "avatar", "bob@example.test").status == .exited(1))
      try bob.setCard(photo: Self.gif)
      try expect(Self.gif, of: "bob@example.test", world)
      try bob.setCard(photo: Self.other, hash: Self.otherHash)
      try expect(Self.other, of: "bob@example.test", world)
      let saved = world.folder.file("saved")
      #expect(try confab(world, "avatar", "bob@example.test", "--output", saved).status == .exited(0))
      #expect(TestFiles.read(saved) == Self.other)
      #expect(try confab(world, "avatar", "bob@example.test", "--output", saved).status == .exited(64))
      #expect(try confab(world, "avatar", "bob@example.test", "--force", "--output=\(saved)").status == .exited(0))
    }
  }
}
