import JSON
import Syscalls
import TestSupport
import Testing

/// Files that are sent and fetched by the upload service of a real server, over https.
@Suite("files with a real server")
struct FileTests {
  private static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]

  /// Alice and bob at a server that takes files; its name is known to a name server of ours alone.
  private struct Couple {
    let folder: TemporaryFolder
    let server: Prosody
    let names: Dnsmasq
    let alice: Daemon
    let bob: Daemon

    init(in folder: TemporaryFolder) throws {
      self.folder = folder
      let port = try freePort()
      server = try Prosody(in: folder, upload: port)
      names = try Dnsmasq(
        in: folder, zone: Certificates.host, records: ["host-record=\(Certificates.host),127.0.0.1"])
      let settings = ["dns-server = \(names.address)"]
      (alice, bob) = (
        try Self.daemon("alice", "secret-a", server, folder, settings),
        try Self.daemon("bob", "secret-b", server, folder, settings)
      )
    }

    private static func daemon(
      _ name: String, _ password: String, _ server: Prosody, _ folder: TemporaryFolder, _ settings: [String]
    ) throws -> Daemon {
      let account = Daemon.Account(
        name, password: password, port: server.directTLSPort, tls: "direct", authority: server.authority)
      let daemon = try Daemon(name, in: folder, accounts: [account], settings: settings)
      try daemon.client().waitUntilOnline()
      return daemon
    }

    func confab(_ daemon: Daemon, _ words: [String]) throws -> Program.Finished {
      try Program.run([Products.program("confab"), "--socket", daemon.socketPath] + words)
    }

    /// Files with these contents.
    func files(_ contents: [[UInt8]]) throws -> [String] {
      try contents.enumerated().map { index, bytes in
        let path = folder.file("file-\(index).gif")
        try TestFiles.write(path, bytes)
        return path
      }
    }

    /// The newest message with files that bob has, once it is there.
    func cameToBob() throws -> JSONValue {
      let client = try bob.client()
      _ = try client.request("watch since=0 kinds=message")
      return try client.event("message") { $0["message"]?["attachments"] != nil }["message"] ?? .null
    }

    /// What bob fetches of a message.
    func fetched(_ message: JSONValue, _ count: Int) throws -> [[UInt8]] {
      let id = message["id"]?.integer ?? 0
      return try (0..<count).map { try confab(bob, ["fetch", "\(id)", "\($0)"]).output }
    }
  }

  private func withCouple(_ body: (Couple) throws -> Void) throws {
    let folder = try TemporaryFolder("files")
    try folder.reportingLogs { try body(try Couple(in: folder)) }
  }

  /// As many different files.
  private static func contents(_ count: Int) -> [[UInt8]] {
    (0..<count).map { gif + [UInt8](repeating: UInt8($0), count: 100_000) }
  }

  @Test("Nine pictures go from one daemon to another in one message, byte for byte")
  func ninePictures() throws {
    try withCouple { couple throws in
      let contents = Self.contents(9)
      let files = try couple.files(contents)
      let sent = try couple.confab(
        couple.alice, ["send-file", "--wait=sent", "--timeout=60s", "--text=look", "bob@example.test"] + files)
      #expect(sent.status == .exited(0), "\(sent)")
      let message = try couple.cameToBob()
      #expect(message.text("text") == "look")
      let attachments = try #require(message["attachments"]?.array)
      #expect(attachments.map { $0.text("name") } == (0..<9).map { "file-\($0).gif" })
      #expect(attachments.allSatisfy { $0.text("type") == "image/gif" && $0["width"]?.integer == 1 })
      #expect(try couple.fetched(message, 9) == contents)
      #expect(TestFiles.below(couple.alice.dataPath + "/spool").isEmpty)
    }
  }

  @Test("An upload survives that the daemon is killed")
  func killed() throws {
    try withCouple { couple throws in
      let contents = Self.contents(3)
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

  @Test("Another client sees what the extensions say")
  func otherClient() throws {
    try withCouple { couple throws in
      try couple.bob.terminate()
      let bob = try Peer("bob", password: "secret-b", at: couple.server, in: couple.folder)
      let file = try couple.files([Self.gif])
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
      #expect(TestFiles.below(couple.alice.dataPath + "/spool").isEmpty)
    }
  }
}
