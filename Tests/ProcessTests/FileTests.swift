import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// Files that are sent and fetched by the upload service of a real server, over https.
@Suite("files with a real server")
struct FileTests {
  private func withCouple(_ body: (Couple) throws -> Void) throws {
    let folder = try TemporaryFolder("files")
    try folder.reportingLogs { try body(try Couple(in: folder)) }
  }

  /// Copies are removed behind the answer.
  private func isSpoolEmptied(_ couple: Couple) throws -> Bool {
    let deadline = Deadline.seconds(60)
    while !TestFiles.below(couple.alice.dataPath + "/spool").isEmpty {
      if deadline.hasPassed { return false }
      _ = try Descriptors.wait(toRead: -1, milliseconds: 10)
    }
    return true
  }

  @Test("Nine pictures go from one daemon to another in one message, byte for byte", arguments: Couple.Kind.allCases)
  func ninePictures(kind: Couple.Kind) throws {
    let folder = try TemporaryFolder("files")
    try folder.reportingLogs {
      let couple = try Couple(in: folder, at: kind)
      let contents = Couple.pictures(9)
      let files = try couple.files(contents)
      let sent = try couple.confab(
        couple.alice, ["send-file", "--wait=sent", "--timeout=60s", "--text=look", "bob@example.test"] + files)
      #expect(sent.status == .exited(0), "\(sent)")
      let message = try couple.cameToBob()
      #expect(message.text("text") == "look")
      let attachments = try #require(message["attachments"]?.array)
      #expect(attachments.map { $0.text("name") } == files.map { $0.split(separator: "/").last.map(String.init) })
      #expect(Set(attachments.map { $0.text("type") }) == ["image/gif", "image/jpeg"])
      #expect(try couple.fetched(message, 9) == contents)
      #expect(try isSpoolEmptied(couple))
    }
  }

  @Test("What I sent is given back without a server once it is uploaded, also after a kill")
  func ownFile() throws {
    try withCouple { couple throws in
      let contents = Couple.pictures(1)
      let files = try couple.files(contents)
      let sent = try couple.confab(
        couple.alice, ["send-file", "--wait=sent", "--timeout=60s", "bob@example.test"] + files)
      let id = String(sent.text.prefix { $0.isNumber })
      #expect(try isSpoolEmptied(couple))
      #expect(try couple.confab(couple.alice, ["fetch", "--fetch=no", id]).output == contents[0], "\(sent.text)")
      try couple.alice.kill()
      try couple.alice.start()
      #expect(try couple.confab(couple.alice, ["fetch", "--fetch=no", id]).output == contents[0])
      let theirs = try couple.cameToBob()["id"]?.integer ?? 0
      let missing = try couple.confab(couple.bob, ["fetch", "--fetch=no", "\(theirs)"])
      #expect(missing.status != .exited(0) && missing.output.isEmpty)
    }
  }

  @Test("An upload survives that the daemon is killed")
  func killed() throws {
    try withCouple { couple throws in
      let contents = Couple.pictures(3)
      let files = try couple.files(contents)
      let stored = try couple.confab(couple.alice, ["send-file", "bob@example.test"] + files)
      #expect(stored.status == .exited(0))
      for _ in 0..<3 {
        try couple.alice.kill()
        try couple.alice.start()
      }
      #expect(try couple.fetched(try couple.cameToBob(), 3) == contents)
    }
  }

  @Test("Another client sees what the extensions say", arguments: Couple.Kind.allCases)
  func otherClient(kind: Couple.Kind) throws {
    let folder = try TemporaryFolder("files")
    try folder.reportingLogs {
      let couple = try Couple(in: folder, at: kind)
      try couple.bob.terminate()
      let bob = try Peer("bob", password: "secret-b", at: couple.server, in: couple.folder)
      let file = try couple.files([Couple.gif])
      _ = try couple.confab(couple.alice, ["send-file", "--as=cat.gif", "--text=look", "bob@example.test"] + file)
      let message = try bob.message()
      let url = try #require(message.text("text").split(separator: "\n").last.map(String.init))
      #expect(url.hasPrefix("https://example.test:") && url.hasSuffix("/cat.gif"))
      let xml = message.text("xml")
      for part in [
        "urn:xmpp:sfs:0", "urn:xmpp:file:metadata:0", "image/gif", "cat.gif", "urn:xmpp:hashes:2", "jabber:x:oob",
        "urn:xmpp:fallback:0",
      ] {
        #expect(xml.contains(part), "\(part)")
      }
    }
  }

  @Test("A file that the server does not take is refused with its limit, and standard input is a file")
  func limits() throws {
    try withCouple { couple throws in
      let large = try couple.files([[UInt8](repeating: 1, count: 2 << 20)])
      let refused = try couple.confab(couple.alice, ["--json", "send-file", "bob@example.test"] + large)
      let answer = try JSONParser.parse(refused.output.filter { $0 != 0x0A })
      #expect(answer.text("error") == "too-large" && answer["limit"]?.integer == 1 << 20)
      #expect(refused.status == .exited(65))
      #expect(try isSpoolEmptied(couple))
    }
  }

  @Test("A forwarded picture is fetched by who gets it and by who forwarded it", arguments: Couple.Kind.allCases)
  func forwarded(kind: Couple.Kind) throws {
    let folder = try TemporaryFolder("files")
    try folder.reportingLogs {
      let couple = try Couple(in: folder, at: kind)
      let watcher = try couple.alice.client()
      try watcher.ask("watch kinds=message")
      let pictures = Couple.pictures(2)
      _ = try couple.confab(couple.alice, ["send-file", "bob@example.test"] + (try couple.files(pictures)))
      let id = try couple.cameToBob()["id"]?.integer ?? 0
      let forward = try couple.bob.client().ask("forward \(id) alice@example.test look").final["id"]?.integer ?? 0
      let came = try watcher.event("message") { $0["message"]?["forwarded"] != nil }["message"]
      #expect(came?["attachments"] == nil)
      #expect(came?["forwarded"]?.array?.first?["attachments"]?.array?.count == 2)
      let there = try couple.confab(couple.alice, ["fetch", "\(came?["id"]?.integer ?? 0)", "1"])
      #expect(there.output == pictures[1], "\(there.errorText)")
      #expect(try couple.confab(couple.bob, ["fetch", "\(forward)"]).output == pictures[0])
    }
  }

  @Test("A message whose copy was replaced by a link fails, and says why")
  func replacedCopy() throws {
    try withCouple { couple throws in
      let client = try couple.alice.client()
      try client.ask("disconnect")
      _ = try couple.confab(couple.alice, ["send-file", "bob@example.test"] + (try couple.files([Couple.gif])))
      let spool = couple.alice.dataPath + "/spool"
      let copy = spool + "/" + (try #require(TestFiles.names(in: spool).first))
      try Paths.remove(copy)
      #expect(unsafe symlink(couple.folder.file("file-0.gif"), copy) == 0)
      let id = try client.history("bob@example.test").first?["id"]?.integer ?? 0
      try client.ask("connect")
      let failed = try client.request("wait for=sent timeout=60s \(id)")
      #expect(failed.error == "failed" && failed.final.text("reason").contains("was replaced"), "\(failed.final)")
      #expect(try isSpoolEmptied(couple))
    }
  }
}
