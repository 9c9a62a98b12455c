import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// `kill -9` at moments that chance draws, while a daemon gets numbered messages and runs a hook for each. CONFAB_HOOK_KILLS
/// says how often; CONFAB_SEED repeats a run.
@Suite("A hook, killed at any moment", .serialized)
struct HookKillTests {
  private static let count = Chance.count("CONFAB_HOOK_KILLS", usual: 10)

  @Test("gets each event at least once, in order, and none twice but the one at which the daemon was killed")
  func kills() throws {
    let folder = try TemporaryFolder("hooks")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      var chance = Chance("kills with a hook")
      let file = folder.file("events")
      var account = prosody.account("alice")
      account.more = ["[hook file]", "on = message", "command = jq -r .message.text >> '\(file)'"]
      let alice = try Daemon("alice", in: folder, accounts: [account])
      try alice.client().waitUntilOnline()
      try alice.client().waitForArchive()
      let bob = try Talker("bob", to: "alice", account: prosody.account("bob"), in: folder)
      for _ in 0..<Self.count {
        try bob.say(chance.draw(1...6))
        chance.pause(upTo: 250)
        try alice.kill()
        try alice.start()
      }
      try bob.say(1)
      try bob.settle()
      try bob.waitUntilSent()
      let last = try #require(bob.texts.last)
      #expect(try alice.wait(at: folder.path, until: .seconds(120)) { Self.lines(file).last == last })
      expect(Self.lines(file), bob.texts, seed: chance.seed)
      // It stays so: nothing is run once more.
      try alice.terminate()
      try alice.start()
      try alice.status { _ in true }
      #expect(Self.lines(file).last == last)
    }
  }

  @Test("ends with its daemon, however that ends")
  func end() throws {
    let folder = try TemporaryFolder("hooks")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let path = folder.file("fifo")
      try runCommand("mkfifo", path)
      var account = prosody.account("alice")
      account.more = ["[hook long]", "on = online", "command = exec >'\(path)'; echo on; exec tail -f /dev/null"]
      for isKilled in [true, false] {
        let reader = OwnedFD(taking: unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        let alice = try Daemon("killed-\(isKilled)", in: folder, accounts: [account])
        #expect(try next(of: reader.raw) == Array("on\n".utf8))
        if isKilled { try alice.kill() } else { #expect(try alice.terminate() == .exited(0)) }
        #expect(try next(of: reader.raw) == [], "Nobody writes any more")
      }
      try prosody.kill()
    }
  }

  /// Reads the next bytes of a pipe; empty at its end.
  private func next(of pipe: CInt) throws -> [UInt8]? {
    #expect(try Descriptors.wait(toRead: pipe, milliseconds: 60_000) == .readable)
    return try Descriptors.read(pipe, atMost: 100)
  }

  private static func lines(_ file: String) -> [String] {
    (TestFiles.text(file) ?? "").split(separator: "\n").map(String.init)
  }

  private func expect(_ lines: [String], _ texts: [String], seed: UInt64) {
    var once: [String] = []
    for line in lines where line != once.last { once.append(line) }
    print("\(lines.count - once.count) of \(texts.count) events twice")
    #expect(once == texts, "CONFAB_SEED=\(seed): \(lines)")
    #expect(lines.count - once.count <= Self.count, "CONFAB_SEED=\(seed): \(lines)")
  }
}
