import JSON
import TestSupport
import Testing

/// `kill -9` at moments that chance draws, while two daemons talk by a real server: both logs hold every message once, in
/// order. CONFAB_KILLS says how often; CONFAB_SEED repeats a run.
@Suite("Killed at any moment", .serialized)
struct KillTests {
  private static let count = Chance.count("CONFAB_KILLS", usual: 30)

  @Test("at Prosody: every message once, in order, in both logs and in the server's archive")
  func prosody() throws {
    let folder = try TemporaryFolder("kills")
    try folder.reportingLogs {
      let prosody = try Prosody(in: folder)
      let talk = try talk(at: prosody, in: folder, kills: Self.count)
      try talk.expectAll()
      // What is archived was sent: as often as it was said.
      for talker in talk.talkers {
        #expect(try prosody.archive(of: talker.name).count == talk.count, "CONFAB_SEED=\(talk.seed)")
      }
    }
  }

  /// It hands over what comes while a stream is resumed behind what comes later, and may take twice what goes again:
  /// see docs/PROMISES.md. Where two connections ask for one stream at once it resumes both, with one count: nobody is
  /// killed there before it is online again.
  @Test("at ejabberd: what was sent in order, and what came as the server's archive has it")
  func ejabberd() throws {
    let folder = try TemporaryFolder("kills")
    try folder.reportingLogs {
      let server = try Ejabberd(in: folder)
      let talk = try talk(at: server, in: folder, kills: max(1, Self.count / 5), patiently: true)
      try talk.expectAll(.asArchived)
    }
  }

  private func talk(
    at server: some AccountServer, in folder: TemporaryFolder, kills: Int, patiently: Bool = false
  ) throws -> Talk {
    var chance = Chance("kills at \(type(of: server))")
    let talk = try Talk(at: server, in: folder, seed: chance.seed)
    for _ in 0..<kills {
      try talk.say(&chance)
      let victims = chance.draw(1...4) == 1 ? talk.talkers : [talk.talkers[chance.draw(0...1)]]
      chance.pause(upTo: 250)
      for victim in victims { try victim.kill() }
      for victim in victims {
        if !patiently, chance.draw(1...4) == 1 { try killAtStart(victim.daemon, &chance) }
        try victim.start()
        if patiently { try victim.daemon.client().waitUntilOnline() }
      }
    }
    return talk
  }

  private func killAtStart(_ daemon: Daemon, _ chance: inout Chance) throws {
    try daemon.launch()
    chance.pause(upTo: 60)
    try daemon.kill()
  }
}
