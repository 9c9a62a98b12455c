import JSON
import TestSupport
import Testing

/// `expires=`, `hold=` and `cancel` over a kill between queueing and sending, with a real Prosody.
@Suite("Messages that wait, expire and are taken back")
struct HoldTests {
  @Test(
    "killed before anything left: what was taken back or is too late never leaves, what waited does, once, in order")
  func killed() throws {
    try withProsody { world throws in
      let bob = try world.bob()
      try world.client.ask("disconnect")
      // At once, so that all are stored before the first is released.
      try world.client.send(
        "send hold=1s bob@example.test held", "send hold=1s bob@example.test taken back",
        "send expires=1s bob@example.test late", "send expires=1h bob@example.test in time")
      let ids = try (0..<4).map { _ in try #require(try world.client.answer().id) }
      let (held, taken, late, last) = (ids[0], ids[1], ids[2], ids[3])
      try world.client.ask("cancel \(taken)")
      try world.daemon.kill()
      try world.daemon.start()
      let client = try world.daemon.client()
      let failed = try client.request("wait for=sent timeout=60s \(late)").final
      #expect(failed["failure"]?.text("condition") == "expired")
      try client.ask("connect")
      for id in [held, last] { try client.ask("wait for=sent timeout=60s \(id)") }
      try client.ask("send wait=sent timeout=60s bob@example.test end")
      let received = try (0..<3).map { _ in try bob.message().text("text") }
      #expect(received == ["in time", "held", "end"])
      let states = try client.history("bob@example.test").map { $0.text("state") }
      #expect(states == ["sent", "cancelled", "failed", "sent", "sent"])
      let refused = try client.request("cancel \(last)").final
      #expect(refused.text("error") == "not-found" && refused.text("state") == "sent")
    }
  }

  @Test("messages that leave later do so once, at their last times and with their last texts, over kills at each step")
  func scheduled() throws {
    try withProsody { world throws in
      let bob = try world.bob()
      func restart() throws -> SocketClient {
        try world.daemon.kill()
        try world.daemon.start()
        return try world.daemon.client()
      }
      let confab = [Products.program("confab"), "--socket", world.daemon.socketPath]
      let sent = try Program.run(confab + ["send", "--at=2h", "bob@example.test", "draft"])
      #expect(sent.status == .exited(0) && sent.text.contains(" queued, leaves at "), "\(sent.errorText)")
      let id = try #require(sent.text.split(separator: " ").first)
      var client = try restart()
      try client.ask("send hold=1h bob@example.test second")
      #expect(try Program.run(confab + ["reschedule", "\(id)", "the text"]).status == .exited(0))
      client = try restart()
      let listed = try Program.run(confab + ["scheduled"]).text.split(separator: "\n")
      #expect(listed.map { $0.hasSuffix(" bob@example.test: second") } == [true, false])
      #expect(listed.last?.hasSuffix(" bob@example.test: the text") == true)
      #expect(try Program.run(confab + ["reschedule", "--at=1s", "\(id)"]).status == .exited(0))
      client = try restart()
      try client.ask("wait for=sent timeout=60s \(id)")
      client = try restart()
      try client.waitUntilOnline()
      try client.ask("send wait=sent timeout=60s bob@example.test end")
      #expect(try (0..<2).map { _ in try bob.message().text("text") } == ["the text", "end"])
      let history = try client.history("bob@example.test").map { "\($0.text("text")) \($0.text("state"))" }
      #expect(history == ["second queued", "the text sent", "end sent"])
    }
  }
}
