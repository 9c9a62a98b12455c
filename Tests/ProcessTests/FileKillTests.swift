import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// `kill -9` of daemons and of their helpers at moments that chance draws, while pictures go from one daemon's front end to
/// the other's, nine in a message: each comes out byte for byte, and nothing is left behind. CONFAB_FILE_KILLS says how often;
/// CONFAB_SEED repeats a run.
@Suite("Files, killed at any moment", .serialized)
struct FileKillTests {
  private static let count = Chance.count("CONFAB_FILE_KILLS", usual: 5)

  @Test("nine pictures a message, by the server's upload service", arguments: Couple.Kind.allCases)
  func pictures(kind: Couple.Kind) throws {
    let folder = try TemporaryFolder("file-kills")
    try folder.reportingLogs {
      let couple = try Couple(in: folder, at: kind)
      var chance = Chance("files killed at \(kind)")
      var said = 0
      for _ in 0..<Self.count {
        if try isAtRest(couple.alice) {
          try say(said, couple)
          said += 1
        }
        chance.pause(upTo: 150)
        try kill(&chance, couple)
      }
      try expectAll(said, couple, once: kind == .prosody)
    }
  }

  private func isAtRest(_ daemon: Daemon) throws -> Bool { TestFiles.names(in: daemon.dataPath + "/spool").isEmpty }

  private func say(_ number: Int, _ couple: Couple) throws {
    let files = try couple.files(Couple.pictures(9, salt: number))
    let said = try couple.confab(
      couple.alice, ["send-file", "--text=\(number)", "bob@example.test"] + files)
    guard said.status == .exited(0) else { throw TestFailure("send-file: \(said)") }
  }

  /// One of the daemons, the one that fetches while it does, or the helper of one.
  private func kill(_ chance: inout Chance, _ couple: Couple) throws {
    switch chance.draw(1...4) {
    case 1:
      let id = try couple.bob.client().history("alice@example.test", limit: 1).first?["id"]?.integer ?? 1
      let fetching = try couple.bob.client()
      for index in 0..<9 { try fetching.send("fetch \(id) \(index)") }
      chance.pause(upTo: 60)
      if try killHelper(of: couple.bob) { return }
      try restart(couple.bob)
    case 2:
      if try !killHelper(of: couple.alice) { try restart(couple.alice) }
    default: try restart(couple.alice)
    }
  }

  private func restart(_ daemon: Daemon) throws {
    try daemon.kill()
    try daemon.start()
    // ejabberd resumes a stream twice where two connections ask for it at once.
    try daemon.client().waitUntilOnline()
  }

  private func killHelper(of daemon: Daemon) throws -> Bool {
    daemon.helpers.contains { Glibc.kill($0, SIGKILL) == 0 }
  }

  private func expectAll(_ said: Int, _ couple: Couple, once: Bool) throws {
    let watcher = try couple.bob.client()
    try watcher.send("watch since=0 kinds=message")
    var waited = Set((0..<said).map { "\($0)" })
    while !waited.isEmpty {
      waited.remove(try watcher.event("message", until: .seconds(180))["message"]?.text("text") ?? "")
    }
    let came = try couple.bob.client().history("alice@example.test")
    if once { #expect(came.map { $0.text("text") } == (0..<said).map { "\($0)" }) }
    for message in came {
      let salt = Int(message.text("text")) ?? -1
      #expect(try couple.fetched(message, 9) == Couple.pictures(9, salt: salt), "message \(salt)")
    }
    #expect(try isAtRest(couple.alice))
    // Who asked for a file has it before it is durable.
    let kept = couple.bob.dataPath + "/files"
    #expect(try couple.bob.wait(at: kept) { !TestFiles.names(in: kept).contains { $0.hasPrefix("new-") } })
  }
}

extension Daemon {
  /// The programs that it has started and that run now.
  var helpers: [pid_t] {
    guard let processID else { return [] }
    return TestFiles.names(in: "/proc/\(processID)/task").flatMap { task in
      (TestFiles.text("/proc/\(processID)/task/\(task)/children") ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
  }
}
