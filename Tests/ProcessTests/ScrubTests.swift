import JSON
import TestSupport
import Testing

/// `forget-history` and `confab log scrub`, the real programs.
@Suite("Erasing")
struct ScrubTests {
  private static let canTrace = (try? Program.run(["strace", "-o", "/dev/null", "true"]).status) == .exited(0)
  /// By which a program changes what is on a disk.
  private static let changes = ["pwrite64", "fsync", "fdatasync", "ftruncate", "renameat", "renameat2", "unlinkat"]
  private static let confab = Products.program("confab")

  /// A data directory of a daemon that was told to forget.
  private func forgotten(in folder: TemporaryFolder) throws -> String {
    let daemon = try Daemon(in: folder)
    let client = try daemon.client()
    for text in ["Grüße aus der Straße", "a secret word"] {
      #expect(try client.request("send hold=1h bob@example.test \(text)").isOK)
    }
    let held = try client.request("send hold=1h carol@example.test not for bob")
    for message in try client.history("bob@example.test") {
      #expect(try client.request("cancel \(message["id"]?.integer ?? 0)").isOK)
    }
    let command = [Self.confab, "--socket", daemon.socketPath]
    #expect(try Program.run(command + ["forget-history", "bob@example.test"]).status == .exited(0))
    #expect(try client.history("bob@example.test").isEmpty)
    #expect(try client.request("search secret").data.isEmpty)
    #expect(try Program.run([Self.confab, "log", "scrub", "--data", daemon.dataPath]).status == .exited(75))
    #expect(held.isOK)
    #expect(try daemon.terminate() == .exited(0))
    return daemon.dataPath
  }

  /// True if any file of a data directory holds a text.
  private func holds(_ data: String, _ text: String) -> Bool {
    [data, data + "/log"].contains { folder in
      TestFiles.names(in: folder).contains { TestFiles.contains("\(folder)/\($0)", text) }
    }
  }

  /// True if it came to its end.
  private func scrub(_ data: String, with wrapper: [String] = []) throws -> Bool {
    try Program.run(wrapper + [Self.confab, "log", "scrub", "--data", data]).status == .exited(0)
  }

  /// The log is sound, and has the old segment or the new one.
  private func expectWhole(_ data: String, _ step: String) throws {
    #expect(try Program.run([Self.confab, "log", "verify", "--data", data]).status == .exited(0), "\(step)")
    let export = try Program.run([Self.confab, "log", "export", "--data", data])
    #expect(export.text.contains("not for bob") && !export.text.contains("secret"), "\(step)")
    let segment = data + "/log/00000000000000000001.log"
    #expect(TestFiles.contains(segment, "Grüße") == TestFiles.contains(segment, "secret"), "\(step)")
  }

  /// Runs it on a copy, killed before the call with this number; true where there is none.
  private func scrub(_ data: String, on copy: String, killedBefore call: String, _ number: Int) throws -> Bool {
    #expect(try Program.run(["sh", "-c", "rm -rf \"$1\" && cp -a \"$0\" \"$1\"", data, copy]).status == .exited(0))
    let trace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e"]
    let isDone = try scrub(copy, with: trace + ["inject=\(call):signal=SIGKILL:when=\(number)"])
    try expectWhole(copy, "\(call) \(number)")
    #expect(try scrub(copy))
    #expect(!holds(copy, "secret") && !holds(copy, "Grüße") && holds(copy, "not for bob"), "\(call) \(number)")
    return isDone
  }

  @Test(
    "killed before any of its calls it leaves the old segment or the new one, and the next run ends it",
    .enabled(if: canTrace, "strace may not be used here"))
  func killed() throws {
    let folder = try TemporaryFolder("scrub")
    let data = try forgotten(in: folder)
    let copy = folder.path + "/copy"
    #expect(holds(data, "secret"))
    var kills = 0
    for call in Self.changes {
      var number = 1
      while try !scrub(data, on: copy, killedBefore: call, number), number < 100 { number += 1 }
      kills += number - 1
    }
    #expect(kills > 15, "\(kills)")
    let daemon = try Daemon("second", in: folder, data: copy)
    let client = try daemon.client()
    #expect(try client.history("bob@example.test").isEmpty)
    #expect(try client.history("carol@example.test").map { $0.text("text") } == ["not for bob"])
    try daemon.kill()
  }
}
