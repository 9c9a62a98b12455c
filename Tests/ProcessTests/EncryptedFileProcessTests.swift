import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// Files that two daemons send to each other encrypted (XEP-0454), by the upload service of a real server, and while chance
/// kills the one that sends. CONFAB_FILE_KILLS says how often; CONFAB_SEED repeats a run.
@Suite("Encrypted files with a real server", .serialized)
struct EncryptedFileProcessTests {
  private static let count = Chance.count("CONFAB_FILE_KILLS", usual: 5)

  private func withCouple(_ kind: Couple.Kind = .prosody, _ body: (Couple) throws -> Void) throws {
    let folder = try TemporaryFolder("encrypted-files")
    try folder.reportingLogs {
      let couple = try Couple(in: folder, at: kind, encryption: "always")
      try awaitDevices(of: "bob", from: couple.alice)
      try awaitDevices(of: "alice", from: couple.bob)
      try body(couple)
    }
  }

  /// Back when a daemon knows the other one's device by its list of version 0.3: who publishes both lists may be known by
  /// the other one for a moment.
  private func awaitDevices(of name: String, from daemon: Daemon) throws {
    let deadline = Deadline.seconds(120)
    while try !daemon.client().request("devices refresh=yes \(name)@example.test").data.contains(where: isOfOldVersion)
    {
      if deadline.hasPassed { throw TestFailure("\(name) has no device of version 0.3") }
      _ = try Descriptors.wait(toRead: -1, milliseconds: 50)
    }
  }

  private func isOfOldVersion(_ line: JSONValue) -> Bool {
    line["device"]?["versions"]?.array?.contains { $0.string == "0.3" } == true
  }

  /// The messages of a daemon, once there are so many.
  private func messages(_ daemon: Daemon, with other: String, _ count: Int) throws -> [JSONValue] {
    let watcher = try daemon.client()
    try watcher.send("watch since=0 kinds=message in=\(other)")
    for _ in 0..<count { _ = try watcher.event("message", until: .seconds(180)) }
    return try daemon.client().history(other, limit: 1_000)
  }

  private func fetched(_ daemon: Daemon, _ message: JSONValue, _ couple: Couple) throws -> [UInt8] {
    try couple.confab(daemon, ["fetch", "\(message["id"]?.integer ?? 0)"]).output
  }

  private func send(_ couple: Couple, _ daemon: Daemon, _ words: [String], _ contents: [[UInt8]]) throws {
    let said = try couple.confab(daemon, ["send-file"] + words + (try couple.files(contents)))
    guard said.status == .exited(0) else { throw TestFailure("send-file: \(said)") }
  }

  @Test(
    "Pictures go both ways byte for byte, and the server has neither their bytes nor their names",
    arguments: Couple.Kind.allCases)
  func bothWays(kind: Couple.Kind) throws {
    try withCouple(kind) { couple throws in
      let contents = Couple.pictures(3)
      try send(couple, couple.alice, ["--wait=sent", "--timeout=60s", "--text=look", "bob@example.test"], contents)
      let came = try messages(couple.bob, with: "alice@example.test", 4)
      #expect(came.map { $0.text("text") } == ["", "", "", "look"])
      let files = came.compactMap { $0["attachments"]?.array?.first }
      #expect(files.count == 3 && files.allSatisfy { $0["encrypted"]?.bool == true && !$0.text("url").contains("#") })
      let areWhole = try came.prefix(3).map { try fetched(couple.bob, $0, couple) } == contents
      #expect(areWhole)
      #expect(came.allSatisfy { $0["encrypted"]?["version"]?.string == "0.3" })
      let mine = try couple.alice.client().history("bob@example.test")
      #expect(mine.count == 1 && mine.first?["attachments"]?.array?.count == 3)
      try send(
        couple, couple.bob, ["--wait=sent", "--timeout=60s", "--as=cat.gif", "alice@example.test"], [Couple.gif])
      let answer = try #require(try messages(couple.alice, with: "bob@example.test", 2).last)
      #expect(try fetched(couple.alice, answer, couple) == Couple.gif)
      expectNothing(of: contents, at: couple)
    }
  }

  /// The server's files have nothing of what was sent.
  private func expectNothing(of contents: [[UInt8]], at couple: Couple) {
    let names = ["file-0", "file-1", "cat.gif", "aesgcm"].map { Array($0.utf8) }
    for path in TestFiles.below(couple.folder.path) where !path.contains("/alice") && !path.contains("/bob") {
      guard path.contains("/prosody/") || path.contains("/ejabberd/"), let bytes = TestFiles.read(path) else {
        continue
      }
      for secret in contents.map({ Array($0.prefix(32)) }) + names {
        #expect(bytes.firstRange(of: secret) == nil, "\(path)")
      }
    }
  }

  @Test("Killed while it sends, each file and each text comes once and whole")
  func killed() throws {
    try withCouple { couple throws in
      var chance = Chance("encrypted files killed")
      for number in 0..<Self.count {
        try send(couple, couple.alice, ["--text=\(number)", "bob@example.test"], Couple.pictures(3, salt: number))
        chance.pause(upTo: 400)
        let isHelper = chance.draw(1...3) == 1 && couple.alice.helpers.contains { Glibc.kill($0, SIGKILL) == 0 }
        if !isHelper {
          try couple.alice.kill()
          try couple.alice.start()
        }
      }
      let came = try messages(couple.bob, with: "alice@example.test", 4 * Self.count)
      let texts = came.map { $0.text("text") }.filter { !$0.isEmpty }
      #expect(came.count == 4 * Self.count, "CONFAB_SEED=\(chance.seed)")
      // One whose upload waits for another try is passed by later ones.
      #expect(Set(texts) == Set((0..<Self.count).map { "\($0)" }), "CONFAB_SEED=\(chance.seed)")
      let wanted = (0..<Self.count).flatMap { Couple.pictures(3, salt: $0) }
      let files = try came.filter { $0["attachments"] != nil }.map { try fetched(couple.bob, $0, couple) }
      let areWhole = files.count == wanted.count && Set(files) == Set(wanted)
      #expect(areWhole, "CONFAB_SEED=\(chance.seed)")
      expectNothing(of: wanted, at: couple)
    }
  }
}
