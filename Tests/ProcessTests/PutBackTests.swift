import Glibc
import JSON
import TestSupport
import Testing

/// A data directory in which an older copy of itself is put back.
@Suite("A log that is put back")
struct PutBackTests {
  /// Starts the daemon, stores `count` messages, and kills it; returns the log's UUID.
  private func life(of daemon: Daemon, messages count: Int) throws -> String {
    try daemon.start()
    let socket = try daemon.connect()
    let log = try socket.greeting().text("log")
    for number in 0..<count { try socket.ask("send bob@example.test \(number)") }
    try daemon.kill()
    return log
  }

  @Test(
    "gets a new UUID, so that no number is given twice under one UUID",
    arguments: [
      "cp -a copy/. data/", "cp -a copy new && rm -r data && mv new data",
      // As rsync(1) does, with the exclusions of docs/REPAIR.md: the checkpoint stays.
      "rm copy/checkpoint; for f in $(cd copy && find . -type f); do cp -a copy/$f new && mv new data/$f; done",
    ])
  func putBack(command: String) throws {
    let folder = try TemporaryFolder("back")
    try folder.reportingLogs {
      let daemon = try Daemon(in: folder, data: folder.file("data"))
      try daemon.client().ask("send bob@example.test first")
      try daemon.terminate()
      try runCommand("cp", "-a", daemon.dataPath, folder.file("copy"))
      let uuid = try life(of: daemon, messages: 3)
      #expect(try life(of: daemon, messages: 0) == uuid)
      try daemon.start()
      try daemon.terminate()
      #expect(try Program.run(["sh", "-c", "cd \(folder.path) && { \(command); }"]).status == .exited(0))
      let other = try life(of: daemon, messages: 1)
      #expect(other != uuid)
      #expect(try life(of: daemon, messages: 1) == other)
    }
  }
}
