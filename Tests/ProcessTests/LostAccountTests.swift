import Glibc
import JSON
import TestSupport
import Testing

/// The record that says whose an account is cannot be read, and nothing is left that was derived from the log.
@Suite("A log without an account's own record")
struct LostAccountTests {
  @Test("an account that logged in is known by that: its history is there, and what waited goes out")
  func known() throws {
    try withProsody { world throws in
      let bob = try world.bob()
      try bob.send("before", to: "alice@example.test")
      try world.client.ask("send wait=sent bob@example.test after")
      while try world.client.historyWithBob().count < 2 {}
      try world.server.stop()
      _ = try world.daemon.status { $0.text("state") == "waiting" }
      try world.client.ask("send bob@example.test waiting")
      try world.daemon.kill()
      try Self.loseAccount(of: world.daemon)
      try world.server.start()
      let again = try world.bob()
      try world.daemon.start()
      let client = try world.daemon.client()
      try client.waitUntilOnline()
      try client.ask("send wait=sent bob@example.test last")
      let texts = try client.historyWithBob().map { $0.text("text") }
      #expect(Set(texts.prefix(2)) == ["before", "after"] && texts.dropFirst(2) == ["waiting", "last"])
      var received: [String] = []
      while received.last != "last" { received.append(try again.message().text("text")) }
      #expect(received.contains("waiting"))
      #expect(try client.request("status").final["damaged"]?["records"]?.integer == 1)
    }
  }

  /// Changes a byte of the name in the log's first record.
  private static func loseAccount(of daemon: Daemon) throws {
    let segment = daemon.dataPath + "/log/00000000000000000001.log"
    var bytes = try #require(TestFiles.read(segment))
    bytes[try #require(bytes.firstRange(of: Array("alice@example.test".utf8))?.lowerBound)] ^= 1
    try TestFiles.write(segment, bytes)
    for name in ["checkpoint", "index"] { _ = unsafe unlink(daemon.dataPath + "/" + name) }
  }
}
