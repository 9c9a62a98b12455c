import JSON
import TestSupport
import Testing

/// Links that break while two daemons talk by a real server: both logs hold every message once, in order.
/// CONFAB_CUTS says how often.
@Suite("Links that break", .serialized)
struct CutTests {
  private static let isLong = Chance.count("CONFAB_CUTS", usual: 40) > 40

  @Test("a link over which nothing comes any more", arguments: isLong ? [true, false] : [true])
  func halfOpen(killed: Bool) throws {
    let folder = try TemporaryFolder("frozen")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let proxy = try CountingProxy(to: prosody.directTLSPort, in: folder)
      let talk = try Talk(at: prosody, in: folder, seed: 0, through: proxy.port)
      let alice = talk.talkers[0]
      let watcher = try alice.daemon.client()
      try watcher.ask("watch kinds=connection")
      for _ in 0..<3 {
        try proxy.freeze()
        for talker in talk.talkers { try talker.say(10) }
        if killed {
          try alice.kill()
          try alice.start()
        } else {
          _ = try watcher.event("connection") { $0.text("reason").contains("30 seconds") }
        }
        try alice.daemon.client().waitUntilOnline()
        #expect(try alice.daemon.client().account().text("reason").hasPrefix("resumed"))
      }
      try talk.expectAll()
    }
  }
}
